// Keys are doubles: they order units, nothing is computed from them, and a product of size and lifetime that
// would wrap in 64 bits only loses digits. Equal keys fall back to the other keys, then to the canonical
// index, so that the order does not depend on the order of rows.
//
// Source: the three picks and their order are the paper's (section 5); ties are ours.
#include "search/candidates.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

namespace telamalloc {
namespace {

enum Key { kLifetime, kSize, kArea };

}  // namespace

Candidates::Candidates(const SearchInstance& instance, std::vector<std::int32_t> phase_of)
    : instance_(&instance), phase_of_(std::move(phase_of)) {
  SetKeys();
  Sort();
}

void Candidates::SetKeys() {
  for (std::vector<double>& keys : keys_) keys.clear();
  for (const SearchUnit& unit : instance_->units) {
    const auto lifetime = static_cast<double>(unit.lifetime);
    const auto size = static_cast<double>(unit.size);
    keys_[kLifetime].push_back(lifetime);
    keys_[kSize].push_back(size);
    keys_[kArea].push_back(lifetime * size);
  }
}

void Candidates::Perturb(std::mt19937_64& random, double amount) {
  SetKeys();
  for (std::vector<double>& keys : keys_) {
    for (double& key : keys) {
      // Not std::uniform_real_distribution, whose result may differ between libraries.
      const double unit_interval = static_cast<double>(random() >> 11) * 0x1.0p-53;
      key *= 1.0 + amount * (2.0 * unit_interval - 1.0);
    }
  }
  Sort();
}

void Candidates::Sort() {
  for (int key = 0; key < kKeys; ++key) {
    std::vector<std::int32_t>& order = order_[key];
    order.resize(instance_->units.size());
    std::iota(order.begin(), order.end(), 0);
    const std::vector<double>& first = keys_[key];
    const std::vector<double>& second = keys_[key == kArea ? kLifetime : kArea];
    std::ranges::sort(order, [&](std::int32_t a, std::int32_t b) {
      return std::tuple(phase_of_[a], -first[a], -second[a], a) <
             std::tuple(phase_of_[b], -first[b], -second[b], b);
    });
  }
}

std::vector<std::int32_t> Candidates::Picks(const Placement& placement, Cursors& cursors) const {
  std::vector<std::int32_t> picks;
  const std::int32_t count = instance_->unit_count();
  for (int key = 0; key < kKeys; ++key) {
    while (cursors[key] < count && placement.placed(order_[key][cursors[key]])) ++cursors[key];
    if (cursors[key] == count) continue;
    const std::int32_t unit = order_[key][cursors[key]];
    if (std::ranges::find(picks, unit) == picks.end()) picks.push_back(unit);
  }
  return picks;
}

}  // namespace telamalloc

// Times are heavy-tailed: each problem falls within a few hundred nodes for some order of trying the units of
// a corner, and not within millions for another. So runs are short, each with another order, and grow slowly:
//
//   round 0: 400 nodes each of: longest lifetime first; most blamed; largest size; random
//   round 1: 520 nodes each of the same with fresh noise, and so on, 1.3 times as many per round
//
// What failed in one run is known to the next, so that an exhaustive search loses little by starting over: a
// run that is longer than the whole search ends it.
#include "search/exact/exact.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace telamalloc {
namespace {

constexpr std::int64_t kMaxIncidences = 8'000'000;
constexpr std::int32_t kMaxUnits = 100'000;
constexpr std::int64_t kFirstRunNodes = 400;
constexpr double kRunGrowth = 1.3;

enum class Order { kLifetime, kBlame, kSize, kRandom };
constexpr std::array kOrders = {Order::kLifetime, Order::kBlame, Order::kSize, Order::kRandom};

}  // namespace

bool ExactSearch::Accepts(const Timeline& timeline, const Partition& partition) {
  const auto units =
      timeline.units().subspan(partition.unit_begin, partition.unit_end - partition.unit_begin);
  if (units.size() > kMaxUnits) return false;
  const bool rectangles = std::ranges::all_of(units, [&](const Unit& unit) {
    const auto pieces = timeline.pieces_of(unit);
    return pieces.size() == 1 && pieces[0].lower == 0 && pieces[0].upper == unit.size;
  });
  return rectangles && CountIncidences(timeline, partition) <= kMaxIncidences;
}

ExactSearch::ExactSearch(const Timeline& timeline, const Partition& partition, std::int64_t capacity,
                         const SearchOptions& options)
    : rules_(options.exact_rules),
      instance_(BuildInstance(timeline, partition)),
      capacity_(capacity / instance_.scale),
      corner_instance_(BuildCornerInstance(instance_)),
      random_(options.random_seed) {
  if (FitsByLoad()) {
    corner_ = std::make_unique<CornerSearch>(corner_instance_, capacity_, rules_, failed_);
  } else {
    verdict_ = SearchVerdict::kExhausted;
  }
}

bool ExactSearch::FitsByLoad() const {
  return std::ranges::all_of(corner_instance_.load, [&](std::int64_t load) { return load <= capacity_; }) &&
         std::ranges::all_of(corner_instance_.pins,
                             [&](const CornerPin& pin) { return pin.upper <= capacity_; });
}

SearchVerdict ExactSearch::Run(std::int64_t nodes, Budget& budget, SolveStats& stats) {
  while (verdict_ == SearchVerdict::kStopped && nodes > 0 && !budget.exhausted()) {
    if (run_left_ <= 0) OpenRun();
    const std::int64_t slice = std::min(nodes, run_left_);
    const std::int64_t nodes_before = corner_->nodes();
    const std::int64_t backtracks_before = corner_->backtracks();
    const std::int64_t jumps_before = corner_->jumps();
    switch (corner_->Run(slice, budget)) {
      case CornerVerdict::kSolved:
        verdict_ = SearchVerdict::kSolved;
        break;
      case CornerVerdict::kExhausted:
        verdict_ = SearchVerdict::kExhausted;
        break;
      case CornerVerdict::kStopped:
        break;
    }
    const std::int64_t taken = corner_->nodes() - nodes_before;
    nodes -= taken;
    run_left_ -= taken;
    stats.nodes += taken;
    stats.minor_backtracks += corner_->backtracks() - backtracks_before;
    stats.major_backtracks += corner_->jumps() - jumps_before;
  }
  return verdict_;
}

void ExactSearch::OpenRun() {
  const std::int64_t round = runs_ / static_cast<std::int64_t>(kOrders.size());
  const double limit = static_cast<double>(kFirstRunNodes) * std::pow(kRunGrowth, static_cast<double>(round));
  run_left_ = rules_.restarts && limit < 1e15 ? static_cast<std::int64_t>(limit)
                                              : std::numeric_limits<std::int64_t>::max();
  corner_->Restart(Keys());
  ++runs_;
}

// Of the next run's order: larger is tried earlier.
std::vector<double> ExactSearch::Keys() {
  const auto count = static_cast<std::int64_t>(kOrders.size());
  const Order order = kOrders[runs_ % count];
  const bool noisy = runs_ >= count;
  const std::span<const std::int64_t> blame = corner_->blame();
  const double mean_blame =
      static_cast<double>(std::accumulate(blame.begin(), blame.end(), std::int64_t{0}) + 1) /
      static_cast<double>(blame.size() + 1);
  std::vector<double> keys;
  keys.reserve(corner_instance_.units.size());
  for (std::size_t u = 0; u < corner_instance_.units.size(); ++u) {
    const CornerUnit& unit = corner_instance_.units[u];
    switch (order) {
      case Order::kLifetime:
        keys.push_back(static_cast<double>(unit.lifetime) * (noisy ? 2 * random_.Unit() : 1));
        break;
      case Order::kSize:
        keys.push_back(static_cast<double>(unit.size) * (noisy ? 2 * random_.Unit() : 1));
        break;
      case Order::kBlame:
        keys.push_back((static_cast<double>(blame[u]) / mean_blame + 0.3) * random_.Unit());
        break;
      case Order::kRandom:
        keys.push_back(random_.Unit());
        break;
    }
  }
  return keys;
}

std::int64_t ExactSearch::next_peak() const {
  std::int64_t peak = 0;
  const bool wraps =
      __builtin_add_overflow(capacity_, 1, &peak) || __builtin_mul_overflow(peak, instance_.scale, &peak);
  return wraps ? std::numeric_limits<std::int64_t>::max() : peak;
}

PartitionPlacement ExactSearch::placement() const {
  PartitionPlacement result;
  result.offsets.assign(instance_.units.size(), 0);
  for (std::int32_t u = 0; u < instance_.unit_count(); ++u) {
    if (instance_.units[u].fixed_offset != kNoOffset) result.offsets[u] = instance_.units[u].fixed_offset;
  }
  for (std::int32_t u = 0; u < corner_instance_.unit_count(); ++u) {
    result.offsets[corner_instance_.units[u].unit] = corner_->offset(u);
  }
  for (std::int32_t u = 0; u < instance_.unit_count(); ++u) {
    result.offsets[u] *= instance_.scale;
    result.peak = std::max(result.peak, result.offsets[u] + instance_.units[u].size * instance_.scale);
  }
  return result;
}

}  // namespace telamalloc

// Times are heavy-tailed: each problem falls within a few thousand nodes for some order of trying the units
// of a corner, and not within millions for another. So most runs are short, each with another order, and grow
// slowly; now and then comes a long one, twice as long each time, so that a search that has to be exhausted
// ends within a small multiple of its size:
//
//   short   L each of: longest lifetime first; most blamed; largest size; random
//           1.1 L each of the same with fresh noise, and so on
//   long    64 L, 128 L, ..: as soon as the short runs have taken twice as much since the start
//
// L = 200 + 2 x units: the first run can dive to the bottom about twice. What failed in one run is known to
// the next.
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
constexpr double kRunGrowth = 1.1;
constexpr double kFirstLongRun = 64;

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
      corner_instance_(BuildCornerInstance(instance_)),
      blame_(corner_instance_.units.size(), 0),
      random_(options.random_seed) {
  Retarget(capacity);
}

// Failed states of a plain instance hold for every capacity (state_hash.h).
bool ExactSearch::Retarget(std::int64_t capacity) {
  capacity_ = capacity / instance_.scale;
  if (!corner_instance_.plain) failed_ = {};
  run_left_ = 0;
  corner_.reset();
  verdict_ = FitsByLoad() ? SearchVerdict::kStopped : SearchVerdict::kExhausted;
  if (verdict_ == SearchVerdict::kStopped) {
    corner_ = std::make_unique<CornerSearch>(corner_instance_, capacity_, rules_, failed_, blame_);
  }
  return true;
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
  const double first = 200 + 2 * static_cast<double>(corner_instance_.units.size());
  if (runs_ == 0) next_long_run_ = kFirstLongRun * first;
  double limit = first * std::pow(kRunGrowth, static_cast<double>(runs_ / kOrders.size()));
  if (short_nodes_ >= 2 * next_long_run_) {
    limit = next_long_run_;
    next_long_run_ *= 2;
  } else {
    short_nodes_ += limit;
  }
  run_left_ = rules_.restarts && limit < 1e15 ? static_cast<std::int64_t>(limit)
                                              : std::numeric_limits<std::int64_t>::max();
  corner_->Restart(Keys());
  ++runs_;
}

// Of the next run's order: larger is tried earlier.
std::vector<double> ExactSearch::Keys() {
  const Order order = kOrders[runs_ % kOrders.size()];
  const bool noisy = runs_ >= kOrders.size();
  const double mean_blame =
      static_cast<double>(std::accumulate(blame_.begin(), blame_.end(), std::int64_t{0}) + 1) /
      static_cast<double>(blame_.size() + 1);
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
        keys.push_back((static_cast<double>(blame_[u]) / mean_blame + 0.3) * random_.Unit());
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

#include "search/greedy.h"

#include <algorithm>
#include <bit>
#include <memory>
#include <vector>

#include "absl/numeric/int128.h"
#include "search/occupancy.h"
#include "search/placing.h"
#include "search/unit_measures.h"
#include "timeline/within.h"

namespace telamalloc {
namespace {

struct Ranked {
  std::uint64_t key = 0;  // the largest first
  std::int64_t size = 0;
  std::int32_t unit = 0;
};

bool Before(const Ranked& a, const Ranked& b) {
  if (a.key != b.key) return a.key > b.key;
  if (a.size != b.size) return a.size > b.size;
  return a.unit < b.unit;
}

// Keeps the order of numbers up to their 57 leading bits: those, below the exponent.
std::uint64_t LeadingBits(absl::uint128 number) {
  constexpr int kBits = 57;
  const std::uint64_t high = absl::Uint128High64(number);
  const int width =
      high != 0 ? 128 - std::countl_zero(high) : 64 - std::countl_zero(absl::Uint128Low64(number));
  const int shift = std::max(0, width - kBits);
  return (static_cast<std::uint64_t>(shift) << kBits) + absl::Uint128Low64(number >> shift);
}

// The key of each unit by `order`.
class Key {
 public:
  Key(const Timeline& timeline, const Partition& partition, GreedyOrder order)
      : timeline_(&timeline), order_(order) {
    if (order == GreedyOrder::kContention) busiest_.emplace(timeline, partition);
    if (order == GreedyOrder::kSizeClass) {
      for (std::int32_t u = partition.unit_begin; u < partition.unit_end; ++u) {
        largest_ = std::max(largest_, timeline.units()[u].size);
      }
    }
  }

  [[nodiscard]] std::uint64_t Of(const Unit& unit) const {
    switch (order_) {
      case GreedyOrder::kSize:
        return static_cast<std::uint64_t>(unit.size);
      case GreedyOrder::kSizeClass:
        return std::countl_zero(static_cast<std::uint64_t>(largest_ / unit.size));
      case GreedyOrder::kArea:
        return LeadingBits(AreaOf(*timeline_, unit));
      case GreedyOrder::kLifetime:
        return LifetimeOf(*timeline_, unit);
      case GreedyOrder::kContention:
        return static_cast<std::uint64_t>(timeline_->contention()[busiest_->Of(unit)]);
      case GreedyOrder::kStart:
        break;  // the order of the timeline
    }
    return 0;
  }

 private:
  const Timeline* timeline_;
  GreedyOrder order_;
  std::optional<BusiestSection> busiest_;
  std::int64_t largest_ = 0;
};

}  // namespace

template <GreedyOrder order>
std::optional<PartitionPlacement> PlaceGreedily(const Timeline& timeline, const Partition& partition,
                                                Budget& budget) {
  Placing placing(timeline, partition);
  const std::unique_ptr<Occupancy> occupancy = MakeOccupancy(timeline, partition, budget);
  if (occupancy == nullptr) return std::nullopt;
  for (const std::int32_t u : placing.pinned()) {
    const Unit& unit = timeline.units()[u];
    occupancy->Place(unit, unit.fixed_offset, budget);
  }
  std::vector<Ranked> ranked;
  ranked.reserve(partition.unit_end - partition.unit_begin);
  const Key key(timeline, partition, order);
  // Within these, the first to start goes first: units of like size then tile without waste.
  constexpr bool by_start = order == GreedyOrder::kSizeClass || order == GreedyOrder::kStart;
  for (std::int32_t u = partition.unit_begin; u < partition.unit_end; ++u) {
    const Unit& unit = timeline.units()[u];
    if (unit.fixed_offset != kNoOffset) continue;
    ranked.push_back({key.Of(unit), by_start ? 0 : unit.size, u});
  }
  if (!SortWithin(budget, ranked, &Before)) return std::nullopt;
  for (const Ranked& next : ranked) {
    const Unit& unit = timeline.units()[next.unit];
    const std::int64_t offset = occupancy->LowestOffset(unit, 0, budget);
    if (offset == kNoOffset) return std::nullopt;
    occupancy->Place(unit, offset, budget);
    placing.Set(next.unit, offset);
  }
  return placing.Take();
}

template std::optional<PartitionPlacement> PlaceGreedily<GreedyOrder::kSize>(const Timeline&,
                                                                             const Partition&, Budget&);
template std::optional<PartitionPlacement> PlaceGreedily<GreedyOrder::kSizeClass>(const Timeline&,
                                                                                  const Partition&, Budget&);
template std::optional<PartitionPlacement> PlaceGreedily<GreedyOrder::kArea>(const Timeline&,
                                                                             const Partition&, Budget&);
template std::optional<PartitionPlacement> PlaceGreedily<GreedyOrder::kLifetime>(const Timeline&,
                                                                                 const Partition&, Budget&);
template std::optional<PartitionPlacement> PlaceGreedily<GreedyOrder::kContention>(const Timeline&,
                                                                                   const Partition&, Budget&);
template std::optional<PartitionPlacement> PlaceGreedily<GreedyOrder::kStart>(const Timeline&,
                                                                              const Partition&, Budget&);

}  // namespace telamalloc

#include "search/greedy.h"

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
  absl::uint128 key = 0;  // the largest first
  std::int64_t size = 0;
  std::uint64_t lifetime = 0;
  std::int32_t unit = 0;
};

bool Before(const Ranked& a, const Ranked& b) {
  if (a.key != b.key) return a.key > b.key;
  if (a.size != b.size) return a.size > b.size;
  if (a.lifetime != b.lifetime) return a.lifetime > b.lifetime;
  return a.unit < b.unit;
}

// The key of each unit by `order`.
class Key {
 public:
  Key(const Timeline& timeline, const Partition& partition, GreedyOrder order)
      : timeline_(&timeline), order_(order) {
    if (order == GreedyOrder::kContention) busiest_.emplace(timeline, partition);
  }

  [[nodiscard]] absl::uint128 Of(const Unit& unit) const {
    switch (order_) {
      case GreedyOrder::kSize:
        return static_cast<std::uint64_t>(unit.size);
      case GreedyOrder::kArea:
        return AreaOf(*timeline_, unit);
      case GreedyOrder::kLifetime:
        return LifetimeOf(*timeline_, unit);
      case GreedyOrder::kContention:
        return static_cast<std::uint64_t>(timeline_->contention()[busiest_->Of(unit)]);
      case GreedyOrder::kStart:
        return absl::uint128(0) - unit.section_begin;
    }
    return 0;
  }

 private:
  const Timeline* timeline_;
  GreedyOrder order_;
  std::optional<BusiestSection> busiest_;
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
  for (std::int32_t u = partition.unit_begin; u < partition.unit_end; ++u) {
    const Unit& unit = timeline.units()[u];
    if (unit.fixed_offset != kNoOffset) continue;
    ranked.push_back({key.Of(unit), unit.size, LifetimeOf(timeline, unit), u});
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
template std::optional<PartitionPlacement> PlaceGreedily<GreedyOrder::kArea>(const Timeline&,
                                                                             const Partition&, Budget&);
template std::optional<PartitionPlacement> PlaceGreedily<GreedyOrder::kLifetime>(const Timeline&,
                                                                                 const Partition&, Budget&);
template std::optional<PartitionPlacement> PlaceGreedily<GreedyOrder::kContention>(const Timeline&,
                                                                                   const Partition&, Budget&);
template std::optional<PartitionPlacement> PlaceGreedily<GreedyOrder::kStart>(const Timeline&,
                                                                              const Partition&, Budget&);

}  // namespace telamalloc

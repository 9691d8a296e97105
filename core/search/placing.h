// A placement of one partition in the making: pins first.
#ifndef TELAMALLOC_SEARCH_PLACING_H_
#define TELAMALLOC_SEARCH_PLACING_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "search/occupancy.h"
#include "search/strategy.h"
#include "timeline/budget.h"
#include "timeline/timeline.h"
#include "timeline/within.h"

namespace telamalloc {

class Placing {
 public:
  // Pinned units are where they must be, all others nowhere. Empty: `budget` stopped.
  static std::optional<Placing> Make(const Timeline& timeline, const Partition& partition, Budget& budget) {
    Placing made(timeline, partition);
    std::vector<std::int64_t>& offsets = made.placement_.offsets;
    offsets.reserve(partition.unit_end - partition.unit_begin);
    const bool copied =
        ForEachWithin(budget, partition.unit_end - partition.unit_begin, 2, [&](std::size_t k) {
          const auto u = static_cast<std::int32_t>(partition.unit_begin + k);
          const Unit& unit = timeline.units()[u];
          offsets.push_back(unit.fixed_offset);
          if (unit.fixed_offset == kNoOffset) return;
          made.pinned_.push_back(u);
          made.placement_.peak = std::max(made.placement_.peak, unit.fixed_offset + unit.size);
        });
    // From the bottom up, which is the cheapest way to fill any structure.
    const auto below = [&](std::int32_t a, std::int32_t b) {
      const std::int64_t offset_a = timeline.units()[a].fixed_offset;
      const std::int64_t offset_b = timeline.units()[b].fixed_offset;
      return offset_a != offset_b ? offset_a < offset_b : a < b;
    };
    if (!copied || !SortWithin(budget, made.pinned_, below)) return std::nullopt;
    return made;
  }

  // The pinned units, by offset.
  [[nodiscard]] const std::vector<std::int32_t>& pinned() const { return pinned_; }

  // Adds the pinned units to `occupancy`. False: `budget` stopped.
  bool PlacePinned(Occupancy& occupancy, Budget& budget) const {
    for (const std::int32_t u : pinned_) {
      const Unit& unit = timeline_->units()[u];
      occupancy.Place(unit, unit.fixed_offset, budget);
      if (budget.Spend(16)) return false;
    }
    return true;
  }

  // REQUIRES: offset + size fits in 64 bits.
  void Set(std::int32_t u, std::int64_t offset) {
    placement_.offsets[u - unit_begin_] = offset;
    placement_.peak = std::max(placement_.peak, offset + timeline_->units()[u].size);
  }

  [[nodiscard]] PartitionPlacement Take() { return std::move(placement_); }

 private:
  Placing(const Timeline& timeline, const Partition& partition)
      : timeline_(&timeline), unit_begin_(partition.unit_begin) {}

  const Timeline* timeline_;
  std::int32_t unit_begin_;
  std::vector<std::int32_t> pinned_;
  PartitionPlacement placement_;
};

}  // namespace telamalloc

#endif  // TELAMALLOC_SEARCH_PLACING_H_

// A placement of one partition in the making: pins first.
#ifndef TELAMALLOC_SEARCH_PLACING_H_
#define TELAMALLOC_SEARCH_PLACING_H_

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "search/strategy.h"
#include "timeline/timeline.h"

namespace telamalloc {

class Placing {
 public:
  // Pinned units are where they must be, all others nowhere.
  Placing(const Timeline& timeline, const Partition& partition)
      : timeline_(&timeline), unit_begin_(partition.unit_begin) {
    placement_.offsets.reserve(partition.unit_end - partition.unit_begin);
    for (std::int32_t u = partition.unit_begin; u < partition.unit_end; ++u) {
      const Unit& unit = timeline.units()[u];
      placement_.offsets.push_back(unit.fixed_offset);
      if (unit.fixed_offset == kNoOffset) continue;
      pinned_.push_back(u);
      placement_.peak = std::max(placement_.peak, unit.fixed_offset + unit.size);
    }
    // From the bottom up, which is the cheapest way to fill any structure.
    std::ranges::sort(pinned_, {},
                      [&](std::int32_t u) { return std::pair(timeline.units()[u].fixed_offset, u); });
  }

  // By offset.
  [[nodiscard]] const std::vector<std::int32_t>& pinned() const { return pinned_; }

  // REQUIRES: offset + size fits in 64 bits.
  void Set(std::int32_t u, std::int64_t offset) {
    placement_.offsets[u - unit_begin_] = offset;
    placement_.peak = std::max(placement_.peak, offset + timeline_->units()[u].size);
  }

  [[nodiscard]] PartitionPlacement Take() { return std::move(placement_); }

 private:
  const Timeline* timeline_;
  std::int32_t unit_begin_;
  std::vector<std::int32_t> pinned_;
  PartitionPlacement placement_;
};

}  // namespace telamalloc

#endif  // TELAMALLOC_SEARCH_PLACING_H_

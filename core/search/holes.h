// The free addresses at one moment.
#ifndef TELAMALLOC_SEARCH_HOLES_H_
#define TELAMALLOC_SEARCH_HOLES_H_

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "search/interval_set.h"

namespace telamalloc {

// Invariant: maximal, disjoint, by address; the last one reaches to the end of 64 bits.
class Holes {
 public:
  [[nodiscard]] std::span<const Interval> holes() const { return holes_; }

  // REQUIRES: [bottom, top) is free, bottom < top.
  void Take(std::int64_t bottom, std::int64_t top) {
    const auto hole = std::ranges::upper_bound(holes_, bottom, {}, &Interval::bottom) - 1;
    const Interval below = {hole->bottom, bottom};
    const Interval above = {top, hole->top};
    if (below.bottom == below.top) {
      if (above.bottom == above.top) {
        holes_.erase(hole);
      } else {
        *hole = above;
      }
    } else {
      *hole = below;
      if (above.bottom != above.top) holes_.insert(hole + 1, above);
    }
  }

  // REQUIRES: [bottom, top) is taken, bottom < top.
  void Release(std::int64_t bottom, std::int64_t top) {
    const auto above = std::ranges::upper_bound(holes_, bottom, {}, &Interval::bottom);
    const bool joins_above = above != holes_.end() && above->bottom == top;
    const bool joins_below = above != holes_.begin() && (above - 1)->top == bottom;
    if (joins_below) {
      (above - 1)->top = joins_above ? above->top : top;
      if (joins_above) holes_.erase(above);
    } else if (joins_above) {
      above->bottom = bottom;
    } else {
      holes_.insert(above, {bottom, top});
    }
  }

 private:
  std::vector<Interval> holes_ = {{0, std::numeric_limits<std::int64_t>::max()}};
};

}  // namespace telamalloc

#endif  // TELAMALLOC_SEARCH_HOLES_H_

// The free addresses at one moment.
//
// Few holes lie in a vector that is scanned; once they are many, in two search trees, by address and by size.
// The former costs a few nanoseconds for the usual dozen, the latter stays logarithmic for any number.
#ifndef TELAMALLOC_SEARCH_HOLES_H_
#define TELAMALLOC_SEARCH_HOLES_H_

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "absl/container/btree_map.h"
#include "absl/container/btree_set.h"
#include "search/interval_set.h"
#include "timeline/timeline.h"

namespace telamalloc {

// Invariants: 1. Holes are maximal and disjoint; the last one reaches to the end of 64 bits.
//             2. Both orders hold the same holes.
class ManyHoles {
 public:
  explicit ManyHoles(const std::vector<Interval>& holes) {
    for (const Interval& hole : holes) Add(hole.bottom, hole.top);
  }

  // REQUIRES: [bottom, top) is free, bottom < top.
  void Take(std::int64_t bottom, std::int64_t top) {
    const auto hole = std::prev(tops_.upper_bound(bottom));
    const std::int64_t hole_bottom = hole->first;
    const std::int64_t hole_top = hole->second;
    by_size_.erase({hole_top - hole_bottom, hole_bottom});
    if (hole_bottom < bottom) {
      hole->second = bottom;
      by_size_.emplace(bottom - hole_bottom, hole_bottom);
    } else {
      tops_.erase(hole);
    }
    if (top < hole_top) Add(top, hole_top);
  }

  // REQUIRES: [bottom, top) is taken, bottom < top.
  void Release(std::int64_t bottom, std::int64_t top) {
    auto above = tops_.lower_bound(bottom);
    if (above != tops_.end() && above->first == top) {
      top = above->second;
      by_size_.erase({top - above->first, above->first});
      above = tops_.erase(above);
    }
    if (above != tops_.begin()) {
      const auto below = std::prev(above);
      if (below->second == bottom) {
        by_size_.erase({below->second - below->first, below->first});
        below->second = top;
        by_size_.emplace(top - below->first, below->first);
        return;
      }
    }
    Add(bottom, top);
  }

  template <typename Accept>
  [[nodiscard]] std::int64_t Smallest(std::int64_t size, Accept accept) const {
    for (auto hole = by_size_.lower_bound({size, 0}); hole != by_size_.end(); ++hole) {
      const std::int64_t offset = accept(Interval{hole->second, hole->second + hole->first});
      if (offset != kNoOffset) return offset;
    }
    return kNoOffset;
  }

 private:
  void Add(std::int64_t bottom, std::int64_t top) {
    tops_.emplace(bottom, top);
    by_size_.emplace(top - bottom, bottom);
  }

  absl::btree_map<std::int64_t, std::int64_t> tops_;                // of each hole, by its bottom
  absl::btree_set<std::pair<std::int64_t, std::int64_t>> by_size_;  // (size, bottom)
};

// The same in a vector by address.
class FewHoles {
 public:
  [[nodiscard]] const std::vector<Interval>& holes() const { return holes_; }

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

  template <typename Accept>
  [[nodiscard]] std::int64_t Smallest(std::int64_t size, Accept accept) const {
    std::int64_t best = kNoOffset;
    std::int64_t best_size = std::numeric_limits<std::int64_t>::max();
    for (const Interval& hole : holes_) {
      const std::int64_t hole_size = hole.top - hole.bottom;
      if (hole_size < size || (hole_size >= best_size && best != kNoOffset)) continue;
      const std::int64_t offset = accept(hole);
      if (offset == kNoOffset) continue;
      best = offset;
      best_size = hole_size;
    }
    return best;
  }

 private:
  std::vector<Interval> holes_ = {{0, std::numeric_limits<std::int64_t>::max()}};
};

class Holes {
 public:
  // REQUIRES: [bottom, top) is free, bottom < top.
  void Take(std::int64_t bottom, std::int64_t top) {
    if (many_) return many_->Take(bottom, top);
    few_.Take(bottom, top);
    Grow();
  }

  // REQUIRES: [bottom, top) is taken, bottom < top.
  void Release(std::int64_t bottom, std::int64_t top) {
    if (many_) return many_->Release(bottom, top);
    few_.Release(bottom, top);
    Grow();
  }

  // accept(hole) is an offset in it or kNoOffset. That of the smallest hole of at least `size` that accepts,
  // the lowest of them among equals; kNoOffset if none does.
  template <typename Accept>
  [[nodiscard]] std::int64_t Smallest(std::int64_t size, Accept accept) const {
    return many_ ? many_->Smallest(size, accept) : few_.Smallest(size, accept);
  }

 private:
  static constexpr std::size_t kFew = 128;

  void Grow() {
    if (few_.holes().size() > kFew) many_.emplace(few_.holes());
  }

  FewHoles few_;
  std::optional<ManyHoles> many_;  // set: there have been many
};

}  // namespace telamalloc

#endif  // TELAMALLOC_SEARCH_HOLES_H_

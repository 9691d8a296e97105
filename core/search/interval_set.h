// A set of addresses as its maximal intervals, by address; touching intervals are merged.
#ifndef TELAMALLOC_SEARCH_INTERVAL_SET_H_
#define TELAMALLOC_SEARCH_INTERVAL_SET_H_

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace telamalloc {

// [bottom, top), bottom < top.
struct Interval {
  std::int64_t bottom = 0;
  std::int64_t top = 0;
};

class IntervalSet {
 public:
  [[nodiscard]] std::span<const Interval> intervals() const { return intervals_; }

  // Adds [bottom, top), which may overlap what is there.
  // Cost: logarithmic in the intervals, and linear in those above unless one of the neighbours absorbs it.
  void Add(std::int64_t bottom, std::int64_t top) {
    if (intervals_.empty() || intervals_.back().top < bottom) {
      intervals_.push_back({bottom, top});
      return;
    }
    // [first, last): what [bottom, top) overlaps or touches.
    const auto first = std::ranges::lower_bound(intervals_, bottom, {}, &Interval::top);
    if (first->bottom > top) {
      intervals_.insert(first, {bottom, top});
      return;
    }
    auto last = first + 1;
    while (last != intervals_.end() && last->bottom <= top) ++last;
    first->bottom = std::min(first->bottom, bottom);
    first->top = std::max((last - 1)->top, top);
    if (last - first > 1) intervals_.erase(first + 1, last);
  }

 private:
  std::vector<Interval> intervals_;
};

}  // namespace telamalloc

#endif  // TELAMALLOC_SEARCH_INTERVAL_SET_H_

// A sweep over time. Between two events the covered bytes are a sorted list of maximal intervals; an interval
// that is still in the list after the events at a tick goes on, one that is not becomes a rectangle there.
//
//   bytes                          members:  a = [0,4) x [0,2)   b = [2,6) x [0,3)
//     3 |    +-------+
//     2 +----+ . . . |             until tick 2 the list is {[0,2)}, then {[0,3)}:
//     1 | a  | a b   |             rectangles [0,2) x [0,2) and [2,6) x [0,3)
//       +----+-------+--> ticks
//       0    2   4   6
//
// Counting a and b one by one would count the bytes they share twice: a wrong bound, and so a wrong
// "infeasible".
#include "timeline/group_shape.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "timeline/within.h"

namespace telamalloc {
namespace {

struct Event {
  std::int64_t tick = 0;
  bool starts = false;
  std::size_t rect = 0;
};

// An interval of the list, covered since `start`.
struct Covered {
  std::int64_t lower = 0;
  std::int64_t upper = 0;
  std::int64_t start = 0;
};

// The live rectangles: upper ends by lower end.
class LiveBytes {
 public:
  void Apply(const Event& event, const TickRect& rect) {
    if (event.starts) {
      uppers_[rect.lower].insert(rect.upper);
      return;
    }
    const auto at = uppers_.find(rect.lower);
    at->second.erase(at->second.find(rect.upper));
    if (at->second.empty()) uppers_.erase(at);
  }

  // The maximal intervals, in order.
  [[nodiscard]] std::vector<Covered> Intervals(std::int64_t tick) const {
    std::vector<Covered> intervals;
    for (const auto& [lower, uppers] : uppers_) {
      const std::int64_t upper = *uppers.rbegin();
      if (intervals.empty() || lower > intervals.back().upper) {
        intervals.push_back({.lower = lower, .upper = upper, .start = tick});
      } else {
        intervals.back().upper = std::max(intervals.back().upper, upper);
      }
    }
    return intervals;
  }

  [[nodiscard]] std::int64_t distinct_lowers() const { return static_cast<std::int64_t>(uppers_.size()); }

 private:
  std::map<std::int64_t, std::multiset<std::int64_t>> uppers_;
};

// Emits those of `before` that are not in `after`; the others keep their start.
void CloseIntervals(const std::vector<Covered>& before, std::vector<Covered>& after, std::int64_t tick,
                    std::vector<TickRect>& out) {
  auto next = after.begin();
  for (const Covered& interval : before) {
    while (next != after.end() && next->lower < interval.lower) ++next;
    if (next != after.end() && next->lower == interval.lower && next->upper == interval.upper) {
      next->start = interval.start;
    } else {
      out.push_back({.start = interval.start, .end = tick, .lower = interval.lower, .upper = interval.upper});
    }
  }
}

}  // namespace

Unite UniteRects(std::span<const TickRect> rects, std::size_t limit, std::vector<TickRect>& out,
                 Budget& budget) {
  std::vector<Event> events;
  for (std::size_t r = 0; r < rects.size(); ++r) {
    if (budget.Spend(10)) return Unite::kStopped;
    if (rects[r].lower == rects[r].upper) continue;
    events.push_back({.tick = rects[r].start, .starts = true, .rect = r});
    events.push_back({.tick = rects[r].end, .starts = false, .rect = r});
  }
  if (!SortWithin(budget, events, [](const Event& a, const Event& b) { return a.tick < b.tick; })) {
    return Unite::kStopped;
  }
  std::vector<TickRect> united;
  std::vector<Covered> covered;
  LiveBytes live;
  for (std::size_t e = 0; e < events.size();) {
    const std::int64_t tick = events[e].tick;
    for (; e < events.size() && events[e].tick == tick; ++e) {
      if (budget.Spend(50)) return Unite::kStopped;
      live.Apply(events[e], rects[events[e].rect]);
    }
    if (budget.Spend(10 * live.distinct_lowers())) return Unite::kStopped;
    std::vector<Covered> after = live.Intervals(tick);
    CloseIntervals(covered, after, tick, united);
    covered = std::move(after);
    if (united.size() > limit) return Unite::kTooMany;
  }
  const auto earlier = [](const TickRect& a, const TickRect& b) {
    return std::tie(a.start, a.lower) < std::tie(b.start, b.lower);
  };
  if (!SortWithin(budget, united, earlier)) return Unite::kStopped;
  out.insert(out.end(), united.begin(), united.end());
  return Unite::kDone;
}

}  // namespace telamalloc

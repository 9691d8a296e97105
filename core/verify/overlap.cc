// One sweep over time; the live boxes are kept by address and disjoint, so that a new one need only be
// compared with its neighbours. Ends come before starts at the same tick: lifetimes are half-open.
//
//   address   | live |          new box [3, 7): its neighbour from below ends at 4: they share [3, 4);
//     9 +-----+------+          the one from above starts at 5: they share [5, 7)
//     5 +-----+------+
//     4 +-----+------+
//     0 +-----+------+
//
// A box that overlaps is reported with everything in its way and left out, so that the rest stays disjoint:
// where two boxes overlap, the sweep finds the later of the two or has reported the earlier one.
#include "verify/overlap.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>

#include "absl/container/btree_map.h"

namespace telamalloc::verify {
namespace {

struct Edge {
  std::int64_t tick = 0;
  std::int32_t box = 0;
};

std::vector<Edge> SortedEdges(const std::vector<Box>& boxes, std::int64_t Box::*tick) {
  std::vector<Edge> edges;
  edges.reserve(boxes.size());
  for (std::size_t b = 0; b < boxes.size(); ++b) {
    edges.push_back({.tick = boxes[b].*tick, .box = static_cast<std::int32_t>(b)});
  }
  const auto earlier = [](const Edge& a, const Edge& b) { return a.tick < b.tick; };
  if (!std::ranges::is_sorted(edges, earlier)) std::ranges::sort(edges, earlier);
  return edges;
}

struct Interval {
  std::int64_t upper = 0;
  std::int32_t box = 0;
};

class Sweep {
 public:
  Sweep(const std::vector<Box>& boxes, absl::FunctionRef<bool(const Box&, const Box&)> report)
      : boxes_(boxes), report_(report) {}

  void Run() {
    const std::vector<Edge> starts = SortedEdges(boxes_, &Box::start);
    const std::vector<Edge> ends = SortedEdges(boxes_, &Box::end);
    std::size_t next_end = 0;
    for (std::size_t next_start = 0; next_start < starts.size(); ++next_start) {
      const Edge& start = starts[next_start];
      for (; ends[next_end].tick <= start.tick; ++next_end) {
        Prefetch(ends, next_end);
        Remove(ends[next_end].box);
      }
      Prefetch(starts, next_start);
      if (!Insert(start.box)) return;
    }
  }

 private:
  // The boxes are in another order: asks for one that comes soon, or each access waits for memory.
  void Prefetch(const std::vector<Edge>& edges, std::size_t next) const {
    constexpr std::size_t kAhead = 16;
    if (next + kAhead < edges.size()) __builtin_prefetch(&boxes_[edges[next + kAhead].box]);
  }

  // False: enough was reported.
  bool Insert(std::int32_t b) {
    const Box& box = boxes_[b];
    auto at = live_.lower_bound(box.lower);
    if (at != live_.begin() && std::prev(at)->second.upper > box.lower) --at;
    const bool free = at == live_.end() || at->first >= box.upper;
    if (free) {
      live_.insert(at, {box.lower, {.upper = box.upper, .box = b}});
      return true;
    }
    for (; at != live_.end() && at->first < box.upper; ++at) {
      const Box& other = boxes_[at->second.box];
      if (box.group != kNoGroup && box.group == other.group) continue;
      if (!report_(other, box)) return false;
    }
    return true;
  }

  void Remove(std::int32_t b) {
    const auto at = live_.find(boxes_[b].lower);
    if (at != live_.end() && at->second.box == b) live_.erase(at);
  }

  const std::vector<Box>& boxes_;
  absl::FunctionRef<bool(const Box&, const Box&)> report_;
  absl::btree_map<std::int64_t, Interval> live_;  // by lower address
};

}  // namespace

void FindOverlaps(const std::vector<Box>& boxes, absl::FunctionRef<bool(const Box&, const Box&)> report) {
  Sweep(boxes, report).Run();
}

}  // namespace telamalloc::verify

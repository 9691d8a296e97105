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
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <numeric>

#include "absl/container/btree_map.h"

namespace telamalloc::verify {
namespace {

struct Edge {
  std::int64_t tick = 0;
  std::int32_t box = 0;
};

// Orders `edges` by tick, least significant digit first.
void RadixSort(std::vector<Edge>& edges) {
  constexpr int kDigitBits = 11;
  constexpr std::uint64_t kDigits = std::uint64_t{1} << kDigitBits;
  const auto [earliest, latest] = std::ranges::minmax(edges, {}, &Edge::tick);
  // Counted from the earliest tick, differences never overflow.
  const auto key = [first = static_cast<std::uint64_t>(earliest.tick)](const Edge& edge) {
    return static_cast<std::uint64_t>(edge.tick) - first;
  };
  std::vector<Edge> sorted(edges.size());
  for (int shift = 0; shift < 64 && (key(latest) >> shift) != 0; shift += kDigitBits) {
    const auto digit = [&](const Edge& edge) { return (key(edge) >> shift) & (kDigits - 1); };
    std::array<std::size_t, kDigits> place{};
    for (const Edge& edge : edges) ++place[digit(edge)];
    std::exclusive_scan(place.begin(), place.end(), place.begin(), std::size_t{0});
    for (const Edge& edge : edges) sorted[place[digit(edge)]++] = edge;
    edges.swap(sorted);
  }
}

std::vector<Edge> SortedEdges(const std::vector<Box>& boxes, std::int64_t Box::*tick) {
  constexpr std::size_t kWorthRadix = 4096;
  std::vector<Edge> edges;
  edges.reserve(boxes.size());
  for (std::size_t b = 0; b < boxes.size(); ++b) {
    edges.push_back({.tick = boxes[b].*tick, .box = static_cast<std::int32_t>(b)});
  }
  if (std::ranges::is_sorted(edges, {}, &Edge::tick)) return edges;
  if (edges.size() < kWorthRadix) {
    std::ranges::sort(edges, {}, &Edge::tick);
  } else {
    RadixSort(edges);
  }
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

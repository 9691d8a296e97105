// The union of a group is cut into slabs: at every tick where a member's box starts or ends, all are closed
// and opened anew. Simple, and for members of full height still one box per slab.
//
//     +---+---+            members a = [0,4) x [0,2) and b = [2,6) x [0,3) at address 0:
//     | a |   +---+        slabs [0,2), [2,4), [4,6) of heights 2, 3, 3
//     |   |   | b |
//     +---+---+---+
#include "verify/boxes.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace telamalloc::verify {
namespace {

void AppendBox(const Box& box, Boxes& boxes) {
  if (box.start < box.end && box.lower < box.upper) boxes.push_back(box);
}

struct Edge {
  std::int64_t tick = 0;
  bool starts = false;
  const Box* box = nullptr;
};

// By lower address: upper address and buffer of the live boxes.
using Live = std::map<std::int64_t, std::multiset<std::pair<std::int64_t, std::int32_t>>>;

void Apply(const Edge& edge, Live& live) {
  const std::pair<std::int64_t, std::int32_t> entry(edge.box->upper, edge.box->buffer);
  if (edge.starts) {
    live[edge.box->lower].insert(entry);
    return;
  }
  const auto at = live.find(edge.box->lower);
  at->second.erase(at->second.find(entry));
  if (at->second.empty()) live.erase(at);
}

void AppendSlab(const Live& live, Box slab, Boxes& boxes) {
  std::int64_t covered = 0;  // up to here; meaningless in the first round
  bool first = true;
  for (const auto& [lower, entries] : live) {
    std::tie(slab.upper, slab.buffer) = *entries.rbegin();
    slab.lower = first ? lower : std::max(lower, covered);
    AppendBox(slab, boxes);
    covered = first ? slab.upper : std::max(covered, slab.upper);
    first = false;
  }
}

}  // namespace

void AppendBoxesBetweenGaps(const Buffer& buffer, std::int64_t offset, Owner owner, Boxes& boxes) {
  Box stamp{.start = buffer.start,
            .end = buffer.end,
            .lower = offset,
            .upper = offset + buffer.size,
            .buffer = owner.buffer,
            .group = owner.group};
  std::vector<Gap> gaps = buffer.gaps;
  std::ranges::sort(gaps, {}, &Gap::start);
  for (const Gap& gap : gaps) {
    Box before = stamp;
    before.end = std::min(gap.start, buffer.end);
    AppendBox(before, boxes);
    if (gap.window) {
      Box window = stamp;
      window.start = std::max(gap.start, stamp.start);
      window.end = std::min(gap.end, buffer.end);
      window.lower = offset + std::clamp<std::int64_t>(gap.window->lower, 0, buffer.size);
      window.upper = offset + std::clamp<std::int64_t>(gap.window->upper, 0, buffer.size);
      AppendBox(window, boxes);
    }
    stamp.start = std::max(stamp.start, gap.end);
  }
  AppendBox(stamp, boxes);
}

void AppendUnion(std::span<const Box> members, Boxes& boxes) {
  std::vector<Edge> edges;
  edges.reserve(2 * members.size());
  for (const Box& box : members) {
    edges.push_back({.tick = box.start, .starts = true, .box = &box});
    edges.push_back({.tick = box.end, .starts = false, .box = &box});
  }
  std::ranges::sort(edges, {}, &Edge::tick);
  Live live;
  for (std::size_t e = 0; e < edges.size();) {
    const std::int64_t tick = edges[e].tick;
    for (; e < edges.size() && edges[e].tick == tick; ++e) Apply(edges[e], live);
    if (e == edges.size()) break;
    AppendSlab(live, {.start = tick, .end = edges[e].tick, .group = members.front().group}, boxes);
  }
}

}  // namespace telamalloc::verify

// Best fit, as TensorFlow's BFC allocator: online, in the order of time.
#ifndef TELAMALLOC_SEARCH_BEST_FIT_H_
#define TELAMALLOC_SEARCH_BEST_FIT_H_

#include <optional>

#include "search/strategy.h"

namespace telamalloc {

// As `Heuristic`. Units in the order of their start, each into the smallest hole between live pieces that
// takes it, on top of all if none does.
//
// Pins and the later pieces of units with gaps are known before they are live, and a hole that one of them
// would close too early does not count. A unit of several pieces goes to the lowest gap instead: its holes at
// different times have no common size.
// Cost: O(n log n) without pins and gaps; with them, as far as units meet them.
// Source: the paper's first baseline.
std::optional<PartitionPlacement> PlaceBestFit(const Timeline& timeline, const Partition& partition,
                                               Budget& budget);

}  // namespace telamalloc

#endif  // TELAMALLOC_SEARCH_BEST_FIT_H_

// Offset hints: honoured where it costs nothing.
#ifndef TELAMALLOC_SEARCH_HINTS_H_
#define TELAMALLOC_SEARCH_HINTS_H_

#include <cstdint>
#include <span>

#include "timeline/budget.h"
#include "timeline/timeline.h"

namespace telamalloc {

// Moves units of a finished placement to their hints, in the order of the timeline: each to which the hint is
// aligned, free of all others as they lie then, and hint + size <= limit. The placement stays valid, whenever
// `budget` stops it. It stops by itself after a fixed amount of work per unit, on average; then the last
// hints are not looked at.
//
// unit_offsets[u] belongs to timeline.units()[u]. REQUIRES: they are a valid placement.
// Cost: O(n) without hints, O(n log n) else.
void HonourHints(const Timeline& timeline, std::span<std::int64_t> unit_offsets, std::int64_t limit,
                 Budget& budget);

}  // namespace telamalloc

#endif  // TELAMALLOC_SEARCH_HINTS_H_

// An order of units that does not depend on the order of rows.
#ifndef TELAMALLOC_TIMELINE_CANONICAL_ORDER_H_
#define TELAMALLOC_TIMELINE_CANONICAL_ORDER_H_

#include <cstddef>
#include <cstdint>
#include <optional>

#include "memory/large_pages.h"
#include "timeline/budget.h"
#include "timeline/draft.h"

namespace telamalloc {

// A unit of the draft in its new place.
struct OrderedUnit {
  std::int64_t size = 0;
  std::int32_t section_begin = 0;
  std::int32_t section_end = 0;
  std::int32_t draft_unit = 0;        // position in Draft::units
  std::int32_t details = kNoDetails;  // as DraftUnit::details
};

// The units of `draft`, which is in sections, in the order that Timeline::units() documents; units alike in
// everything stay in their order. Empty: `budget` stopped.
// REQUIRES: each section_end in `draft` is at most `ticks`.
// Cost: linear where they are in that order already; else a counting sort by first section, then O(n log n)
//   within each.
std::optional<LargeVector<OrderedUnit>> OrderUnits(const Draft& draft, std::size_t ticks, Budget& budget);

}  // namespace telamalloc

#endif  // TELAMALLOC_TIMELINE_CANONICAL_ORDER_H_

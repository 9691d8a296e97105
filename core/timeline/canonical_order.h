// An order of units that does not depend on the order of rows.
#ifndef TELAMALLOC_TIMELINE_CANONICAL_ORDER_H_
#define TELAMALLOC_TIMELINE_CANONICAL_ORDER_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "timeline/budget.h"
#include "timeline/draft.h"

namespace telamalloc {

// Positions in draft.units, whose hulls are set and whose rectangles are in sections, in the order that
// Timeline::units() documents; units alike in everything stay in their order. Empty: `budget` stopped. Cost:
// a counting sort by first section, then O(n log n) within each.
std::optional<std::vector<std::int32_t>> CanonicalOrder(const Draft& draft, Budget& budget);

}  // namespace telamalloc

#endif  // TELAMALLOC_TIMELINE_CANONICAL_ORDER_H_

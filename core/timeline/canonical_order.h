// An order of units that does not depend on the order of rows.
#ifndef TELAMALLOC_TIMELINE_CANONICAL_ORDER_H_
#define TELAMALLOC_TIMELINE_CANONICAL_ORDER_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "timeline/budget.h"
#include "timeline/draft.h"

namespace telamalloc {

// A unit of the draft in its new place.
struct OrderedUnit {
  std::int64_t size = 0;
  std::int32_t section_end = 0;
  std::int32_t tag = 0;

  // Position in Draft::units.
  [[nodiscard]] std::int32_t draft_unit() const { return tag / 2; }
  // Size and hull say all there is to say: one piece of full height, no alignment, pin or hint.
  [[nodiscard]] bool plain() const { return tag % 2 == 0; }
};

struct CanonicalOrder {
  std::vector<OrderedUnit> units;
  // Units that begin in section s end at section_ends[s]; as many as any unit begins in.
  std::vector<std::int32_t> section_ends;
};

// The units of `draft`, whose hulls are set and whose rectangles are in sections, in the order that
// Timeline::units() documents; units alike in everything stay in their order. Empty: `budget` stopped.
// Cost: a counting sort by first section, then O(n log n) within each.
std::optional<CanonicalOrder> OrderUnits(const Draft& draft, Budget& budget);

}  // namespace telamalloc

#endif  // TELAMALLOC_TIMELINE_CANONICAL_ORDER_H_

// From ticks to sections.
#ifndef TELAMALLOC_TIMELINE_SECTION_RANKS_H_
#define TELAMALLOC_TIMELINE_SECTION_RANKS_H_

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "timeline/budget.h"
#include "timeline/draft.h"

namespace telamalloc {

// Every start and end of `rects` once, ascending. In `rects` each start and end is replaced by its position
// there: it then tells a section. Empty: `budget` stopped; `rects` is then unspecified.
//
// REQUIRES: at most 2^30 rectangles.
// Cost: linear where the ticks lie close together, else that of a radix sort.
std::optional<std::vector<std::int64_t>> RankSections(std::span<TickRect> rects, Budget& budget);

}  // namespace telamalloc

#endif  // TELAMALLOC_TIMELINE_SECTION_RANKS_H_

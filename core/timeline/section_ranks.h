// From ticks to sections.
#ifndef TELAMALLOC_TIMELINE_SECTION_RANKS_H_
#define TELAMALLOC_TIMELINE_SECTION_RANKS_H_

#include <cstdint>
#include <optional>

#include "memory/large_pages.h"
#include "timeline/budget.h"
#include "timeline/draft.h"

namespace telamalloc {

// Every start and end in `draft` once, ascending. There each start and end is replaced by its position: it
// then tells a section. Empty: `budget` stopped; the draft is then unspecified.
//
// REQUIRES: at most 2^30 units and rectangles.
// Cost: linear where the ticks lie close together, else that of a radix sort.
std::optional<LargeVector<std::int64_t>> RankSections(Draft& draft, Budget& budget);

}  // namespace telamalloc

#endif  // TELAMALLOC_TIMELINE_SECTION_RANKS_H_

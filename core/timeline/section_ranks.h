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

struct SectionSpan {
  std::int32_t begin = 0;
  std::int32_t end = 0;
};

struct SectionRanks {
  std::vector<std::int64_t> ticks;  // every start and end once, ascending
  std::vector<SectionSpan> spans;   // of each rectangle: ticks[begin] is its start, ticks[end] its end
};

// Empty: `budget` stopped. REQUIRES: at most 2^30 rectangles.
// Cost: linear where the ticks lie close together, else that of a radix sort.
std::optional<SectionRanks> RankSections(std::span<const TickRect> rects, Budget& budget);

}  // namespace telamalloc

#endif  // TELAMALLOC_TIMELINE_SECTION_RANKS_H_

// The union of rectangles that may overlap, as rectangles that do not.
#ifndef TELAMALLOC_TIMELINE_GROUP_SHAPE_H_
#define TELAMALLOC_TIMELINE_GROUP_SHAPE_H_

#include <cstddef>
#include <span>
#include <vector>

#include "timeline/budget.h"
#include "timeline/draft.h"

namespace telamalloc {

enum class Unite { kDone, kTooMany, kStopped };

// Appends to `out` disjoint rectangles that cover exactly what `rects` cover, ordered by (start, lower),
// where none follows another of the same bytes without a break. Rectangles without bytes are ignored.
// kTooMany: there are more than `limit` of them; `out` is then unspecified.
// Cost: O(n (log n + w)), w = distinct lower ends live at once: 1 unless gaps keep windows.
Unite UniteRects(std::span<const TickRect> rects, std::size_t limit, std::vector<TickRect>& out,
                 Budget& budget);

}  // namespace telamalloc

#endif  // TELAMALLOC_TIMELINE_GROUP_SHAPE_H_

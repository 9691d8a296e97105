// Units and their rectangles while times are still ticks.
#ifndef TELAMALLOC_TIMELINE_DRAFT_H_
#define TELAMALLOC_TIMELINE_DRAFT_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "telamalloc/problem.h"
#include "timeline/budget.h"
#include "timeline/timeline.h"

namespace telamalloc {

// Ticks [start, end) x bytes [lower, upper) from the unit's offset. Without bytes (lower == upper) it only
// stands for the lifetime of a unit whose gaps leave nothing of it.
struct TickRect {
  std::int64_t start = 0;
  std::int64_t end = 0;
  std::int64_t lower = 0;
  std::int64_t upper = 0;
  friend bool operator==(const TickRect&, const TickRect&) = default;
};

struct Draft {
  // Buffers, then groups, each by first row; sections are not set yet. rects[piece_begin, piece_end) belong
  // to a unit: disjoint, ordered by (start, lower), at least one, and none follows another of the same bytes
  // without a break.
  std::vector<Unit> units;
  std::vector<TickRect> rects;
  // As Timeline::unit_of_buffer, in units of this draft.
  std::vector<std::int32_t> unit_of_buffer;
};

// Errors: kInvalidArgument if the members of a colocation group cannot share an offset; kOutOfRange if
//   their common alignment or pinned top does not fit in 64 bits, or gaps make a group too ragged;
//   kCancelled if `budget` stopped.
// REQUIRES: ValidateBuffers accepts `problem`.
// Cost: O(n log n).
absl::StatusOr<Draft> DraftUnits(const Problem& problem, Budget& budget);

}  // namespace telamalloc

#endif  // TELAMALLOC_TIMELINE_DRAFT_H_

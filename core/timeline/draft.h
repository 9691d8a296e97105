// Units and their rectangles while times are still ticks.
#ifndef TELAMALLOC_TIMELINE_DRAFT_H_
#define TELAMALLOC_TIMELINE_DRAFT_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "memory/large_pages.h"
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

// What most units do not have.
struct UnitDetails {
  std::int64_t alignment = 1;
  std::int64_t fixed_offset = kNoOffset;
  std::int64_t offset_hint = kNoOffset;
  // Draft::rects[rect_begin, rect_end): disjoint, ordered by (start, lower), and none follows another of the
  // same bytes without a break. Empty: one rectangle, of full height for the whole lifetime.
  std::int32_t rect_begin = 0;
  std::int32_t rect_end = 0;
};

// Stands for "plain" in DraftUnit::details: defaults in all of UnitDetails.
inline constexpr std::int32_t kNoDetails = -1;

struct DraftUnit {
  std::int64_t start = 0;  // lifetime, of a group from the first start to the last end
  std::int64_t end = 0;
  std::int64_t size = 0;
  std::int32_t details = kNoDetails;  // position in Draft::details
};

struct Draft {
  LargeVector<DraftUnit> units;  // buffers, then groups, each by first row
  std::vector<UnitDetails> details;
  std::vector<TickRect> rects;
  // As Timeline::unit_of_buffer, in units of this draft.
  LargeVector<std::int32_t> unit_of_buffer;
};

// Errors: kInvalidArgument if the members of a colocation group cannot share an offset; kOutOfRange if
//   their common alignment or pinned top does not fit in 64 bits, or gaps make a group too ragged;
//   kCancelled if `budget` stopped.
// REQUIRES: ValidateBuffers accepts `problem`.
// Cost: O(n log n).
absl::StatusOr<Draft> DraftUnits(const Problem& problem, Budget& budget);

}  // namespace telamalloc

#endif  // TELAMALLOC_TIMELINE_DRAFT_H_

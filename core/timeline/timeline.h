// What lives when: the problem in the form that every engine reads.
//
// Units are what one offset places: a buffer, or a colocation group. A unit's pieces are the rectangles
// (sections x bytes from its offset) that it occupies; most units have one piece of full height. Buffers of
// size 0 occupy nothing and are not units.
//
// Built once, immutable. All index types are int32 (buffers + 2 * gaps < 2^30; more are refused).
#ifndef TELAMALLOC_TIMELINE_TIMELINE_H_
#define TELAMALLOC_TIMELINE_TIMELINE_H_

#include <cstdint>
#include <span>

#include "absl/status/statusor.h"
#include "memory/large_pages.h"
#include "telamalloc/problem.h"
#include "timeline/budget.h"

namespace telamalloc {

// Stands for "no offset" in Unit::fixed_offset and Unit::offset_hint.
inline constexpr std::int64_t kNoOffset = -1;
// Stands for "no unit" in Timeline::unit_of_buffer.
inline constexpr std::int32_t kNoUnit = -1;

struct Unit {
  // Hull of the pieces: sections [section_begin, section_end).
  std::int32_t section_begin = 0;
  std::int32_t section_end = 0;
  // pieces()[piece_begin, piece_end), ordered by (section_begin, lower). Disjoint rectangles.
  // Empty if gaps cover the whole lifetime; the hull is then the lifetime's sections.
  std::int32_t piece_begin = 0;
  std::int32_t piece_end = 0;
  std::int64_t size = 0;       // > 0; the largest member of a group
  std::int64_t alignment = 1;  // least common multiple of the members'
  std::int64_t fixed_offset = kNoOffset;
  std::int64_t offset_hint = kNoOffset;
};

struct Piece {
  std::int32_t unit = 0;
  std::int32_t section_begin = 0;  // [section_begin, section_end)
  std::int32_t section_end = 0;
  std::int64_t lower = 0;  // [lower, upper) bytes from the unit's offset
  std::int64_t upper = 0;
};

// Units [unit_begin, unit_end) live in sections [section_begin, section_end) and nothing else does: no unit
// crosses its borders, so it can be solved alone.
struct Partition {
  std::int32_t unit_begin = 0;
  std::int32_t unit_end = 0;
  std::int32_t section_begin = 0;
  std::int32_t section_end = 0;
  // No placement of these units has a smaller peak: max of contention, sizes, pinned tops.
  std::int64_t lower_bound = 0;
};

class Timeline {
 public:
  // Validates `problem` (the only place that does) and builds its timeline.
  //
  // Errors: kInvalidArgument with every broken rule (InvalidProblem); kOutOfRange if offset + size or a sum
  // of
  //   live sizes does not fit in 64 bits; kCancelled if `budget` stopped.
  // Cost: O(n log n).
  static absl::StatusOr<Timeline> Build(const Problem& problem, Budget& budget);

  // Ordered by (section_begin, section_end, size, alignment, fixed_offset, hint, pieces): an order that does
  // not depend on the order of rows, but for units that are alike in all of these.
  [[nodiscard]] std::span<const Unit> units() const { return units_; }
  [[nodiscard]] std::span<const Piece> pieces() const { return pieces_; }
  [[nodiscard]] std::span<const Piece> pieces_of(const Unit& unit) const {
    return std::span(pieces_).subspan(unit.piece_begin, unit.piece_end - unit.piece_begin);
  }

  // Section s covers ticks [section_ticks()[s], section_ticks()[s + 1]); one more tick than sections.
  // Consecutive sections have different live sets; sections with nothing live exist between partitions.
  [[nodiscard]] std::span<const std::int64_t> section_ticks() const { return section_ticks_; }
  // Sum of live bytes per section.
  [[nodiscard]] std::span<const std::int64_t> contention() const { return contention_; }

  // In order of time; every unit is in exactly one.
  [[nodiscard]] std::span<const Partition> partitions() const { return partitions_; }

  // Unit of each buffer; kNoUnit for size 0, unless it shares the offset of a group that is a unit.
  [[nodiscard]] std::span<const std::int32_t> unit_of_buffer() const { return unit_of_buffer_; }

  // Max over the partitions' lower bounds; 0 without units.
  [[nodiscard]] std::int64_t lower_bound() const { return lower_bound_; }

 private:
  friend class TimelineBuilder;
  Timeline() = default;

  LargeVector<Unit> units_;
  LargeVector<Piece> pieces_;
  LargeVector<std::int64_t> section_ticks_;
  LargeVector<std::int64_t> contention_;
  LargeVector<Partition> partitions_;
  LargeVector<std::int32_t> unit_of_buffer_;
  std::int64_t lower_bound_ = 0;
};

}  // namespace telamalloc

#endif  // TELAMALLOC_TIMELINE_TIMELINE_H_

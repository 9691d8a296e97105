// What heuristics rank units by. No product or sum here wraps.
#ifndef TELAMALLOC_SEARCH_UNIT_MEASURES_H_
#define TELAMALLOC_SEARCH_UNIT_MEASURES_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/numeric/int128.h"
#include "timeline/budget.h"
#include "timeline/timeline.h"

namespace telamalloc {

// Ticks from the first to the last, gaps included.
inline std::uint64_t LifetimeOf(const Timeline& timeline, const Unit& unit) {
  const auto ticks = timeline.section_ticks();
  return static_cast<std::uint64_t>(ticks[unit.section_end]) -
         static_cast<std::uint64_t>(ticks[unit.section_begin]);
}

// Bytes x ticks that the unit's pieces hold: disjoint rectangles below 2^63 x 2^64.
inline absl::uint128 AreaOf(const Timeline& timeline, const Unit& unit) {
  const auto ticks = timeline.section_ticks();
  absl::uint128 area = 0;
  for (const Piece& piece : timeline.pieces_of(unit)) {
    const auto live = static_cast<std::uint64_t>(ticks[piece.section_end]) -
                      static_cast<std::uint64_t>(ticks[piece.section_begin]);
    area += absl::uint128(live) * static_cast<std::uint64_t>(piece.upper - piece.lower);
  }
  return area;
}

// The section of highest contention among those in which a unit holds bytes.
class BusiestSection {
 public:
  // Empty: `budget` stopped. Cost: linear in the sections of `partition`.
  static std::optional<BusiestSection> Make(const Timeline& timeline, const Partition& partition,
                                            Budget& budget);

  // The first of them if several are alike; the unit's first section if it holds bytes in none.
  // Cost: O(log sections) per piece.
  [[nodiscard]] std::int32_t Of(const Unit& unit) const;

 private:
  BusiestSection(const Timeline& timeline, const Partition& partition)
      : timeline_(&timeline),
        section_begin_(partition.section_begin),
        sections_(partition.section_end - partition.section_begin) {}

  [[nodiscard]] std::int32_t Better(std::int32_t a, std::int32_t b) const;

  const Timeline* timeline_;
  std::int32_t section_begin_;
  std::int32_t sections_;
  // The best section below each node of a tree whose leaves, from sections_, are the sections.
  std::vector<std::int32_t> best_;
};

}  // namespace telamalloc

#endif  // TELAMALLOC_SEARCH_UNIT_MEASURES_H_

// One partition in the form that the searches work on: small flat arrays with local indices.
//
// Two reductions that change no answer are made here:
//  1. Only maximal live sets are kept as sections: a section whose live pieces all live in a neighbour too
//     constrains nothing that the neighbour does not.
//  2. Sizes, pins, windows and alignments are divided by their greatest common divisor. In a placement pushed
//     down as far as it goes every offset is a multiple of it, so nothing is lost.
#ifndef TELAMALLOC_SEARCH_INSTANCE_H_
#define TELAMALLOC_SEARCH_INSTANCE_H_

#include <cstdint>
#include <span>
#include <vector>

#include "timeline/timeline.h"

namespace telamalloc {

struct SearchUnit {
  std::int32_t section_begin = 0;  // hull, kept sections [section_begin, section_end); empty without pieces
  std::int32_t section_end = 0;
  std::int32_t piece_begin = 0;
  std::int32_t piece_end = 0;
  std::int64_t size = 0;
  std::int64_t alignment = 1;
  std::int64_t fixed_offset = kNoOffset;
  std::uint64_t lifetime = 0;  // ticks of the hull
  // First unit that is alike in everything that matters to placement; itself if it is the first.
  std::int32_t alike = 0;
};

struct SearchPiece {
  std::int32_t unit = 0;
  std::int32_t section_begin = 0;
  std::int32_t section_end = 0;
  std::int64_t lower = 0;
  std::int64_t upper = 0;
};

struct SearchInstance {
  std::vector<SearchUnit> units;    // units[k] is timeline.units()[partition.unit_begin + k]
  std::vector<SearchPiece> pieces;  // grouped by unit
  // Pieces live in section s: live[live_begin[s], live_begin[s + 1]).
  std::vector<std::int32_t> live_begin;
  std::vector<std::int32_t> live;
  std::vector<std::int64_t> contention;  // per section
  std::int64_t scale = 1;                // real bytes = scale * bytes here
  // Every piece starts at its unit's offset. Only then does placing units by increasing offset, each at its
  // lowest valid position, reach every placement that matters (docs/algorithm.md, "Completeness").
  bool flat_bottoms = true;

  [[nodiscard]] std::int32_t unit_count() const { return static_cast<std::int32_t>(units.size()); }
  [[nodiscard]] std::int32_t section_count() const { return static_cast<std::int32_t>(contention.size()); }
  [[nodiscard]] std::span<const SearchPiece> pieces_of(const SearchUnit& unit) const {
    return std::span(pieces).subspan(unit.piece_begin, unit.piece_end - unit.piece_begin);
  }
  [[nodiscard]] std::span<const std::int32_t> live_in(std::int32_t section) const {
    return std::span(live).subspan(live_begin[section], live_begin[section + 1] - live_begin[section]);
  }
};

// Number of (piece, section) pairs that BuildInstance would store; a caller refuses what is too many.
// Cost: O(pieces + sections).
std::int64_t CountIncidences(const Timeline& timeline, const Partition& partition);

// Cost: O(pieces + sections + incidences).
SearchInstance BuildInstance(const Timeline& timeline, const Partition& partition);

}  // namespace telamalloc

#endif  // TELAMALLOC_SEARCH_INSTANCE_H_

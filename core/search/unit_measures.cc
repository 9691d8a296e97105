#include "search/unit_measures.h"

#include <cstddef>

#include "timeline/within.h"

namespace telamalloc {

std::optional<BusiestSection> BusiestSection::Make(const Timeline& timeline, const Partition& partition,
                                                   Budget& budget) {
  BusiestSection made(timeline, partition);
  const std::int32_t sections = made.sections_;
  auto& best = made.best_;
  if (!AssignWithin(budget, best, std::size_t{2} * sections, 0)) return std::nullopt;
  for (std::int32_t s = 0; s < sections; ++s) best[sections + s] = made.section_begin_ + s;
  const bool done = ForEachWithin(budget, sections - 1, 4, [&](std::size_t k) {
    const std::size_t node = sections - 1 - k;
    best[node] = made.Better(best[2 * node], best[2 * node + 1]);
  });
  if (!done) return std::nullopt;
  return made;
}

std::int32_t BusiestSection::Better(std::int32_t a, std::int32_t b) const {
  const std::int64_t contention_a = timeline_->contention()[a];
  const std::int64_t contention_b = timeline_->contention()[b];
  if (contention_a != contention_b) return contention_a > contention_b ? a : b;
  return a < b ? a : b;
}

std::int32_t BusiestSection::Of(const Unit& unit) const {
  if (unit.piece_begin == unit.piece_end) return unit.section_begin;
  std::int32_t best = timeline_->pieces()[unit.piece_begin].section_begin;
  for (const Piece& piece : timeline_->pieces_of(unit)) {
    std::int32_t left = piece.section_begin - section_begin_ + sections_;
    std::int32_t right = piece.section_end - section_begin_ + sections_;
    for (; left < right; left /= 2, right /= 2) {
      if (left % 2 != 0) best = Better(best, best_[left++]);
      if (right % 2 != 0) best = Better(best, best_[--right]);
    }
  }
  return best;
}

}  // namespace telamalloc

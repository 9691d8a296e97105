#include "search/unit_measures.h"

#include <cstddef>

namespace telamalloc {

BusiestSection::BusiestSection(const Timeline& timeline, const Partition& partition)
    : timeline_(&timeline),
      section_begin_(partition.section_begin),
      sections_(partition.section_end - partition.section_begin),
      best_(std::size_t{2} * sections_) {
  for (std::int32_t s = 0; s < sections_; ++s) best_[sections_ + s] = section_begin_ + s;
  for (std::int32_t node = sections_ - 1; node > 0; --node) {
    best_[node] = Better(best_[2 * node], best_[2 * node + 1]);
  }
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

// A hinted piece meets those that are live when it starts and those that start while it is live. With the
// pieces in the order of their start the latter are a range, and the former are the earlier ones that end
// late enough: a tree of latest ends finds them one by one, and the first that is in the way decides.
#include "search/hints.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace telamalloc {
namespace {

constexpr std::int64_t kStepsPerUnit = 256;

class HintMover {
 public:
  HintMover(const Timeline& timeline, std::span<std::int64_t> unit_offsets)
      : timeline_(&timeline), unit_offsets_(unit_offsets) {
    const auto pieces = timeline.pieces();
    by_start_.resize(pieces.size());
    for (std::size_t p = 0; p < pieces.size(); ++p) by_start_[p] = static_cast<std::int32_t>(p);
    const auto start = [&](std::int32_t p) { return pieces[p].section_begin; };
    if (!std::ranges::is_sorted(by_start_, {}, start)) std::ranges::stable_sort(by_start_, {}, start);
    latest_end_.resize(2 * pieces.size());
    for (std::size_t k = 0; k < pieces.size(); ++k) {
      latest_end_[pieces.size() + k] = pieces[by_start_[k]].section_end;
    }
    for (std::size_t node = pieces.size(); node-- > 1;) {
      latest_end_[node] = std::max(latest_end_[2 * node], latest_end_[2 * node + 1]);
    }
  }

  // Whether no piece of another unit is in the way of `unit` at `offset`.
  [[nodiscard]] bool IsFree(const Unit& unit, std::int64_t offset, std::int64_t& steps) const {
    return std::ranges::all_of(timeline_->pieces_of(unit), [&](const Piece& piece) {
      return IsFree(piece, offset + piece.lower, offset + piece.upper, steps);
    });
  }

 private:
  [[nodiscard]] bool IsFree(const Piece& piece, std::int64_t bottom, std::int64_t top,
                            std::int64_t& steps) const {
    const auto start = [&](std::int32_t p) { return timeline_->pieces()[p].section_begin; };
    const auto begin =
        std::ranges::lower_bound(by_start_, piece.section_begin, {}, start) - by_start_.begin();
    const auto end = std::ranges::lower_bound(by_start_, piece.section_end, {}, start) - by_start_.begin();
    for (auto k = begin; k < end; ++k) {
      ++steps;
      if (Meets(by_start_[k], piece.unit, bottom, top)) return false;
    }
    for (auto k = LastEndingAfter(piece.section_begin, begin); k >= 0;
         k = LastEndingAfter(piece.section_begin, k)) {
      steps += 8;
      if (Meets(by_start_[k], piece.unit, bottom, top)) return false;
    }
    return true;
  }

  [[nodiscard]] bool Meets(std::int32_t p, std::int32_t unit, std::int64_t bottom, std::int64_t top) const {
    const Piece& other = timeline_->pieces()[p];
    if (other.unit == unit) return false;
    const std::int64_t offset = unit_offsets_[other.unit];
    return offset + other.lower < top && bottom < offset + other.upper;
  }

  // The last of the first `count` pieces by start that ends after `section`; -1 if none does.
  [[nodiscard]] std::ptrdiff_t LastEndingAfter(std::int32_t section, std::ptrdiff_t count) const {
    const auto leaves = static_cast<std::ptrdiff_t>(by_start_.size());
    std::ptrdiff_t left = leaves;
    std::ptrdiff_t right = leaves + count;
    std::ptrdiff_t found = 0;
    std::ptrdiff_t last_left = 0;
    // The nodes of [0, count) from the right are those taken on the right going up, then those on the left in
    // reverse; the last one on the left that qualifies is the rightmost of them.
    for (; left < right; left /= 2, right /= 2) {
      if (left % 2 != 0) {
        if (latest_end_[left] > section) last_left = left;
        ++left;
      }
      if (right % 2 != 0 && latest_end_[--right] > section) {
        found = right;
        break;
      }
    }
    if (found == 0) found = last_left;
    if (found == 0) return -1;
    while (found < leaves) found = latest_end_[2 * found + 1] > section ? 2 * found + 1 : 2 * found;
    return found - leaves;
  }

  const Timeline* timeline_;
  std::span<const std::int64_t> unit_offsets_;
  std::vector<std::int32_t> by_start_;    // pieces
  std::vector<std::int32_t> latest_end_;  // tree over by_start_
};

}  // namespace

void HonourHints(const Timeline& timeline, std::span<std::int64_t> unit_offsets, std::int64_t limit,
                 Budget& budget) {
  const auto units = timeline.units();
  const auto wants_to_move = [&](const Unit& unit) {
    const std::int64_t offset = unit_offsets[&unit - units.data()];
    return unit.offset_hint != kNoOffset && unit.fixed_offset == kNoOffset && unit.offset_hint != offset &&
           unit.offset_hint % unit.alignment == 0 && unit.size <= limit &&
           unit.offset_hint <= limit - unit.size;
  };
  if (std::ranges::none_of(units, wants_to_move)) return;
  const HintMover mover(timeline, unit_offsets);
  std::int64_t steps_left = kStepsPerUnit * static_cast<std::int64_t>(units.size());
  for (const Unit& unit : units) {
    if (!wants_to_move(unit)) continue;
    std::int64_t steps = 8;
    if (mover.IsFree(unit, unit.offset_hint, steps)) unit_offsets[&unit - units.data()] = unit.offset_hint;
    steps_left -= steps;
    if (steps_left < 0 || budget.Spend(steps)) return;
  }
}

}  // namespace telamalloc

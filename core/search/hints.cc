// A hinted piece meets those that are live when it starts and those that start while it is live. With the
// pieces in the order of their start the latter are a range, and the former are the earlier ones that end
// late enough: a tree of latest ends finds them one by one, and the first that is in the way decides.
#include "search/hints.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "timeline/within.h"

namespace telamalloc {
namespace {

constexpr std::int64_t kStepsPerUnit = 256;

class HintMover {
 public:
  // Empty: `budget` stopped.
  static std::optional<HintMover> Make(const Timeline& timeline, std::span<const std::int64_t> unit_offsets,
                                       Budget& budget) {
    HintMover made(timeline, unit_offsets);
    return made.Index(budget) ? std::optional(std::move(made)) : std::nullopt;
  }

  // All work is used up.
  [[nodiscard]] bool exhausted() const { return steps_left_ < 0; }

  // Whether no piece of another unit is in the way of `unit` at `offset`. False too if there is no telling
  // before the work is used up.
  bool IsFree(const Unit& unit, std::int64_t offset, Budget& budget) {
    return std::ranges::all_of(timeline_->pieces_of(unit), [&](const Piece& piece) {
      return IsFree(piece, offset + piece.lower, offset + piece.upper, budget);
    });
  }

 private:
  HintMover(const Timeline& timeline, std::span<const std::int64_t> unit_offsets)
      : timeline_(&timeline),
        unit_offsets_(unit_offsets),
        steps_left_(kStepsPerUnit * static_cast<std::int64_t>(unit_offsets.size())) {}

  // False: `budget` stopped.
  bool Index(Budget& budget) {
    const auto pieces = timeline_->pieces();
    const std::size_t count = pieces.size();
    const auto starts_before = [&](std::int32_t a, std::int32_t b) {
      return pieces[a].section_begin != pieces[b].section_begin
                 ? pieces[a].section_begin < pieces[b].section_begin
                 : a < b;
    };
    by_start_.reserve(count);
    const bool listed = ForEachWithin(
        budget, count, 1, [&](std::size_t p) { by_start_.push_back(static_cast<std::int32_t>(p)); });
    if (!listed || !SortWithin(budget, by_start_, starts_before) ||
        !AssignWithin(budget, latest_end_, 2 * count, 0)) {
      return false;
    }
    return ForEachWithin(budget, count, 1,
                         [&](std::size_t k) { latest_end_[count + k] = pieces[by_start_[k]].section_end; }) &&
           ForEachWithin(budget, std::max<std::size_t>(count, 1) - 1, 1, [&](std::size_t k) {
             const std::size_t node = count - 1 - k;
             latest_end_[node] = std::max(latest_end_[2 * node], latest_end_[2 * node + 1]);
           });
  }

  [[nodiscard]] bool IsFree(const Piece& piece, std::int64_t bottom, std::int64_t top, Budget& budget) {
    const auto start = [&](std::int32_t p) { return timeline_->pieces()[p].section_begin; };
    const auto begin =
        std::ranges::lower_bound(by_start_, piece.section_begin, {}, start) - by_start_.begin();
    const auto end = std::ranges::lower_bound(by_start_, piece.section_end, {}, start) - by_start_.begin();
    for (auto k = begin; k < end; ++k) {
      if (Spend(2, budget) || Meets(by_start_[k], piece.unit, bottom, top)) return false;
    }
    for (auto k = LastEndingAfter(piece.section_begin, begin); k >= 0;
         k = LastEndingAfter(piece.section_begin, k)) {
      if (Spend(16, budget) || Meets(by_start_[k], piece.unit, bottom, top)) return false;
    }
    return true;
  }

  bool Spend(std::int64_t steps, Budget& budget) {
    steps_left_ -= steps;
    return steps_left_ < 0 || budget.Spend(steps);
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
  std::int64_t steps_left_;
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
  std::optional<HintMover> mover;
  for (const Unit& unit : units) {
    if (budget.Spend(4)) return;
    if (!wants_to_move(unit)) continue;
    if (!mover) mover = HintMover::Make(timeline, unit_offsets, budget);
    if (!mover || mover->exhausted()) return;
    if (mover->IsFree(unit, unit.offset_hint, budget)) unit_offsets[&unit - units.data()] = unit.offset_hint;
  }
}

}  // namespace telamalloc

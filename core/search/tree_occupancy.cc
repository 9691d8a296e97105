#include "search/tree_occupancy.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>

namespace telamalloc {
namespace {

// What is left of a sorted list: all below `next` lies under the riser.
struct Cursor {
  const Interval* next = nullptr;
  const Interval* end = nullptr;
};

// At most two nodes per level fill a range and two are cut by it; the former have two lists.
constexpr std::size_t kMaxLists = 6 * 32;

}  // namespace

TreeOccupancy::TreeOccupancy(const Timeline& timeline, const Partition& partition)
    : Occupancy(timeline),
      section_begin_(partition.section_begin),
      leaves_(std::bit_ceil(static_cast<std::uint32_t>(partition.section_end - partition.section_begin))),
      nodes_(std::size_t{2} * leaves_) {}

template <typename Fill, typename Part>
void TreeOccupancy::Visit(std::int32_t p, Fill fill, Part part) const {
  const Piece& piece = timeline().pieces()[p];
  const std::uint64_t begin = std::uint64_t{leaves_} + (piece.section_begin - section_begin_);
  const std::uint64_t end = std::uint64_t{leaves_} + (piece.section_end - section_begin_);
  for (std::uint64_t left = begin, right = end; left < right; left /= 2, right /= 2) {
    if (left % 2 != 0) fill(left++);
    if (right % 2 != 0) fill(--right);
  }
  // Upwards from the first and the last leaf: a node is cut when it begins before or ends after the range.
  std::uint64_t left = begin;
  std::uint64_t right = end - 1;
  for (int height = 1; left > 1; ++height) {
    left /= 2;
    right /= 2;
    const bool left_cut = (left << height) < begin || ((left + 1) << height) > end;
    const bool right_cut = (right << height) < begin || ((right + 1) << height) > end;
    if (left_cut) part(left);
    if (right_cut && right != left) part(right);
  }
}

bool TreeOccupancy::Raise(std::int32_t p, Riser& riser, Budget& budget) const {
  std::array<Cursor, kMaxLists> lists;
  std::size_t count = 0;
  const auto add = [&](const IntervalSet& set) {
    const std::span<const Interval> intervals = set.intervals();
    if (!intervals.empty()) lists[count++] = {intervals.data(), intervals.data() + intervals.size()};
  };
  Visit(
      p, [&](std::uint64_t node) { add(nodes_[node].inside); },
      [&](std::uint64_t node) { add(nodes_[node].covering); });
  // Round and round until every list in turn has nothing in the way.
  std::size_t passed = 0;
  for (std::size_t k = 0; passed < count; k = k + 1 == count ? 0 : k + 1, ++passed) {
    Cursor& list = lists[k];
    const Interval* const first = list.next;
    for (; list.next != list.end && list.next->bottom < riser.top(); ++list.next) {
      if (list.next->top <= riser.bottom()) continue;
      if (!riser.RiseTo(list.next->top)) return false;
      passed = 0;
    }
    if (budget.Spend(1 + (list.next - first))) return false;
  }
  return true;
}

void TreeOccupancy::Cover(std::int32_t p, std::int64_t bottom, std::int64_t top, Budget& /*budget*/) {
  Visit(
      p,
      [&](std::uint64_t node) {
        nodes_[node].covering.Add(bottom, top);
        nodes_[node].inside.Add(bottom, top);
      },
      [&](std::uint64_t node) { nodes_[node].inside.Add(bottom, top); });
}

}  // namespace telamalloc

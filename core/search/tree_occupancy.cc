#include "search/tree_occupancy.h"

#include <array>
#include <bit>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>

namespace telamalloc {
namespace {

// The sorted lists that a riser has to pass.
class Lists {
 public:
  void Add(std::span<const Interval> intervals) {
    if (intervals.empty()) return;
    bottoms_[size_] = intervals.front().bottom;
    rests_[size_++] = intervals;
  }

  [[nodiscard]] std::size_t size() const { return size_; }

  // The first list from k on, and round, whose next interval begins below `top`; size() if none does.
  [[nodiscard]] std::size_t NextBelow(std::size_t k, std::int64_t top) const {
    for (std::size_t other = k; other < size_; ++other) {
      if (bottoms_[other] < top) return other;
    }
    for (std::size_t other = 0; other < k; ++other) {
      if (bottoms_[other] < top) return other;
    }
    return size_;
  }

  // Lets `riser` pass everything in list k that is in its way. The number of intervals left behind; empty if
  // there is no room in 64 bits.
  std::optional<std::int64_t> Pass(std::size_t k, Riser& riser) {
    const std::span<const Interval> rest = rests_[k];
    std::size_t passed = 0;
    for (; passed < rest.size() && rest[passed].bottom < riser.top(); ++passed) {
      if (rest[passed].top > riser.bottom() && !riser.RiseTo(rest[passed].top)) return std::nullopt;
    }
    rests_[k] = rest.subspan(passed);
    bottoms_[k] = passed < rest.size() ? rest[passed].bottom : std::numeric_limits<std::int64_t>::max();
    return static_cast<std::int64_t>(passed);
  }

 private:
  // At most two nodes per level fill a range and two are cut by it.
  static constexpr std::size_t kMaxLists = std::size_t{4} * 32;

  std::size_t size_ = 0;
  std::array<std::int64_t, kMaxLists> bottoms_;  // of rests_[k]; the end of 64 bits if it is empty
  std::array<std::span<const Interval>, kMaxLists> rests_;
};

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
  Lists lists;
  Visit(
      p, [&](std::uint64_t node) { lists.Add(nodes_[node].inside.intervals()); },
      [&](std::uint64_t node) { lists.Add(nodes_[node].covering.intervals()); });
  // Round and round until every list in turn has nothing in the way.
  std::size_t k = lists.NextBelow(0, riser.top());
  while (k != lists.size()) {
    const std::optional<std::int64_t> steps = lists.Pass(k, riser);
    if (!steps || budget.Spend(static_cast<std::int64_t>(lists.size()) + *steps)) return false;
    k = lists.NextBelow(k, riser.top());
  }
  return !budget.Spend(8 * static_cast<std::int64_t>(lists.size()));
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

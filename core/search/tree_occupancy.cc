#include "search/tree_occupancy.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>

#include "timeline/within.h"

namespace telamalloc {
namespace {

// The disjoint nodes that make up a range of leaves, from the leaves to the root: at most two per level.
class FilledNodes {
 public:
  FilledNodes(std::uint64_t begin, std::uint64_t end) {
    for (; begin < end; begin /= 2, end /= 2) {
      if (begin % 2 != 0) nodes_[size_++] = begin++;
      if (end % 2 != 0) nodes_[size_++] = --end;
    }
  }
  [[nodiscard]] std::size_t size() const { return size_; }
  std::uint64_t operator[](std::size_t k) const { return nodes_[k]; }

 private:
  std::size_t size_ = 0;
  std::array<std::uint64_t, std::size_t{2} * 32> nodes_;
};

// Calls visit(node) for each node that begins or ends outside the range of leaves and overlaps it; from the
// leaves to the root, at most two per level.
template <typename Visit>
void ForEachCutNode(std::uint64_t begin, std::uint64_t end, Visit visit) {
  std::uint64_t left = begin;
  std::uint64_t right = end - 1;
  for (int height = 1; left > 1; ++height) {
    left /= 2;
    right /= 2;
    const bool left_cut = (left << height) < begin || ((left + 1) << height) > end;
    const bool right_cut = (right << height) < begin || ((right + 1) << height) > end;
    if (left_cut) visit(left);
    if (right_cut && right != left) visit(right);
  }
}

// The sorted lists that a riser has to pass.
class Lists {
 public:
  void Add(std::span<const Interval> intervals) {
    if (intervals.empty()) return;
    bottoms_[size_] = intervals.front().bottom;
    rests_[size_++] = intervals;
  }

  [[nodiscard]] std::size_t size() const { return size_; }

  // The first list whose next interval begins below `top`; size() if none does.
  [[nodiscard]] std::size_t FirstBelow(std::int64_t top) const {
    std::size_t k = 0;
    while (k < size_ && bottoms_[k] >= top) ++k;
    return k;
  }

  // Lets `riser` pass everything in list k that is in its way. The number of intervals left behind; empty if
  // there is no room in 64 bits.
  std::optional<std::int64_t> Pass(std::size_t k, Riser& riser) {
    const Interval* next = rests_[k].data();
    const Interval* const end = next + rests_[k].size();
    std::int64_t bottom = riser.bottom();
    for (; next != end; ++next) {
      if (next->top <= bottom) continue;
      if (next->bottom >= riser.top()) break;
      if (!riser.RiseTo(next->top)) return std::nullopt;
      bottom = riser.bottom();
    }
    const std::int64_t passed = next - rests_[k].data();
    rests_[k] = {next, end};
    bottoms_[k] = next == end ? std::numeric_limits<std::int64_t>::max() : next->bottom;
    return passed;
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
      coarse_nodes_(std::clamp<std::uint64_t>(leaves_ / 8, 2, 512)) {}

std::unique_ptr<TreeOccupancy> TreeOccupancy::Make(const Timeline& timeline, const Partition& partition,
                                                   Budget& budget) {
  std::unique_ptr<TreeOccupancy> made(new TreeOccupancy(timeline, partition));
  if (!AssignWithin(budget, made->nodes_, std::size_t{2} * made->leaves_, Node())) return nullptr;
  return made;
}

TreeOccupancy::Leaves TreeOccupancy::LeavesOf(std::int32_t p) const {
  const Piece& piece = timeline().pieces()[p];
  return {.begin = std::uint64_t{leaves_} + (piece.section_begin - section_begin_),
          .end = std::uint64_t{leaves_} + (piece.section_end - section_begin_)};
}

bool TreeOccupancy::Raise(std::int32_t p, Riser& riser, Budget& budget) const {
  const Leaves piece = LeavesOf(p);
  FilledNodes filled(piece.begin, piece.end);
  Lists lists;
  // From the root down: the coarse ones first.
  for (std::size_t k = filled.size(); k-- > 0;) lists.Add(nodes_[filled[k]].inside.intervals());
  if (filled.size() > 0 && filled[0] >= coarse_nodes_) {
    ForEachCutNode(piece.begin, piece.end,
                   [&](std::uint64_t node) { lists.Add(nodes_[node].covering.intervals()); });
  }
  for (std::size_t k = lists.FirstBelow(riser.top()); k != lists.size(); k = lists.FirstBelow(riser.top())) {
    const std::optional<std::int64_t> steps = lists.Pass(k, riser);
    if (!steps || budget.Spend(8 + *steps)) return false;
  }
  return !budget.Spend(8 * static_cast<std::int64_t>(lists.size()));
}

void TreeOccupancy::Cover(std::int32_t p, std::int64_t bottom, std::int64_t top, Budget& budget) {
  const Leaves piece = LeavesOf(p);
  ForEachCutNode(piece.begin, piece.end,
                 [&](std::uint64_t node) { nodes_[node].inside.Add(bottom, top, pool_); });
  const FilledNodes filled(piece.begin, piece.end);
  for (std::size_t k = 0; k < filled.size(); ++k) {
    nodes_[filled[k]].covering.Add(bottom, top, pool_);
    // The node and, level by level, the coarse ones below it.
    std::uint64_t count = 1;
    std::uint64_t first = filled[k];
    do {
      for (std::uint64_t node = first; node < first + count; ++node)
        nodes_[node].inside.Add(bottom, top, pool_);
      (void)budget.Spend(static_cast<std::int64_t>(16 * count));
      first *= 2;
      count *= 2;
    } while (first < coarse_nodes_);
  }
}

}  // namespace telamalloc

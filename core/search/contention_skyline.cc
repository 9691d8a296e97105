// A unit is placed when the first of its sections is visited. The order of visits is known beforehand, so
// that is its busiest section, and one sort by (busiest section, lifetime, size) is the whole order.
//
//   skyline   +-----+            Placing x raises the skyline of all of its sections to its top: what lies
//   ----------+  x  +-----       between the old skyline and x's bottom is lost for this heuristic.
//
// The skyline is a tree over sections: raising a range of sections to a top writes it at the O(log n) nodes
// that make up the range; the height of a range is the maximum over those nodes and the nodes above them.
#include "search/contention_skyline.h"

#include <algorithm>
#include <memory>
#include <vector>

#include "search/occupancy.h"
#include "search/placing.h"
#include "search/unit_measures.h"
#include "timeline/within.h"

namespace telamalloc {
namespace {

class Skyline {
 public:
  // At 0 everywhere. Empty: `budget` stopped.
  static std::optional<Skyline> Make(const Partition& partition, Budget& budget) {
    Skyline made(partition);
    if (!AssignWithin(budget, made.nodes_, std::size_t{2} * made.sections_, Node())) return std::nullopt;
    return made;
  }

  // The highest top in the sections of `piece`.
  [[nodiscard]] std::int64_t Height(const Piece& piece) const {
    std::int32_t left = Leaf(piece.section_begin);
    std::int32_t right = Leaf(piece.section_end);
    std::int64_t height = 0;
    for (std::int32_t node = left / 2; node > 0; node /= 2) height = std::max(height, nodes_[node].covering);
    for (std::int32_t node = (right - 1) / 2; node > 0; node /= 2) {
      height = std::max(height, nodes_[node].covering);
    }
    for (; left < right; left /= 2, right /= 2) {
      if (left % 2 != 0) height = std::max(height, nodes_[left++].inside);
      if (right % 2 != 0) height = std::max(height, nodes_[--right].inside);
    }
    return height;
  }

  // Raises the sections of `piece` to `top`. REQUIRES: they are not above it.
  void Raise(const Piece& piece, std::int64_t top) {
    std::int32_t left = Leaf(piece.section_begin);
    std::int32_t right = Leaf(piece.section_end);
    for (std::int32_t node = left / 2; node > 0; node /= 2) RaiseInside(node, top);
    for (std::int32_t node = (right - 1) / 2; node > 0; node /= 2) RaiseInside(node, top);
    for (; left < right; left /= 2, right /= 2) {
      if (left % 2 != 0) nodes_[left++] = {top, top};
      if (right % 2 != 0) nodes_[--right] = {top, top};
    }
  }

 private:
  struct Node {
    std::int64_t covering = 0;  // top of what was raised over the node's whole range
    std::int64_t inside = 0;    // over any part of it
  };

  explicit Skyline(const Partition& partition)
      : section_begin_(partition.section_begin), sections_(partition.section_end - partition.section_begin) {}

  [[nodiscard]] std::int32_t Leaf(std::int32_t section) const { return section - section_begin_ + sections_; }
  void RaiseInside(std::int32_t node, std::int64_t top) {
    nodes_[node].inside = std::max(nodes_[node].inside, top);
  }

  std::int32_t section_begin_;
  std::int32_t sections_;
  std::vector<Node> nodes_;
};

struct Visit {
  std::int64_t contention = 0;
  std::uint64_t lifetime = 0;
  std::int64_t size = 0;
  std::int32_t section = 0;
  std::int32_t unit = 0;
};

bool Before(const Visit& a, const Visit& b) {
  if (a.contention != b.contention) return a.contention > b.contention;
  if (a.section != b.section) return a.section < b.section;
  if (a.lifetime != b.lifetime) return a.lifetime > b.lifetime;
  if (a.size != b.size) return a.size > b.size;
  return a.unit < b.unit;
}

// The units that are not pinned, in the order of their placement. Empty: `budget` stopped.
std::optional<std::vector<Visit>> Visits(const Timeline& timeline, const Partition& partition,
                                         Budget& budget) {
  const std::optional<BusiestSection> busiest = BusiestSection::Make(timeline, partition, budget);
  if (!busiest) return std::nullopt;
  std::vector<Visit> visits;
  visits.reserve(partition.unit_end - partition.unit_begin);
  for (std::int32_t u = partition.unit_begin; u < partition.unit_end; ++u) {
    const Unit& unit = timeline.units()[u];
    if (budget.Spend(16 + 16 * (unit.piece_end - unit.piece_begin))) return std::nullopt;
    if (unit.fixed_offset != kNoOffset) continue;
    const std::int32_t section = busiest->Of(unit);
    visits.push_back({.contention = timeline.contention()[section],
                      .lifetime = LifetimeOf(timeline, unit),
                      .size = unit.size,
                      .section = section,
                      .unit = u});
  }
  if (!SortWithin(budget, visits, &Before)) return std::nullopt;
  return visits;
}

}  // namespace

std::optional<PartitionPlacement> PlaceOnContentionSkyline(const Timeline& timeline,
                                                           const Partition& partition, Budget& budget) {
  std::optional<Placing> placing = Placing::Make(timeline, partition, budget);
  if (!placing) return std::nullopt;
  std::int64_t pinned_pieces = 0;
  for (const std::int32_t u : placing->pinned()) {
    pinned_pieces += static_cast<std::int64_t>(timeline.pieces_of(timeline.units()[u]).size());
  }
  const std::unique_ptr<Occupancy> pins = MakeSparseOccupancy(timeline, partition, pinned_pieces, budget);
  if (pins == nullptr || !placing->PlacePinned(*pins, budget)) return std::nullopt;
  const std::optional<std::vector<Visit>> visits = Visits(timeline, partition, budget);
  std::optional<Skyline> skyline = Skyline::Make(partition, budget);
  if (!visits || !skyline) return std::nullopt;
  for (const Visit& visit : *visits) {
    const Unit& unit = timeline.units()[visit.unit];
    std::int64_t from = 0;
    for (const Piece& piece : timeline.pieces_of(unit)) {
      from = std::max(from, skyline->Height(piece) - piece.lower);
      if (budget.Spend(128)) return std::nullopt;
    }
    const std::int64_t offset = pins->LowestOffset(unit, from, budget);
    if (offset == kNoOffset) return std::nullopt;
    for (const Piece& piece : timeline.pieces_of(unit)) skyline->Raise(piece, offset + piece.upper);
    placing->Set(visit.unit, offset);
  }
  return placing->Take();
}

}  // namespace telamalloc

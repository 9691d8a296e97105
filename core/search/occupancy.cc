#include "search/occupancy.h"

#include "search/neighbour_occupancy.h"
#include "search/scanned_occupancy.h"
#include "search/tree_occupancy.h"

namespace telamalloc {
namespace {

// Measured break-even points.
constexpr std::int64_t kFewPieces = 64;
constexpr std::int64_t kFewNeighbours = 32;

}  // namespace

std::int64_t Occupancy::LowestOffset(const Unit& unit, std::int64_t from, Budget& budget) const {
  const std::optional<std::int64_t> aligned = AlignUp(from, unit.alignment);
  if (!aligned || *aligned > std::numeric_limits<std::int64_t>::max() - unit.size) return kNoOffset;
  // Each piece only ever lifts the unit as far as it must, so the first offset that all accept is the lowest.
  std::int64_t offset = *aligned;
  std::int32_t accepted = 0;
  const std::int32_t count = unit.piece_end - unit.piece_begin;
  for (std::int32_t k = 0; accepted < count; k = k + 1 == count ? 0 : k + 1) {
    const std::int32_t p = unit.piece_begin + k;
    Riser riser(unit, timeline_->pieces()[p], offset);
    if (!Raise(p, riser, budget)) return kNoOffset;
    accepted = riser.offset() == offset ? accepted + 1 : 1;
    offset = riser.offset();
  }
  return offset;
}

void Occupancy::Place(const Unit& unit, std::int64_t offset, Budget& budget) {
  for (std::int32_t p = unit.piece_begin; p < unit.piece_end; ++p) {
    const Piece& piece = timeline_->pieces()[p];
    Cover(p, offset + piece.lower, offset + piece.upper, budget);
  }
}

std::unique_ptr<Occupancy> MakeOccupancy(const Timeline& timeline, const Partition& partition,
                                         Budget& budget) {
  const std::int64_t pieces =
      timeline.units()[partition.unit_end - 1].piece_end - timeline.units()[partition.unit_begin].piece_begin;
  if (pieces > kFewPieces) {
    std::unique_ptr<Occupancy> made =
        NeighbourOccupancy::Make(timeline, partition, kFewNeighbours * pieces, budget);
    if (made != nullptr) return made;
    if (budget.exhausted()) return nullptr;
  }
  return MakeSparseOccupancy(timeline, partition, pieces, budget);
}

std::unique_ptr<Occupancy> MakeSparseOccupancy(const Timeline& timeline, const Partition& partition,
                                               std::int64_t pieces, Budget& budget) {
  if (pieces <= kFewPieces) return std::make_unique<ScannedOccupancy>(timeline);
  return TreeOccupancy::Make(timeline, partition, budget);
}

}  // namespace telamalloc

// A sweep over the sections with the set of free holes:
//
//   at section s:  release the pieces that end, take the placed pieces that begin (pins, later pieces of
//   units
//                  with gaps), then place the units that start.
//
// What is placed but not live yet is an obstacle: it is kept in an Occupancy, which stays empty for a problem
// without pins and gaps. Units of several pieces have to be compared with live pieces at later sections too;
// where there are any, the Occupancy holds everything.
#include "search/best_fit.h"

#include <functional>
#include <memory>
#include <queue>
#include <utility>
#include <vector>

#include "search/holes.h"
#include "search/occupancy.h"
#include "search/placing.h"
#include "timeline/within.h"

namespace telamalloc {
namespace {

class Sweep {
 public:
  Sweep(const Timeline& timeline, const Partition& partition, Placing placing)
      : timeline_(&timeline), partition_(&partition), placing_(std::move(placing)) {}

  std::optional<PartitionPlacement> Run(Budget& budget) {
    if (!SortEnds(budget) || !SetUpObstacles(budget)) return std::nullopt;
    std::int32_t u = partition_->unit_begin;
    for (std::int32_t s = partition_->section_begin; s < partition_->section_end; ++s) {
      if (!ReleaseEndsOf(s, budget)) return std::nullopt;
      for (; !later_.empty() && later_.top().first == s; later_.pop()) TakePiece(later_.top().second);
      // Every unit starts at some section, those without pieces too.
      for (; u < partition_->unit_end && timeline_->units()[u].section_begin == s; ++u) {
        if (timeline_->units()[u].fixed_offset == kNoOffset && !Place(u, budget)) return std::nullopt;
      }
    }
    return placing_.Take();
  }

 private:
  [[nodiscard]] std::int32_t PieceBegin() const {
    return timeline_->units()[partition_->unit_begin].piece_begin;
  }
  [[nodiscard]] std::int32_t PieceEnd() const {
    return timeline_->units()[partition_->unit_end - 1].piece_end;
  }
  [[nodiscard]] const Piece& PieceAt(std::int32_t p) const { return timeline_->pieces()[p]; }

  // Pieces by the section at which they end. False: `budget` stopped, as below.
  bool SortEnds(Budget& budget) {
    const std::size_t sections = partition_->section_end - partition_->section_begin;
    const std::size_t count = PieceEnd() - PieceBegin();
    if (!AssignWithin(budget, bottom_, count, std::int64_t{0}) || !AssignWithin(budget, ends_, count, 0) ||
        !AssignWithin(budget, ends_begin_, sections + 2, 0)) {
      return false;
    }
    const auto end_of = [&](std::size_t k) {
      return PieceAt(PieceBegin() + static_cast<std::int32_t>(k)).section_end - partition_->section_begin;
    };
    if (!ForEachWithin(budget, count, 1, [&](std::size_t k) { ++ends_begin_[end_of(k) + 1]; })) return false;
    for (std::size_t s = 0; s <= sections; ++s) ends_begin_[s + 1] += ends_begin_[s];
    std::vector<std::int32_t> next(ends_begin_.begin(), ends_begin_.end() - 1);
    return ForEachWithin(budget, count, 2, [&](std::size_t k) {
      ends_[next[end_of(k)]++] = PieceBegin() + static_cast<std::int32_t>(k);
    });
  }

  bool SetUpObstacles(Budget& budget) {
    std::int64_t pinned_pieces = 0;
    for (const std::int32_t u : placing_.pinned()) {
      const Unit& unit = timeline_->units()[u];
      if (budget.Spend(16)) return false;
      pinned_pieces += unit.piece_end - unit.piece_begin;
      for (std::int32_t p = unit.piece_begin; p < unit.piece_end; ++p) {
        bottom_[p - PieceBegin()] = unit.fixed_offset + PieceAt(p).lower;
        later_.emplace(PieceAt(p).section_begin, p);
      }
    }
    const bool counted =
        ForEachWithin(budget, partition_->unit_end - partition_->unit_begin, 1, [&](std::size_t k) {
          const Unit& unit = timeline_->units()[partition_->unit_begin + k];
          everything_ =
              everything_ || (unit.fixed_offset == kNoOffset && unit.piece_end - unit.piece_begin > 1);
        });
    if (!counted) return false;
    if (!everything_ && pinned_pieces == 0) return true;
    obstacles_ = everything_ ? MakeOccupancy(*timeline_, *partition_, budget)
                             : MakeSparseOccupancy(*timeline_, *partition_, pinned_pieces, budget);
    return obstacles_ != nullptr && placing_.PlacePinned(*obstacles_, budget);
  }

  bool ReleaseEndsOf(std::int32_t section, Budget& budget) {
    const std::int32_t s = section - partition_->section_begin;
    for (std::int32_t k = ends_begin_[s]; k < ends_begin_[s + 1]; ++k) {
      if (budget.Spend(8)) return false;
      const Piece& piece = PieceAt(ends_[k]);
      const std::int64_t bottom = bottom_[ends_[k] - PieceBegin()];
      holes_.Release(bottom, bottom + (piece.upper - piece.lower));
    }
    return !budget.Spend(4);
  }

  void TakePiece(std::int32_t p) {
    const Piece& piece = PieceAt(p);
    const std::int64_t bottom = bottom_[p - PieceBegin()];
    holes_.Take(bottom, bottom + (piece.upper - piece.lower));
  }

  bool Place(std::int32_t u, Budget& budget) {
    const Unit& unit = timeline_->units()[u];
    const std::int64_t offset = unit.piece_end - unit.piece_begin == 1 ? BestOffset(unit, budget)
                                : unit.piece_begin == unit.piece_end
                                    ? 0
                                    : obstacles_->LowestOffset(unit, 0, budget);
    if (offset == kNoOffset) return false;
    placing_.Set(u, offset);
    if (everything_) obstacles_->Place(unit, offset, budget);
    for (std::int32_t p = unit.piece_begin; p < unit.piece_end; ++p) {
      bottom_[p - PieceBegin()] = offset + PieceAt(p).lower;
      if (PieceAt(p).section_begin == unit.section_begin) {
        TakePiece(p);
      } else {
        later_.emplace(PieceAt(p).section_begin, p);
      }
    }
    return true;
  }

  // For a unit of one piece.
  [[nodiscard]] std::int64_t BestOffset(const Unit& unit, Budget& budget) const {
    return holes_.Smallest(unit.size, [&](const Interval& hole) {
      if (budget.Spend(16)) return kNoOffset;
      const std::int64_t offset = obstacles_ == nullptr
                                      ? AlignUp(hole.bottom, unit.alignment).value_or(kNoOffset)
                                      : obstacles_->LowestOffset(unit, hole.bottom, budget);
      return offset != kNoOffset && offset <= hole.top - unit.size ? offset : kNoOffset;
    });
  }

  const Timeline* timeline_;
  const Partition* partition_;
  Placing placing_;
  Holes holes_;
  std::vector<std::int64_t> bottom_;  // of each placed piece, from PieceBegin()
  std::vector<std::int32_t>
      ends_begin_;  // pieces that end at section s: ends_[ends_begin_[s], ends_begin_[s + 1])
  std::vector<std::int32_t> ends_;
  // Placed pieces that are not live yet: (section_begin, piece), the next first.
  using Later = std::pair<std::int32_t, std::int32_t>;
  std::priority_queue<Later, std::vector<Later>, std::greater<>> later_;
  std::unique_ptr<Occupancy> obstacles_;  // null: there are none
  bool everything_ = false;               // obstacles_ holds the live pieces too
};

}  // namespace

std::optional<PartitionPlacement> PlaceBestFit(const Timeline& timeline, const Partition& partition,
                                               Budget& budget) {
  std::optional<Placing> placing = Placing::Make(timeline, partition, budget);
  if (!placing) return std::nullopt;
  return Sweep(timeline, partition, *std::move(placing)).Run(budget);
}

}  // namespace telamalloc

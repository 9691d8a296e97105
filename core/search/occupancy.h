// Which bytes are taken when, while units are placed one by one: what every greedy heuristic asks.
//
//   address                     LowestOffset(u) = 2: the lowest gap among the placed pieces that u meets in
//      |      +-----+           time. It may lie under an overhang, never inside anything.
//      |  +---+  b  |
//    2 |  | u |-----+           How the placed pieces are kept decides the cost, so there are several:
//      |  +---+                   ScannedOccupancy    few pieces: one list by address
//      |  | a |                   NeighbourOccupancy  few overlaps per piece: tells those only
//      +--+---+---------> time    TreeOccupancy       the rest: merged intervals in a tree over sections
#ifndef TELAMALLOC_SEARCH_OCCUPANCY_H_
#define TELAMALLOC_SEARCH_OCCUPANCY_H_

#include <cstdint>
#include <limits>
#include <memory>

#include "search/strategy.h"
#include "timeline/budget.h"
#include "timeline/timeline.h"

namespace telamalloc {

// A piece on its way up: its unit's offset rises over what it meets, from one multiple of the alignment to
// another. It stops at kNoOffset where the unit would not fit in 64 bits.
class Riser {
 public:
  Riser(const Unit& unit, const Piece& piece, std::int64_t offset)
      : lower_(piece.lower),
        upper_(piece.upper),
        alignment_(unit.alignment),
        last_(std::numeric_limits<std::int64_t>::max() - unit.size),
        offset_(offset) {}

  [[nodiscard]] std::int64_t offset() const { return offset_; }
  // Bytes of the piece. REQUIRES: offset() != kNoOffset.
  [[nodiscard]] std::int64_t bottom() const { return offset_ + lower_; }
  [[nodiscard]] std::int64_t top() const { return offset_ + upper_; }

  // Moves the bottom to `address` or above. False: there is no room in 64 bits. REQUIRES: address > bottom().
  bool RiseTo(std::int64_t address) {
    offset_ = address - lower_;
    if (alignment_ != 1) offset_ = AlignUp(offset_, alignment_).value_or(kNoOffset);
    if (offset_ > last_) offset_ = kNoOffset;
    return offset_ != kNoOffset;
  }

 private:
  std::int64_t lower_;
  std::int64_t upper_;
  std::int64_t alignment_;
  std::int64_t last_;
  std::int64_t offset_;
};

// Not thread-safe. REQUIRES: the timeline outlives it.
class Occupancy {
 public:
  Occupancy(const Occupancy&) = delete;
  Occupancy(Occupancy&&) = delete;
  Occupancy& operator=(const Occupancy&) = delete;
  Occupancy& operator=(Occupancy&&) = delete;
  virtual ~Occupancy() = default;

  // The lowest offset >= `from` at which no piece of `unit` meets a placed one. kNoOffset if there is none in
  // 64 bits, or if `budget` stopped the search. REQUIRES: from >= 0; `unit` is not placed.
  [[nodiscard]] std::int64_t LowestOffset(const Unit& unit, std::int64_t from, Budget& budget) const;

  // Places `unit`. REQUIRES: it meets nothing there, and offset + size fits in 64 bits.
  void Place(const Unit& unit, std::int64_t offset, Budget& budget);

 protected:
  explicit Occupancy(const Timeline& timeline) : timeline_(&timeline) {}

  [[nodiscard]] const Timeline& timeline() const { return *timeline_; }

 private:
  // Lifts `riser`, the piece `p` of the timeline, to the lowest gap. False: see LowestOffset.
  virtual bool Raise(std::int32_t p, Riser& riser, Budget& budget) const = 0;
  // Piece `p` takes the bytes [bottom, top).
  virtual void Cover(std::int32_t p, std::int64_t bottom, std::int64_t top, Budget& budget) = 0;

  const Timeline* timeline_;
};

// For placing the units of `partition`, none of which is placed yet. Empty: `budget` stopped it.
// Cost: linear in units and sections.
std::unique_ptr<Occupancy> MakeOccupancy(const Timeline& timeline, const Partition& partition,
                                         Budget& budget);

// For placing only some units, `pieces` pieces in all, and asking about any. Empty: `budget` stopped it.
// Cost: constant for few pieces, else linear in sections.
std::unique_ptr<Occupancy> MakeSparseOccupancy(const Timeline& timeline, const Partition& partition,
                                               std::int64_t pieces, Budget& budget);

}  // namespace telamalloc

#endif  // TELAMALLOC_SEARCH_OCCUPANCY_H_

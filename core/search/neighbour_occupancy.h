// Occupancy where few pieces overlap in time: placing one tells exactly those that it meets.
//
// With the pieces ranked by their start, piece r meets
//   - the pieces that start while it is live: the ranks after r up to the end of its sections;
//   - the earlier ones that are live when it starts: a list, filtered from that of rank r - 1.
//
//   0 +----------+              earlier[2] = {0, 1};  2 also meets rank 3, which starts before it ends
//   1   +-----+                 earlier[3] = {0, 2}
//   2      +----+               earlier[4] = {}
//   3         +---+
//   4              +--+         Each piece that is not placed keeps what is taken of its own time.
//
// Cost: memory and set-up linear in overlapping pairs, so it is for problems that have few per piece. Then a
// placement touches some dozens of neighbours in memory, which no tree can match.
#ifndef TELAMALLOC_SEARCH_NEIGHBOUR_OCCUPANCY_H_
#define TELAMALLOC_SEARCH_NEIGHBOUR_OCCUPANCY_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "search/interval_set.h"
#include "search/occupancy.h"

namespace telamalloc {

class NeighbourOccupancy final : public Occupancy {
 public:
  // Null: there are more than `max_pairs` overlapping pairs of pieces, or `budget` stopped.
  static std::unique_ptr<NeighbourOccupancy> Make(const Timeline& timeline, const Partition& partition,
                                                  std::int64_t max_pairs, Budget& budget);

 private:
  NeighbourOccupancy(const Timeline& timeline, const Partition& partition);

  // False: `budget` stopped.
  bool RankByStart(const Partition& partition, Budget& budget);
  // The number of pairs that overlap in time.
  [[nodiscard]] std::int64_t CountPairs() const;
  // False: `budget` stopped.
  bool ListEarlier(std::int64_t pairs, Budget& budget);

  bool Raise(std::int32_t p, Riser& riser, Budget& budget) const override;
  void Cover(std::int32_t p, std::int64_t bottom, std::int64_t top, Budget& budget) override;

  // Immutable after Make.
  std::int32_t piece_begin_;
  std::int32_t section_begin_;
  std::vector<std::int32_t> rank_of_;      // of piece piece_begin_ + k
  std::vector<std::int32_t> section_end_;  // by rank
  // First rank that starts at section section_begin_ + k or later; one more at the end.
  std::vector<std::int32_t> first_at_;
  // What rank r meets of lower ranks: earlier_[earlier_at_[r], earlier_at_[r + 1]).
  std::vector<std::int64_t> earlier_at_;
  std::vector<std::int32_t> earlier_;

  std::vector<std::uint8_t> placed_;  // by rank
  IntervalPool pool_;
  std::vector<IntervalSet> met_;  // by rank: what is taken of its time, until it is placed
};

}  // namespace telamalloc

#endif  // TELAMALLOC_SEARCH_NEIGHBOUR_OCCUPANCY_H_

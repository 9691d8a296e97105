#include "search/neighbour_occupancy.h"

#include <cstddef>
#include <span>

#include "timeline/within.h"

namespace telamalloc {
NeighbourOccupancy::NeighbourOccupancy(const Timeline& timeline, const Partition& partition)
    : Occupancy(timeline),
      piece_begin_(timeline.units()[partition.unit_begin].piece_begin),
      section_begin_(partition.section_begin) {}

std::unique_ptr<NeighbourOccupancy> NeighbourOccupancy::Make(const Timeline& timeline,
                                                             const Partition& partition,
                                                             std::int64_t max_pairs, Budget& budget) {
  std::unique_ptr<NeighbourOccupancy> made(new NeighbourOccupancy(timeline, partition));
  if (!made->RankByStart(partition, budget)) return nullptr;
  const std::int64_t pairs = made->CountPairs();
  if (pairs > max_pairs || !made->ListEarlier(pairs, budget)) return nullptr;
  return made;
}

// A counting sort: pieces come by unit, and units of several pieces interleave.
bool NeighbourOccupancy::RankByStart(const Partition& partition, Budget& budget) {
  const auto pieces = timeline().pieces().subspan(
      piece_begin_, timeline().units()[partition.unit_end - 1].piece_end - piece_begin_);
  const std::size_t sections = partition.section_end - partition.section_begin;
  if (!AssignWithin(budget, first_at_, sections + 1, 0) ||
      !AssignWithin(budget, section_end_, pieces.size(), 0) ||
      !AssignWithin(budget, met_, pieces.size(), IntervalSet()) ||
      !AssignWithin(budget, placed_, pieces.size(), std::uint8_t{0})) {
    return false;
  }
  const bool counted = ForEachWithin(budget, pieces.size(), 1, [&](std::size_t p) {
    ++first_at_[pieces[p].section_begin - section_begin_ + 1];
  });
  if (!counted) return false;
  for (std::size_t s = 1; s <= sections; ++s) first_at_[s] += first_at_[s - 1];
  std::vector<std::int32_t> next = first_at_;
  rank_of_.reserve(pieces.size());
  return ForEachWithin(budget, pieces.size(), 2, [&](std::size_t p) {
    const std::int32_t rank = next[pieces[p].section_begin - section_begin_]++;
    rank_of_.push_back(rank);
    section_end_[rank] = pieces[p].section_end;
  });
}

std::int64_t NeighbourOccupancy::CountPairs() const {
  // Each piece meets those that started before the end of its sections, less those up to its own rank.
  std::int64_t pairs = 0;
  for (std::size_t rank = 0; rank < section_end_.size(); ++rank) {
    pairs += first_at_[section_end_[rank] - section_begin_] - static_cast<std::int64_t>(rank) - 1;
  }
  return pairs;
}

bool NeighbourOccupancy::ListEarlier(std::int64_t pairs, Budget& budget) {
  const std::size_t count = section_end_.size();
  earlier_.reserve(pairs);
  earlier_at_.reserve(count + 1);
  earlier_at_.assign(2, 0);  // of rank 0
  std::int32_t section = section_begin_;
  for (std::size_t rank = 1; rank < count; ++rank) {
    while (first_at_[section + 1 - section_begin_] <= static_cast<std::int32_t>(rank)) ++section;
    const std::int64_t begin = earlier_at_[rank - 1];
    const std::int64_t end = earlier_at_[rank];
    for (std::int64_t k = begin; k < end; ++k) {
      if (section_end_[earlier_[k]] > section) earlier_.push_back(earlier_[k]);
    }
    if (section_end_[rank - 1] > section) earlier_.push_back(static_cast<std::int32_t>(rank) - 1);
    earlier_at_.push_back(static_cast<std::int64_t>(earlier_.size()));
    if (budget.Spend(4 + end - begin)) return false;
  }
  return true;
}

bool NeighbourOccupancy::Raise(std::int32_t p, Riser& riser, Budget& budget) const {
  const std::span<const Interval> met = met_[rank_of_[p - piece_begin_]].intervals();
  if (budget.Spend(4 + static_cast<std::int64_t>(met.size()))) return false;
  for (const Interval& interval : met) {
    if (interval.bottom >= riser.top()) break;
    if (interval.top > riser.bottom() && !riser.RiseTo(interval.top)) return false;
  }
  return true;
}

void NeighbourOccupancy::Cover(std::int32_t p, std::int64_t bottom, std::int64_t top, Budget& budget) {
  const std::int32_t rank = rank_of_[p - piece_begin_];
  const std::int32_t later_end = first_at_[timeline().pieces()[p].section_end - section_begin_];
  placed_[rank] = 1;
  for (std::int64_t k = earlier_at_[rank]; k < earlier_at_[rank + 1]; ++k) {
    if (placed_[earlier_[k]] == 0) met_[earlier_[k]].Add(bottom, top, pool_);
  }
  for (std::int32_t later = rank + 1; later < later_end; ++later) {
    if (placed_[later] == 0) met_[later].Add(bottom, top, pool_);
  }
  (void)budget.Spend(8 * (later_end - rank + earlier_at_[rank + 1] - earlier_at_[rank]));
}

}  // namespace telamalloc

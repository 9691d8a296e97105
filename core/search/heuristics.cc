// The table of heuristics.
#include <array>

#include "search/best_fit.h"
#include "search/contention_skyline.h"
#include "search/greedy.h"
#include "search/strategy.h"

namespace telamalloc {
namespace {

// Most partitions of large problems hold one unit, which needs no search for its place.
template <Heuristic place>
std::optional<PartitionPlacement> Place(const Timeline& timeline, const Partition& partition,
                                        Budget& budget) {
  if (partition.unit_end - partition.unit_begin > 1) return place(timeline, partition, budget);
  const Unit& unit = timeline.units()[partition.unit_begin];
  const std::int64_t offset = unit.fixed_offset == kNoOffset ? 0 : unit.fixed_offset;
  return PartitionPlacement{.offsets = {offset}, .peak = offset + unit.size};
}

constexpr HeuristicCost kLinearithmic = HeuristicCost::kLinearithmic;
constexpr HeuristicCost kOverlaps = HeuristicCost::kOverlaps;

constexpr std::array kHeuristics = {
    NamedHeuristic{"best_fit", &Place<&PlaceBestFit>, kLinearithmic},
    NamedHeuristic{"greedy_by_size", &Place<&PlaceGreedily<GreedyOrder::kSize>>, kOverlaps},
    NamedHeuristic{"greedy_by_size_class", &Place<&PlaceGreedily<GreedyOrder::kSizeClass>>, kOverlaps},
    NamedHeuristic{"greedy_by_area", &Place<&PlaceGreedily<GreedyOrder::kArea>>, kOverlaps},
    NamedHeuristic{"greedy_by_lifetime", &Place<&PlaceGreedily<GreedyOrder::kLifetime>>, kOverlaps},
    NamedHeuristic{"greedy_by_contention", &Place<&PlaceGreedily<GreedyOrder::kContention>>, kOverlaps},
    NamedHeuristic{"contention_skyline", &Place<&PlaceOnContentionSkyline>, kLinearithmic},
};

}  // namespace

std::span<const NamedHeuristic> Heuristics() { return kHeuristics; }

}  // namespace telamalloc

// The table of heuristics.
#include <array>

#include "search/best_fit.h"
#include "search/contention_skyline.h"
#include "search/greedy.h"
#include "search/strategy.h"

namespace telamalloc {
namespace {

constexpr std::array kHeuristics = {
    NamedHeuristic{"best_fit", &PlaceBestFit},
    NamedHeuristic{"greedy_by_size", &PlaceGreedily<GreedyOrder::kSize>},
    NamedHeuristic{"greedy_by_size_class", &PlaceGreedily<GreedyOrder::kSizeClass>},
    NamedHeuristic{"greedy_by_area", &PlaceGreedily<GreedyOrder::kArea>},
    NamedHeuristic{"greedy_by_lifetime", &PlaceGreedily<GreedyOrder::kLifetime>},
    NamedHeuristic{"greedy_by_contention", &PlaceGreedily<GreedyOrder::kContention>},
    NamedHeuristic{"contention_skyline", &PlaceOnContentionSkyline},
};

}  // namespace

std::span<const NamedHeuristic> Heuristics() { return kHeuristics; }

}  // namespace telamalloc

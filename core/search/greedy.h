// Greedy by an order: one unit at a time, each at the lowest gap among the placed units that it meets in
// time.
//
// Source: Lee & Pisarchyk, "Efficient Memory Management for Deep Neural Net Inference", 2020 (TFLite: greedy
// by size); the paper's second baseline.
#ifndef TELAMALLOC_SEARCH_GREEDY_H_
#define TELAMALLOC_SEARCH_GREEDY_H_

#include <optional>

#include "search/strategy.h"

namespace telamalloc {

// What the largest first means.
enum class GreedyOrder {
  kSize,
  kArea,  // size x lifetime
  kLifetime,
  kContention,  // the highest contention of its sections
  kStart,       // the first to start
};

// Ties go to the unit that is larger, then lives longer, then comes first in the timeline. As `Heuristic`.
template <GreedyOrder order>
std::optional<PartitionPlacement> PlaceGreedily(const Timeline& timeline, const Partition& partition,
                                                Budget& budget);

}  // namespace telamalloc

#endif  // TELAMALLOC_SEARCH_GREEDY_H_

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
  kSizeClass,  // largest size / size, rounded down to a power of two; the first to start within a class
  kArea,       // size x lifetime
  kLifetime,
  kContention,  // the highest contention of its sections
};

// Ties go to the larger unit, then to the first in the timeline (which starts first). As `Heuristic`.
template <GreedyOrder order>
std::optional<PartitionPlacement> PlaceGreedily(const Timeline& timeline, const Partition& partition,
                                                Budget& budget);

}  // namespace telamalloc

#endif  // TELAMALLOC_SEARCH_GREEDY_H_

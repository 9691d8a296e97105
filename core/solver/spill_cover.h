// Which units to take out so that no section holds more than the capacity.
#ifndef TELAMALLOC_SOLVER_SPILL_COVER_H_
#define TELAMALLOC_SOLVER_SPILL_COVER_H_

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "timeline/budget.h"
#include "timeline/timeline.h"

namespace telamalloc {

// Units of `partition`, ascending: all that cannot fit alone, and as many others, cheap for what they
// relieve, as leave no section above `capacity`. weights[u - partition.unit_begin] >= 0 is the price of u.
// Not minimal. Deterministic. Empty: `budget` stopped it.
// Cost: O(n log n + overloaded sections met per unit looked at); greedy, so within ln(excess bytes) of the
// least weight.
std::optional<std::vector<std::int32_t>> CoverOverload(const Timeline& timeline, const Partition& partition,
                                                       std::int64_t capacity, std::span<const double> weights,
                                                       Budget& budget);

}  // namespace telamalloc

#endif  // TELAMALLOC_SOLVER_SPILL_COVER_H_

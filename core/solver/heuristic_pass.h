// The cheapest engines first: each heuristic in turn over every partition that is not good enough yet.
#ifndef TELAMALLOC_SOLVER_HEURISTIC_PASS_H_
#define TELAMALLOC_SOLVER_HEURISTIC_PASS_H_

#include <cstdint>
#include <span>

#include "absl/status/status.h"
#include "search/strategy.h"
#include "solver/incumbent.h"
#include "timeline/budget.h"

namespace telamalloc {

// Improves `incumbent` until every partition's peak is <= target, the heuristics are used up, or `budget` is.
// Publishes after each heuristic. Errors: Incumbent::Publish's.
absl::Status RunHeuristics(const Timeline& timeline, std::span<const NamedHeuristic> heuristics,
                           std::int64_t target, Budget& budget, Incumbent& incumbent);

}  // namespace telamalloc

#endif  // TELAMALLOC_SOLVER_HEURISTIC_PASS_H_

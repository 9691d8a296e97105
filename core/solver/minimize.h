// The least peak, from both sides: a ladder of capacities between the proven bound and the incumbent.
#ifndef TELAMALLOC_SOLVER_MINIMIZE_H_
#define TELAMALLOC_SOLVER_MINIMIZE_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "solver/incumbent.h"
#include "solver/proven_bound.h"
#include "solver/search_plan.h"
#include "telamalloc/solver.h"
#include "timeline/budget.h"

namespace telamalloc {

// Lowers the peak of `incumbent` by search until it meets the proven bound, every search gave up, or `budget`
// is used up. Returns the proven lower bound on the peak: never one that was not proven, and a search that
// stopped proves nothing.
// REQUIRES: incumbent.complete(). Errors: Incumbent::Publish's.
absl::StatusOr<ProvenBound> MinimizeBySearch(const Timeline& timeline, const SearchPlan& plan, Budget& budget,
                                             Incumbent& incumbent, SolveStats& stats);

}  // namespace telamalloc

#endif  // TELAMALLOC_SOLVER_MINIMIZE_H_

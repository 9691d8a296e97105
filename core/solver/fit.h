// Fit by search: the partitions whose best placement is above the capacity, hardest first.
#ifndef TELAMALLOC_SOLVER_FIT_H_
#define TELAMALLOC_SOLVER_FIT_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "solver/incumbent.h"
#include "solver/proven_bound.h"
#include "solver/search_plan.h"
#include "telamalloc/solver.h"
#include "timeline/budget.h"

namespace telamalloc {

// Searches until every partition fits, one is proven not to, every search gave up, or `budget` is used up.
// Placements found go to `incumbent`. Errors: Incumbent::Publish's.
absl::StatusOr<ProvenBound> FitBySearch(const Timeline& timeline, std::int64_t capacity,
                                        const SearchPlan& plan, Budget& budget, Incumbent& incumbent,
                                        SolveStats& stats);

}  // namespace telamalloc

#endif  // TELAMALLOC_SOLVER_FIT_H_

// Explains why nothing fits: figures, a time window and the buffers in it.
#ifndef TELAMALLOC_SOLVER_INFEASIBILITY_H_
#define TELAMALLOC_SOLVER_INFEASIBILITY_H_

#include <cstdint>

#include "solver/prepared_problem.h"
#include "solver/proven_bound.h"
#include "telamalloc/solver.h"

namespace telamalloc {

// REQUIRES: timeline.lower_bound() > capacity. Names the section of the highest contention and the buffers
// live there; or, if no section exceeds the capacity, the one buffer whose size or pinned top does. Cost:
// O(buffers + sections).
Infeasibility ExplainLoad(const PreparedProblem::Impl& prepared, std::int64_t capacity);

// REQUIRES: search proved something, and proven.lower_bound is above the capacity. Names the partition.
Infeasibility ExplainSearch(const PreparedProblem::Impl& prepared, std::int64_t capacity,
                            const ProvenBound& proven);

}  // namespace telamalloc

#endif  // TELAMALLOC_SOLVER_INFEASIBILITY_H_

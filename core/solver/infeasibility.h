// Explains why nothing fits: figures, a time window and the buffers in it.
#ifndef TELAMALLOC_SOLVER_INFEASIBILITY_H_
#define TELAMALLOC_SOLVER_INFEASIBILITY_H_

#include <cstddef>
#include <cstdint>

#include "solver/prepared_problem.h"
#include "telamalloc/solver.h"

namespace telamalloc {

// REQUIRES: timeline.lower_bound() > capacity. Names the section of the highest contention and the buffers
// live there; or, if no section exceeds the capacity, the one buffer whose size or pinned top does. Cost:
// O(buffers + sections).
Infeasibility ExplainLoad(const PreparedProblem::Impl& prepared, std::int64_t capacity);

// REQUIRES: search proved that partition `p` has no placement with a peak below `lower_bound`, which is above
// the capacity. Names the partition.
Infeasibility ExplainSearch(const PreparedProblem::Impl& prepared, std::int64_t capacity, std::size_t p,
                            std::int64_t lower_bound);

}  // namespace telamalloc

#endif  // TELAMALLOC_SOLVER_INFEASIBILITY_H_

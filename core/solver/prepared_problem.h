// What a PreparedProblem holds. Immutable, shared by copies.
#ifndef TELAMALLOC_SOLVER_PREPARED_PROBLEM_H_
#define TELAMALLOC_SOLVER_PREPARED_PROBLEM_H_

#include "telamalloc/problem.h"
#include "telamalloc/solver.h"
#include "timeline/timeline.h"

namespace telamalloc {

struct PreparedProblem::Impl {
  Problem problem;
  Timeline timeline;
};

}  // namespace telamalloc

#endif  // TELAMALLOC_SOLVER_PREPARED_PROBLEM_H_

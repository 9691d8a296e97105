// Uses every public header of the installed solver library: reads a problem, solves it, checks the answer.
#include <cstdio>
#include <utility>

#include "telamalloc/csv.h"
#include "telamalloc/problem.h"
#include "telamalloc/solution.h"
#include "telamalloc/solver.h"

int main() {
  absl::StatusOr<telamalloc::Problem> problem =
      telamalloc::ReadProblemCsv("id,lower,upper,size\na,0,2,4\nb,1,3,4\nc,2,4,4\n");
  if (!problem.ok()) return 1;
  problem->capacity = 8;
  const absl::StatusOr<telamalloc::PreparedProblem> prepared =
      telamalloc::PreparedProblem::Create(*std::move(problem));
  if (!prepared.ok()) return 2;
  const absl::StatusOr<telamalloc::SolveResult> result = telamalloc::Solve(*prepared);
  if (!result.ok() || result->outcome != telamalloc::Outcome::kFeasible) return 3;
  if (!telamalloc::Verify(prepared->problem(), result->solution->offsets).ok()) return 4;
  std::fputs(telamalloc::WritePlacementCsv(prepared->problem(), result->solution->offsets).c_str(), stdout);
  return result->solution->peak == 8 ? 0 : 5;
}

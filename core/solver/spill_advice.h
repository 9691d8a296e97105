// What to take out of a problem that does not fit.
#ifndef TELAMALLOC_SOLVER_SPILL_ADVICE_H_
#define TELAMALLOC_SOLVER_SPILL_ADVICE_H_

#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "solver/incumbent.h"
#include "solver/subset_probe.h"
#include "telamalloc/solver.h"

namespace telamalloc {

// Errors: kInvalidArgument if spill_advice or spill_costs of `options` break a rule of solver.h.
absl::Status CheckSpillOptions(const Problem& problem, const SolveOptions& options);

// At most options.spill_advice sets, cheapest first; empty if `incumbent` is not complete. Each is verified.
// Errors: kInternal if a placement failed verification.
absl::StatusOr<std::vector<SpillSet>> AdviseSpills(const ProbeContext& context, const SolveOptions& options,
                                                   const Incumbent& incumbent);

}  // namespace telamalloc

#endif  // TELAMALLOC_SOLVER_SPILL_ADVICE_H_

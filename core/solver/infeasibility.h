// Explains why nothing fits: figures, a time window, the buffers in it, and the few that already clash.
#ifndef TELAMALLOC_SOLVER_INFEASIBILITY_H_
#define TELAMALLOC_SOLVER_INFEASIBILITY_H_

#include "solver/proven_bound.h"
#include "solver/subset_probe.h"
#include "telamalloc/solver.h"

namespace telamalloc {

// REQUIRES: timeline.lower_bound() > context.capacity. Names the section of the highest contention and the
// buffers live there; or, if no section exceeds the capacity, the one buffer whose size or pinned top does.
// Cost: O(buffers + sections), and what the allowance admits for an irreducible conflict.
Infeasibility ExplainLoad(const ProbeContext& context);

// REQUIRES: search proved something, and proven.lower_bound is above the capacity. Names a part of the
// partition that cannot be placed, as small as the allowance admits.
Infeasibility ExplainSearch(const ProbeContext& context, const ProvenBound& proven);

// Adds the least capacity known to suffice. REQUIRES: `peak` is that of a verified placement.
void SaySufficient(std::int64_t peak, Infeasibility& infeasibility);

}  // namespace telamalloc

#endif  // TELAMALLOC_SOLVER_INFEASIBILITY_H_

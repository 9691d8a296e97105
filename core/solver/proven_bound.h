// What a search proved of the least peak.
#ifndef TELAMALLOC_SOLVER_PROVEN_BOUND_H_
#define TELAMALLOC_SOLVER_PROVEN_BOUND_H_

#include <cstddef>
#include <cstdint>

#include "telamalloc/solver.h"

namespace telamalloc {

struct ProvenBound {
  // The partition whose exhausted search proved it; -1: search proved nothing.
  std::ptrdiff_t partition = -1;
  // Bytes: no placement of that partition, and so none of the problem, has a smaller peak. 0: nothing proven.
  std::int64_t lower_bound = 0;
  // The search that proved it.
  Method method = Method::kNone;
};

}  // namespace telamalloc

#endif  // TELAMALLOC_SOLVER_PROVEN_BOUND_H_

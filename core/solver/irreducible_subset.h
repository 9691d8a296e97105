// The few buffers that already cannot be placed together.
#ifndef TELAMALLOC_SOLVER_IRREDUCIBLE_SUBSET_H_
#define TELAMALLOC_SOLVER_IRREDUCIBLE_SUBSET_H_

#include <cstdint>
#include <vector>

#include "solver/subset_probe.h"
#include "timeline/timeline.h"

namespace telamalloc {

struct IrreducibleSubset {
  // Units of the timeline, ascending. Proven: they cannot be placed together within the capacity.
  std::vector<std::int32_t> units;
  // Proven: they can without any one of them.
  bool irreducible = false;
};

// The largest of the units live in `section`, as few as exceed the capacity; no other choice takes fewer.
// What is left of the allowance goes into proving it irreducible where arithmetic does not suffice
// (alignments that leave bytes unused, pins, windows), or into making it so.
// REQUIRES: the contention of `section` exceeds the capacity. Cost: O(n log n) before that.
IrreducibleSubset ReduceOverload(const ProbeContext& context, std::int32_t section);

// Units of `partition`, dropped for as long as a search still proves that nothing fits.
// REQUIRES: proven: the partition has no placement within the capacity.
IrreducibleSubset ReducePartition(const ProbeContext& context, const Partition& partition);

}  // namespace telamalloc

#endif  // TELAMALLOC_SOLVER_IRREDUCIBLE_SUBSET_H_

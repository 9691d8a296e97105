// Sets of units of one partition whose removal makes the rest of it fit.
#ifndef TELAMALLOC_SOLVER_PARTITION_SPILLS_H_
#define TELAMALLOC_SOLVER_PARTITION_SPILLS_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "solver/subset_probe.h"
#include "timeline/timeline.h"

namespace telamalloc {

struct PartitionSpill {
  std::vector<std::int32_t> units;  // of the timeline, ascending
  double cost = 0;
  // Proven: none of `units` can be returned.
  bool minimal = false;
  // A placement of the others within the capacity, by unit of the partition; kNoOffset for `units`.
  std::vector<std::int64_t> offsets;
};

struct PartitionSpillRequest {
  std::span<const double> costs;            // >= 0, by unit of the partition
  std::span<const std::int64_t> incumbent;  // a placement above the capacity, by unit of the partition
  std::size_t count = 1;                    // sets wanted, >= 1
};

// At least one, at most request.count, cheapest first; none contains another. If the partition turns out to
// fit as it is, the one set is empty.
// Deterministic unless the allowance's deadline or stop cuts it short; then the sets so far.
std::vector<PartitionSpill> FindPartitionSpills(const ProbeContext& context, const Partition& partition,
                                                const PartitionSpillRequest& request);

}  // namespace telamalloc

#endif  // TELAMALLOC_SOLVER_PARTITION_SPILLS_H_

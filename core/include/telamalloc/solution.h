// Where everything goes, and the independent check that it may go there.
#ifndef TELAMALLOC_SOLUTION_H_
#define TELAMALLOC_SOLUTION_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "telamalloc/problem.h"

namespace telamalloc {

// A placement: offsets[b] belongs to problem.buffers[b].
struct Solution {
  std::vector<std::int64_t> offsets;
  // max(offset + size) over the buffers of non-zero size; 0 when there are none.
  std::int64_t peak = 0;
  friend bool operator==(const Solution&, const Solution&) = default;
};

// One way in which a placement breaks the problem's rules.
struct PlacementViolation {
  enum class Rule {
    kCount,        // not one offset per buffer
    kNegative,     // offset below 0
    kRange,        // offset + size does not fit in 64 bits
    kAlignment,    // offset is not a multiple of the alignment
    kFixedOffset,  // a pin was moved
    kColocation,   // members of a group have different offsets
    kOverlap,      // two buffers share bytes while both are live
    kCapacity,     // the buffer ends above the capacity
  };
  Rule rule = Rule::kCount;
  // Positions in problem.buffers; `other` is set (>= 0) for kColocation and kOverlap.
  std::ptrdiff_t buffer = -1;
  std::ptrdiff_t other = -1;
  // One sentence with ids, ticks and bytes.
  std::string description;
};

struct VerifyReport {
  // Of the placement as given, whether valid or not (0 if the count is wrong).
  std::int64_t peak = 0;
  // At most kMaxReportedViolations; buffers that overlap several others are reported with each found.
  std::vector<PlacementViolation> violations;
  [[nodiscard]] bool ok() const { return violations.empty(); }
};

// Whether Verify applies the problem's capacity; the other rules always hold.
enum class CapacityRule { kEnforced, kIgnored };

// Checks `offsets` against every rule of problem.h: count, sign, range, alignment, pins, colocation,
// overlap while live (gaps and windows included), capacity.
//
// Shares no code with the search: it reads Problem alone and sweeps time once, keeping the live bytes
// ordered by address.
// REQUIRES: `problem` is valid (PreparedProblem::Create accepts it).
// Cost: O(n log n) for n buffers plus gaps. Thread-safe.
VerifyReport Verify(const Problem& problem, std::span<const std::int64_t> offsets,
                    CapacityRule capacity_rule = CapacityRule::kEnforced);

}  // namespace telamalloc

#endif  // TELAMALLOC_SOLUTION_H_

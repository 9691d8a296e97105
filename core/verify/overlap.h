// Which boxes share bytes while both are live.
#ifndef TELAMALLOC_VERIFY_OVERLAP_H_
#define TELAMALLOC_VERIFY_OVERLAP_H_

#include <span>

#include "absl/functional/function_ref.h"
#include "verify/boxes.h"

namespace telamalloc::verify {

// Calls report(a, b) for boxes that overlap; at least once if any two do, where those of one group do not
// overlap each other (such pairs are passed over). Stops when report returns false.
// Cost: O(n log n), and O(n) more for each box that overlaps.
void FindOverlaps(std::span<const Box> boxes, absl::FunctionRef<bool(const Box& a, const Box& b)> report);

}  // namespace telamalloc::verify

#endif  // TELAMALLOC_VERIFY_OVERLAP_H_

// The least peak of tiny problems, by trying everything.
#ifndef TELAMALLOC_TESTS_SUPPORT_BRUTE_FORCE_H_
#define TELAMALLOC_TESTS_SUPPORT_BRUTE_FORCE_H_

#include <cstdint>
#include <optional>

#include "telamalloc/problem.h"
#include "telamalloc/solution.h"

namespace telamalloc::testing {

// A placement of least peak among those with a peak of at most `bound` (whatever the capacity says); empty if
// there is none. Hints are ignored.
//
// Tries every offset of every buffer and checks pairs by naive.h. REQUIRES: `problem` is valid.
// Cost: exponential: up to about 7 buffers of a few bytes.
std::optional<Solution> BruteForce(const Problem& problem, std::int64_t bound);

// A bound that BruteForce can always meet: everything stacked above the highest pin.
std::int64_t StackedBytes(const Problem& problem);

}  // namespace telamalloc::testing

#endif  // TELAMALLOC_TESTS_SUPPORT_BRUTE_FORCE_H_

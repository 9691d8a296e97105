// Problems in failure messages.
#ifndef TELAMALLOC_TESTS_SUPPORT_PROBLEM_TEXT_H_
#define TELAMALLOC_TESTS_SUPPORT_PROBLEM_TEXT_H_

#include <cstdint>
#include <span>
#include <string>

#include "telamalloc/problem.h"

namespace telamalloc::testing {

// Capacity, and the buffers as CSV that the command line reads. For SCOPED_TRACE.
std::string ProblemToText(const Problem& problem);

// The same with the offsets of a placement. REQUIRES: one offset per buffer.
std::string PlacementToText(const Problem& problem, std::span<const std::int64_t> offsets);

}  // namespace telamalloc::testing

#endif  // TELAMALLOC_TESTS_SUPPORT_PROBLEM_TEXT_H_

// Problems in failure messages.
#ifndef TELAMALLOC_TESTS_SUPPORT_PROBLEM_TEXT_H_
#define TELAMALLOC_TESTS_SUPPORT_PROBLEM_TEXT_H_

#include <string>

#include "telamalloc/problem.h"

namespace telamalloc::testing {

// Capacity, and the buffers as CSV that the command line reads. For SCOPED_TRACE.
std::string ProblemToText(const Problem& problem);

}  // namespace telamalloc::testing

#endif  // TELAMALLOC_TESTS_SUPPORT_PROBLEM_TEXT_H_

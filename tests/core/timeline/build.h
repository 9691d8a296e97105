// Timeline::Build without a budget.
#ifndef TELAMALLOC_TESTS_CORE_TIMELINE_BUILD_H_
#define TELAMALLOC_TESTS_CORE_TIMELINE_BUILD_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "telamalloc/problem.h"
#include "timeline/budget.h"
#include "timeline/timeline.h"

namespace telamalloc::testing {

inline absl::StatusOr<Timeline> TryBuild(const Problem& problem) {
  Budget unlimited;
  return Timeline::Build(problem, unlimited);
}

// REQUIRES: `problem` is valid (else the test dies with the status).
inline Timeline BuildValid(const Problem& problem) { return TryBuild(problem).value(); }

inline absl::Status BuildError(const Problem& problem) { return TryBuild(problem).status(); }

}  // namespace telamalloc::testing

#endif  // TELAMALLOC_TESTS_CORE_TIMELINE_BUILD_H_

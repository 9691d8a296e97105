// The best answer known so far to a request that is still being worked on, and who may have it.
#ifndef TELAMALLOC_SERVER_BEST_ANSWER_H_
#define TELAMALLOC_SERVER_BEST_ANSWER_H_

#include <optional>

#include "absl/strings/string_view.h"
#include "convert/convert.h"
#include "server/errors.h"
#include "server/settings.h"
#include "telamalloc/problem.h"
#include "telamalloc/solution.h"
#include "telamalloc/solver.h"
#include "telamalloc/v1/allocation_service.pb.h"

namespace telamalloc::server {

// The engines that the server knows by name, of SolverNames().
inline constexpr absl::string_view kAutoSolver = "auto";
inline constexpr absl::string_view kGreedySolver = "greedy";

// Verified placements in, the best of them out. Not thread-safe.
class BestAnswer {
 public:
  // Without a placement there is nothing to answer with, unless infeasibility was proven.
  [[nodiscard]] bool usable() const;
  [[nodiscard]] const SolveResult& result() const { return result_; }

  // A result of Solve: its placement if it is better than what is there, its bound and its figures.
  void Merge(const Problem& problem, Objective objective, const SolveResult& result);
  // A placement found on the way, by `method`.
  void Merge(const Problem& problem, Objective objective, const Solution& solution, Method method);

 private:
  void Conclude(const Problem& problem, Objective objective);

  SolveResult result_;
};

// Whether a request that is stopped for `why` may be answered with the best at hand.
bool MayFallBack(v1::StopReason why, FallbackPolicy policy, OverloadPolicy overload);

// What it gets instead.
Error StoppedError(v1::StopReason why);

// Whether `result`, of greedy placement alone, is what the whole pipeline would answer: a fit, a proven
// optimum, or a proof that nothing fits; or simply all that was asked for.
bool SettlesRequest(const SolveResult& result, const SolveOptions& options);

}  // namespace telamalloc::server

#endif  // TELAMALLOC_SERVER_BEST_ANSWER_H_

#include "server/best_answer.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <random>

#include "convert/convert.h"
#include "server/errors.h"
#include "server/settings.h"
#include "telamalloc/problem.h"
#include "telamalloc/solution.h"
#include "telamalloc/solver.h"
#include "telamalloc/v1/allocation_service.pb.h"

namespace telamalloc::server {
namespace {

// When a refused caller should come back. Random, so that those refused together do not return together.
std::chrono::milliseconds RetryDelay() {
  constexpr int kLeastMs = 50;
  constexpr int kMostMs = 150;
  thread_local std::minstd_rand random{std::random_device{}()};
  return std::chrono::milliseconds(std::uniform_int_distribution<int>(kLeastMs, kMostMs)(random));
}

}  // namespace

bool BestAnswer::usable() const { return result_.solution || result_.outcome == Outcome::kInfeasible; }

void BestAnswer::Merge(const Problem& problem, Objective objective, const SolveResult& result) {
  if (result.solution) Merge(problem, objective, *result.solution, result.method);
  result_.lower_bound = std::max(result_.lower_bound, result.lower_bound);
  if (result.infeasibility) {
    result_.infeasibility = result.infeasibility;
    result_.method = result.method;
  }
  result_.stats.nodes += result.stats.nodes;
  result_.stats.minor_backtracks += result.stats.minor_backtracks;
  result_.stats.major_backtracks += result.stats.major_backtracks;
  Conclude(problem, objective);
}

void BestAnswer::Merge(const Problem& problem, Objective objective, const Solution& solution, Method method) {
  if (result_.solution && result_.solution->peak <= solution.peak) return;
  result_.solution = solution;
  if (!result_.infeasibility) result_.method = method;
  Conclude(problem, objective);
}

void BestAnswer::Conclude(const Problem& problem, Objective objective) {
  if (result_.infeasibility) {
    result_.outcome = Outcome::kInfeasible;
  } else if (!result_.solution || (problem.capacity && result_.solution->peak > *problem.capacity)) {
    result_.outcome = Outcome::kNoSolutionFound;
  } else {
    const bool optimal = objective == Objective::kMinimize && result_.solution->peak <= result_.lower_bound;
    result_.outcome = optimal ? Outcome::kOptimal : Outcome::kFeasible;
  }
}

bool MayFallBack(v1::StopReason why, FallbackPolicy policy, OverloadPolicy overload) {
  switch (policy) {
    case FallbackPolicy::kGreedy:
      return why != v1::STOP_REASON_OVERLOAD || overload == OverloadPolicy::kGreedy;
    case FallbackPolicy::kGreedyOnTimeout:
      return why != v1::STOP_REASON_OVERLOAD;
    case FallbackPolicy::kNone:
      return false;
  }
  return false;
}

Error StoppedError(v1::StopReason why) {
  switch (why) {
    case v1::STOP_REASON_OVERLOAD:
      return {.reason = Reason::kQueueFull,
              .message = "the server has no room for this request now",
              .retry_after = RetryDelay()};
    case v1::STOP_REASON_DRAIN:
      return {.reason = Reason::kDraining, .message = "the server is shutting down; try another"};
    default:
      return {.reason = Reason::kTimeExhausted, .message = "no answer within the time that the request had"};
  }
}

bool SettlesRequest(const SolveResult& result, const SolveOptions& options) {
  // Advice takes the time of a worker.
  if (result.outcome == Outcome::kInfeasible && options.spill_advice > 0) return false;
  if (options.solver == kGreedySolver) return true;
  if (!options.solver.empty() && options.solver != kAutoSolver) return false;
  switch (result.outcome) {
    case Outcome::kOptimal:
    case Outcome::kInfeasible:
      return true;
    case Outcome::kFeasible:
      return options.objective == Objective::kFit;
    case Outcome::kNoSolutionFound:
      return false;
  }
  return false;
}

}  // namespace telamalloc::server

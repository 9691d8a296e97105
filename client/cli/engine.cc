// In this process the timeout covers preparing and solving, and so does the time reported, as on a server.
#include "client/cli/engine.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "telamalloc/client.h"
#include "telamalloc/problem.h"
#include "telamalloc/solver.h"

namespace telamalloc::cli {
namespace {

using Clock = std::chrono::steady_clock;

// "--timeout=inf" on a server: it has a limit of its own.
constexpr std::chrono::nanoseconds kLongestCall = std::chrono::hours(24);

std::string StopReasonOf(Limit limit) {
  return limit == Limit::kNone ? "COMPLETED" : absl::StrCat(Name(limit));
}

// Takes the problem by value: the copy that it needs is not part of the time.
absl::StatusOr<ClientResult> SolveHere(Problem problem, const EngineOptions& options) {
  const Clock::time_point started = Clock::now();
  std::optional<Clock::time_point> deadline;
  if (options.timeout && *options.timeout < Clock::time_point::max() - started) {
    deadline = started + *options.timeout;
  }
  const std::optional<std::int64_t> capacity = problem.capacity;
  const absl::StatusOr<PreparedProblem> prepared = PreparedProblem::Create(
      std::move(problem), [deadline] { return deadline && Clock::now() >= *deadline; });
  if (prepared.status().code() == absl::StatusCode::kCancelled) {
    return absl::DeadlineExceededError("time ran out while the problem was being prepared");
  }
  if (!prepared.ok()) return prepared.status();

  SolveOptions solve = {.objective = options.objective,
                        .solver = options.solver,
                        .time_limit = std::nullopt,
                        .max_nodes = options.max_nodes,
                        .random_seed = options.seed,
                        .rules = {},
                        .spill_advice = options.spill_advice,
                        .stop = nullptr,
                        .on_incumbent = nullptr};
  if (deadline) solve.time_limit = std::max(*deadline - Clock::now(), Clock::duration::zero());
  absl::StatusOr<SolveResult> result = Solve(*prepared, solve);
  if (!result.ok()) return result.status();

  ClientResult answer;
  answer.result = *std::move(result);
  answer.result.stats.solve_time = Clock::now() - started;
  answer.stop_reason = StopReasonOf(answer.result.limit);
  answer.provenance = answer.result.limit == Limit::kTime && answer.result.solution ? "FALLBACK" : "SOLVED";
  answer.over_capacity = answer.result.solution && capacity && answer.result.solution->peak > *capacity;
  return answer;
}

absl::StatusOr<ClientResult> SolveThere(const Problem& problem, const EngineOptions& options) {
  const absl::StatusOr<Client> client = Client::Create(options.server);
  if (!client.ok()) return client.status();
  ClientSolveOptions solve;
  solve.objective = options.objective;
  solve.timeout = std::min(options.timeout.value_or(kLongestCall), kLongestCall);
  solve.solve_budget = solve.timeout;
  solve.solver = options.solver;
  solve.max_nodes = options.max_nodes;
  solve.random_seed = options.seed;
  solve.spill_advice = options.spill_advice;
  return client->Solve(problem, solve);
}

}  // namespace

absl::StatusOr<ClientResult> SolveWith(const Problem& problem, const EngineOptions& options) {
  return options.server.empty() ? SolveHere(problem, options) : SolveThere(problem, options);
}

}  // namespace telamalloc::cli

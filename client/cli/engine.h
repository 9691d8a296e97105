// One way to solve for all commands: in this process or on a server, with the same answer.
#ifndef TELAMALLOC_CLIENT_CLI_ENGINE_H_
#define TELAMALLOC_CLIENT_CLI_ENGINE_H_

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "telamalloc/client.h"
#include "telamalloc/problem.h"
#include "telamalloc/solver.h"

namespace telamalloc::cli {

struct EngineOptions {
  // host:port; empty: in this process.
  std::string server;
  Objective objective = Objective::kFit;
  std::string solver;
  // Counted from the call, preparing the problem included. Unset: none.
  std::optional<std::chrono::nanoseconds> timeout;
  std::optional<std::int64_t> max_nodes;
  std::uint64_t seed = 0;
  std::int64_t spill_advice = 0;
};

// In this process the words of stop_reason and provenance are those of a server; what only a server can
// tell is empty.
// Errors: those of PreparedProblem::Create, Solve and Client; kDeadlineExceeded when time ran out before the
//   problem was prepared.
absl::StatusOr<ClientResult> SolveWith(const Problem& problem, const EngineOptions& options);

}  // namespace telamalloc::cli

#endif  // TELAMALLOC_CLIENT_CLI_ENGINE_H_

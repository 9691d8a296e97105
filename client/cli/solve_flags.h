// The flags that commands share.
#ifndef TELAMALLOC_CLIENT_CLI_SOLVE_FLAGS_H_
#define TELAMALLOC_CLIENT_CLI_SOLVE_FLAGS_H_

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "client/cli/engine.h"
#include "client/cli/flags.h"
#include "client/cli/formats.h"
#include "telamalloc/solver.h"

namespace telamalloc::cli {

// How to solve.
struct EngineFlags {
  std::optional<std::int64_t> capacity;
  std::optional<Objective> objective;
  std::optional<std::chrono::nanoseconds> timeout = std::chrono::seconds(10);
  std::string solver;
  std::uint64_t seed = 0;
  std::optional<std::int64_t> max_nodes;
};

void DeclareEngineFlags(FlagSet& flags, EngineFlags& values);
void DeclareInputFlags(FlagSet& flags, InputOptions& values);

// Whether there is such a solver in this process; a server may have others.
// Errors: kInvalidArgument with those that there are.
absl::Status CheckSolverName(const std::string& name);

EngineOptions ToEngineOptions(const EngineFlags& values, Objective objective, const std::string& server);

}  // namespace telamalloc::cli

#endif  // TELAMALLOC_CLIENT_CLI_SOLVE_FLAGS_H_

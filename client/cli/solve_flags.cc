#include "client/cli/solve_flags.h"

#include <algorithm>
#include <array>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "client/cli/engine.h"
#include "client/cli/flags.h"
#include "client/cli/formats.h"
#include "telamalloc/solver.h"

namespace telamalloc::cli {
namespace {

constexpr std::array kObjectiveNames = {NamedChoice<Objective>{"fit", Objective::kFit},
                                        NamedChoice<Objective>{"minimize", Objective::kMinimize}};

}  // namespace

void DeclareEngineFlags(FlagSet& flags, EngineFlags& values) {
  flags.Bytes("capacity", "the memory, such as 4096, 512KiB or 1MiB; overrides that of the file",
              values.capacity);
  flags.Choice("objective", kObjectiveNames, "any placement that fits, or the least peak", values.objective);
  flags.Duration("timeout", "with a unit: 250ms, 10s, 1m30s, or inf; default 10s", values.timeout);
  flags.Text("solver", "NAME", absl::StrCat("one of ", absl::StrJoin(SolverNames(), ", ")), values.solver);
  flags.Unsigned("seed", "N", "perturbs tie-breaks between restarts", values.seed);
  flags.Integer("max_nodes", "N", "search decisions; 0: bounds and greedy orders only", values.max_nodes);
}

void DeclareInputFlags(FlagSet& flags, InputOptions& values) {
  flags.Choice("format", kFormatNames, "of the input; default by extension, else csv", values.format);
  flags.Choice("ends", kEndsNames, "what `end` means in CSV with start,end columns", values.ends);
}

absl::Status CheckSolverName(const std::string& name) {
  const auto known = SolverNames();
  if (name.empty() || std::ranges::find(known, absl::string_view(name)) != known.end()) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      absl::StrCat("--solver: unknown name \"", name, "\"; known: ", absl::StrJoin(known, ", ")));
}

EngineOptions ToEngineOptions(const EngineFlags& values, Objective objective, const std::string& server) {
  return {.server = server,
          .objective = objective,
          .solver = values.solver,
          .timeout = values.timeout,
          .max_nodes = values.max_nodes,
          .seed = values.seed};
}

}  // namespace telamalloc::cli

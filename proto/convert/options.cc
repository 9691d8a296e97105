// Every option is checked before any is refused, so that the caller sees all at once. Whether a server offers
// what an option asks for is for the server to say.
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "convert/convert.h"
#include "convert/enums.h"
#include "convert/violations.h"
#include "telamalloc/solver.h"
#include "telamalloc/v1/allocation_service.pb.h"

namespace telamalloc {
namespace {

// What google/protobuf/duration.proto asks of a duration.
bool IsValid(const google::protobuf::Duration& wire) {
  constexpr std::int64_t kMaxSeconds = 315'576'000'000;
  constexpr std::int32_t kMaxNanos = 999'999'999;
  const bool in_range = wire.seconds() >= -kMaxSeconds && wire.seconds() <= kMaxSeconds &&
                        wire.nanos() >= -kMaxNanos && wire.nanos() <= kMaxNanos;
  const bool signs_agree =
      !(wire.seconds() < 0 && wire.nanos() > 0) && !(wire.seconds() > 0 && wire.nanos() < 0);
  return in_range && signs_agree;
}

bool IsKnownSolver(const std::string& name) {
  for (const absl::string_view known : SolverNames()) {
    if (name == known) return true;
  }
  return name.empty();
}

std::optional<std::chrono::nanoseconds> BudgetFromProto(const google::protobuf::Duration& wire,
                                                        WireViolations& violations) {
  const std::chrono::nanoseconds budget = FromProto(wire);
  if (IsValid(wire) && budget > std::chrono::nanoseconds::zero()) return budget;
  violations.Add("solve_budget", IsValid(wire) ? absl::StrCat("must be positive, got ", budget.count(), " ns")
                                               : absl::StrCat("must be a valid duration, got seconds ",
                                                              wire.seconds(), " and nanos ", wire.nanos()));
  return std::nullopt;
}

void SpillsFromProto(const v1::SolveOptions& wire, std::optional<std::size_t> buffers, SolveOptions& solve,
                     WireViolations& violations) {
  solve.spill_advice = wire.spill_advice();
  if (wire.spill_advice() < 0 || wire.spill_advice() > kMaxSpillSets) {
    violations.Add("spill_advice",
                   absl::StrCat("must be 0 to ", kMaxSpillSets, ", got ", wire.spill_advice()));
  }
  solve.spill_costs.assign(wire.spill_costs().begin(), wire.spill_costs().end());
  if (buffers && !solve.spill_costs.empty() && solve.spill_costs.size() != *buffers) {
    violations.Add("spill_costs", absl::StrCat("must be empty or one per buffer, got ",
                                               solve.spill_costs.size(), " for ", *buffers, " buffers"));
  }
  for (std::size_t b = 0; b < solve.spill_costs.size(); ++b) {
    const double cost = solve.spill_costs[b];
    if (std::isfinite(cost) && cost >= 0) continue;
    violations.Add(absl::StrCat("spill_costs[", b, "]"),
                   absl::StrCat("must be finite and not negative, got ", cost));
  }
  if (!wire.has_max_explain_nodes()) return;
  solve.max_explain_nodes = wire.max_explain_nodes();
  if (wire.max_explain_nodes() < 0) {
    violations.Add("max_explain_nodes", absl::StrCat("must not be negative, got ", wire.max_explain_nodes()));
  }
}

}  // namespace

absl::StatusOr<RequestOptions> FromProto(const v1::SolveOptions& wire, std::optional<std::size_t> buffers) {
  WireViolations violations;
  RequestOptions options;
  if (wire.has_solve_budget()) options.solve_budget = BudgetFromProto(wire.solve_budget(), violations);
  options.fallback = EnumFromProto<FallbackPolicy>(wire.fallback_policy(), "fallback_policy", violations);
  options.solve.objective = EnumFromProto<Objective>(wire.objective(), "objective", violations);
  if (!v1::CachePolicy_IsValid(wire.cache_policy())) {
    violations.Add("cache_policy", absl::StrCat("unknown value ", static_cast<int>(wire.cache_policy())));
  }
  options.solve.solver = wire.solver();
  if (!IsKnownSolver(wire.solver())) {
    violations.Add("solver", absl::StrCat("unknown name \"", absl::CHexEscape(wire.solver().substr(0, 64)),
                                          "\"; known: ", absl::StrJoin(SolverNames(), ", ")));
  }
  options.solve.random_seed = wire.random_seed();
  if (wire.has_max_nodes()) options.solve.max_nodes = wire.max_nodes();
  if (wire.max_nodes() < 0) {
    violations.Add("max_nodes", absl::StrCat("must not be negative, got ", wire.max_nodes()));
  }
  SpillsFromProto(wire, buffers, options.solve, violations);
  options.validate_only = wire.validate_only();
  if (absl::Status status = violations.ToStatus(); !status.ok()) return status;
  return options;
}

}  // namespace telamalloc

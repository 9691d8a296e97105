// Every answer is checked before it is handed out: the placement by Verify, the figures against it. A server
// that is wrong, or a message that was mixed up, must not turn into a wrong placement.
#include "client/wire.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "convert/convert.h"
#include "telamalloc/client.h"
#include "telamalloc/problem.h"
#include "telamalloc/solution.h"
#include "telamalloc/solver.h"
#include "telamalloc/v1/allocation_service.pb.h"

namespace telamalloc {
namespace {

using Rule = PlacementViolation::Rule;

constexpr std::array kRules = {Rule::kCount,       Rule::kNegative,   Rule::kRange,   Rule::kAlignment,
                               Rule::kFixedOffset, Rule::kColocation, Rule::kOverlap, Rule::kCapacity};

v1::FallbackPolicy ToProto(ClientFallback fallback) {
  switch (fallback) {
    case ClientFallback::kGreedy:
      return v1::FALLBACK_POLICY_GREEDY;
    case ClientFallback::kGreedyOnTimeout:
      return v1::FALLBACK_POLICY_GREEDY_ON_TIMEOUT;
    case ClientFallback::kNone:
      return v1::FALLBACK_POLICY_NONE;
  }
  return v1::FALLBACK_POLICY_UNSPECIFIED;
}

absl::Status Contradiction(absl::string_view what) {
  return absl::InternalError(absl::StrCat("the server's answer is wrong: ", what));
}

// "COMPLETED" of STOP_REASON_COMPLETED; a value newer than this client is its number.
std::string NameWithout(absl::string_view prefix, const std::string& name, int value) {
  return name.size() > prefix.size() ? name.substr(prefix.size()) : absl::StrCat(value);
}

// Whether outcome, peak and capacity agree with a placement that is right but for the capacity.
absl::Status CheckFigures(const Problem& problem, const ClientResult& answer) {
  const SolveResult& result = answer.result;
  const bool solved = result.outcome == Outcome::kOptimal || result.outcome == Outcome::kFeasible;
  if (!result.solution) return solved ? Contradiction("solved without offsets") : absl::OkStatus();
  const bool over_capacity = problem.capacity && result.solution->peak > *problem.capacity;
  if (solved == over_capacity) {
    return Contradiction(absl::StrCat(Name(result.outcome), " with peak ", result.solution->peak));
  }
  if (answer.over_capacity != over_capacity)
    return Contradiction("over_capacity does not agree with the peak");
  if (result.lower_bound > result.solution->peak) {
    return Contradiction(
        absl::StrCat("lower bound ", result.lower_bound, " above peak ", result.solution->peak));
  }
  return absl::OkStatus();
}

absl::Status CheckPlacement(const Problem& problem, const Solution& solution) {
  // An answer may be over the capacity; CheckFigures knows.
  const VerifyReport report = Verify(problem, solution.offsets, CapacityRule::kIgnored);
  if (!report.ok()) return Contradiction(report.violations.front().description);
  if (report.peak != solution.peak) {
    return Contradiction(absl::StrCat("peak ", solution.peak, " of a placement that reaches ", report.peak));
  }
  return absl::OkStatus();
}

// What stays must fit without what is spilled.
absl::Status CheckSpillSet(const Problem& problem, const SpillSet& set) {
  if (set.offsets.size() != problem.buffers.size()) return Contradiction("a spill set without all offsets");
  Problem kept{.capacity = problem.capacity};
  std::vector<std::int64_t> offsets;
  auto spilled = set.buffers.begin();
  for (std::size_t b = 0; b < problem.buffers.size(); ++b) {
    const bool listed = spilled != set.buffers.end() && *spilled == b;
    if (listed != (set.offsets[b] == kSpilled)) return Contradiction("a spill set against its own offsets");
    if (listed) {
      ++spilled;
      continue;
    }
    kept.buffers.push_back(problem.buffers[b]);
    offsets.push_back(set.offsets[b]);
  }
  if (spilled != set.buffers.end()) return Contradiction("a spill set of unknown buffers");
  const VerifyReport report = Verify(kept, offsets);
  if (!report.ok()) return Contradiction(report.violations.front().description);
  return report.peak == set.peak ? absl::OkStatus() : Contradiction("the peak of a spill set");
}

}  // namespace

v1::SolveAllocationRequest ToRequest(const Problem& problem, const ClientSolveOptions& options) {
  v1::SolveAllocationRequest request;
  *request.mutable_problem() = ToProto(problem);
  v1::SolveOptions& wire = *request.mutable_options();
  if (options.solve_budget) *wire.mutable_solve_budget() = ToProto(*options.solve_budget);
  wire.set_fallback_policy(ToProto(options.fallback));
  wire.set_objective(ToProto(options.objective));
  wire.set_solver(options.solver);
  wire.set_random_seed(options.random_seed);
  if (options.max_nodes) wire.set_max_nodes(*options.max_nodes);
  // The server refuses more than kMaxSpillSets; what the wire cannot hold is more too.
  wire.set_spill_advice(static_cast<std::int32_t>(
      std::clamp<std::int64_t>(options.spill_advice, -1, std::numeric_limits<std::int32_t>::max())));
  wire.mutable_spill_costs()->Assign(options.spill_costs.begin(), options.spill_costs.end());
  if (options.max_explain_nodes) wire.set_max_explain_nodes(*options.max_explain_nodes);
  return request;
}

absl::StatusOr<ClientResult> FromResponse(const Problem& problem, const v1::AllocationResult& wire) {
  absl::StatusOr<SolveResult> result = FromProto(wire);
  if (!result.ok()) return Contradiction(result.status().message());
  const v1::SolveStats& stats = wire.stats();
  ClientResult answer;
  answer.result = *std::move(result);
  answer.stop_reason =
      NameWithout("STOP_REASON_", v1::StopReason_Name(wire.stop_reason()), wire.stop_reason());
  answer.provenance = NameWithout("PROVENANCE_", v1::Provenance_Name(wire.provenance()), wire.provenance());
  answer.over_capacity = wire.over_capacity();
  answer.server_id = stats.server_id();
  answer.solver_version = stats.solver_version();
  answer.problem_digest = stats.problem_digest();
  answer.queue_time = FromProto(stats.queue_duration());
  answer.server_time = FromProto(stats.total_duration());
  answer.budget = FromProto(stats.budget());
  if (absl::Status status = CheckFigures(problem, answer); !status.ok()) return status;
  if (answer.result.solution) {
    if (absl::Status status = CheckPlacement(problem, *answer.result.solution); !status.ok()) return status;
  }
  for (const SpillSet& set : answer.result.spill_advice) {
    if (absl::Status status = CheckSpillSet(problem, set); !status.ok()) return status;
  }
  return answer;
}

absl::StatusOr<VerifyReport> FromResponse(const v1::VerifyAllocationResponse& wire) {
  VerifyReport report;
  report.peak = wire.peak();
  for (const v1::PlacementViolation& violation : wire.violations()) {
    const auto* known = std::ranges::find(kRules, violation.rule(), WireName);
    if (known == kRules.end()) return Contradiction(absl::StrCat("unknown rule ", violation.rule()));
    report.violations.push_back({.rule = *known,
                                 .buffer = static_cast<std::ptrdiff_t>(violation.buffer()),
                                 .other = static_cast<std::ptrdiff_t>(violation.other()),
                                 .description = violation.description()});
  }
  if (wire.valid() != report.ok()) return Contradiction("valid does not agree with the violations");
  return report;
}

Capabilities FromResponse(const v1::GetCapabilitiesResponse& wire) {
  return {.solver_version = wire.solver_version(),
          .server_id = wire.server_id(),
          .solvers = {wire.solvers().begin(), wire.solvers().end()},
          .max_message_bytes = wire.max_message_bytes(),
          .max_buffers = wire.max_buffers(),
          .default_budget = FromProto(wire.default_budget()),
          .max_budget = FromProto(wire.max_budget()),
          .workers = wire.workers(),
          .queue_capacity = wire.queue_capacity()};
}

}  // namespace telamalloc

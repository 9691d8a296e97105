// A result and a report. What the wire adds to a result (provenance, the service's own stop reasons and
// durations) is set by the server afterwards.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "convert/convert.h"
#include "convert/enums.h"
#include "convert/violations.h"
#include "telamalloc/problem.h"
#include "telamalloc/solution.h"
#include "telamalloc/solver.h"
#include "telamalloc/v1/allocation_service.pb.h"

namespace telamalloc {
namespace {

template <typename Positions>
void PositionsToProto(const std::vector<std::size_t>& positions, Positions& wire) {
  wire.Reserve(static_cast<int>(positions.size()));
  for (const std::size_t position : positions) wire.Add(static_cast<std::int64_t>(position));
}

template <typename Positions>
std::vector<std::size_t> PositionsFromProto(const Positions& wire, const char* field,
                                            WireViolations& violations) {
  std::vector<std::size_t> positions;
  for (const std::int64_t position : wire) {
    if (position < 0) violations.Add(field, absl::StrCat("must not be negative, got ", position));
    positions.push_back(static_cast<std::size_t>(position));
  }
  return positions;
}

void InfeasibilityToProto(const Infeasibility& infeasibility, v1::Infeasibility& wire) {
  wire.set_needed(infeasibility.needed);
  wire.set_available(infeasibility.available);
  wire.set_excess(infeasibility.excess);
  wire.set_start(infeasibility.start);
  wire.set_end(infeasibility.end);
  PositionsToProto(infeasibility.buffers, *wire.mutable_buffers());
  PositionsToProto(infeasibility.conflict, *wire.mutable_conflict());
  wire.set_irreducible(infeasibility.irreducible);
  if (infeasibility.sufficient) wire.set_sufficient(*infeasibility.sufficient);
  wire.set_explanation(infeasibility.explanation);
}

void SpillSetToProto(const SpillSet& set, v1::SpillSet& wire) {
  PositionsToProto(set.buffers, *wire.mutable_buffers());
  wire.set_cost(set.cost);
  wire.set_bytes(set.bytes);
  wire.set_minimal(set.minimal);
  wire.mutable_offsets()->Assign(set.offsets.begin(), set.offsets.end());
  wire.set_peak(set.peak);
}

SpillSet SpillSetFromProto(const v1::SpillSet& wire, WireViolations& violations) {
  return {.buffers = PositionsFromProto(wire.buffers(), "spill_advice.buffers", violations),
          .cost = wire.cost(),
          .bytes = wire.bytes(),
          .minimal = wire.minimal(),
          .offsets = {wire.offsets().begin(), wire.offsets().end()},
          .peak = wire.peak()};
}

Infeasibility InfeasibilityFromProto(const v1::Infeasibility& wire, WireViolations& violations) {
  Infeasibility infeasibility = {
      .needed = wire.needed(),
      .available = wire.available(),
      .excess = wire.excess(),
      .start = wire.start(),
      .end = wire.end(),
      .buffers = PositionsFromProto(wire.buffers(), "infeasibility.buffers", violations),
      .conflict = PositionsFromProto(wire.conflict(), "infeasibility.conflict", violations),
      .irreducible = wire.irreducible(),
      .explanation = wire.explanation()};
  if (wire.has_sufficient()) infeasibility.sufficient = wire.sufficient();
  return infeasibility;
}

}  // namespace

v1::AllocationResult ToProto(const Problem& problem, const SolveResult& result) {
  v1::AllocationResult wire;
  wire.set_outcome(ToProto(result.outcome));
  wire.set_stop_reason(ToProto(result.limit));
  wire.set_method(ToProto(result.method));
  wire.set_provenance(v1::PROVENANCE_SOLVED);
  wire.set_lower_bound(result.lower_bound);
  if (result.solution) {
    wire.mutable_offsets()->Assign(result.solution->offsets.begin(), result.solution->offsets.end());
    wire.set_peak(result.solution->peak);
    wire.set_over_capacity(problem.capacity && result.solution->peak > *problem.capacity);
  }
  v1::SolveStats& stats = *wire.mutable_stats();
  *stats.mutable_solve_duration() = ToProto(result.stats.solve_time);
  stats.set_nodes(result.stats.nodes);
  stats.set_minor_backtracks(result.stats.minor_backtracks);
  stats.set_major_backtracks(result.stats.major_backtracks);
  if (result.infeasibility) InfeasibilityToProto(*result.infeasibility, *wire.mutable_infeasibility());
  for (const SpillSet& set : result.spill_advice) SpillSetToProto(set, *wire.add_spill_advice());
  return wire;
}

absl::StatusOr<SolveResult> FromProto(const v1::AllocationResult& wire) {
  WireViolations violations;
  SolveResult result;
  result.outcome = EnumFromProto<Outcome>(wire.outcome(), "outcome", violations);
  result.limit = EnumFromProto<Limit>(wire.stop_reason(), "stop_reason", violations);
  result.method = EnumFromProto<Method>(wire.method(), "method", violations);
  result.lower_bound = wire.lower_bound();
  // A problem without buffers is solved by no offsets.
  const bool solved = result.outcome == Outcome::kOptimal || result.outcome == Outcome::kFeasible;
  if (!wire.offsets().empty() || solved) {
    result.solution =
        Solution{.offsets = {wire.offsets().begin(), wire.offsets().end()}, .peak = wire.peak()};
  }
  result.stats = {.nodes = wire.stats().nodes(),
                  .minor_backtracks = wire.stats().minor_backtracks(),
                  .major_backtracks = wire.stats().major_backtracks(),
                  .solve_time = FromProto(wire.stats().solve_duration())};
  if (wire.has_infeasibility()) {
    result.infeasibility = InfeasibilityFromProto(wire.infeasibility(), violations);
  }
  for (const v1::SpillSet& set : wire.spill_advice()) {
    result.spill_advice.push_back(SpillSetFromProto(set, violations));
  }
  if (absl::Status status = violations.ToStatus(); !status.ok()) return status;
  return result;
}

v1::VerifyAllocationResponse ToProto(const VerifyReport& report) {
  v1::VerifyAllocationResponse wire;
  wire.set_valid(report.ok());
  wire.set_peak(report.peak);
  for (const PlacementViolation& violation : report.violations) {
    v1::PlacementViolation& wire_violation = *wire.add_violations();
    const absl::string_view rule = WireName(violation.rule);
    wire_violation.set_rule(rule.data(), rule.size());
    wire_violation.set_buffer(violation.buffer);
    wire_violation.set_other(violation.other);
    wire_violation.set_description(violation.description);
  }
  return wire;
}

}  // namespace telamalloc

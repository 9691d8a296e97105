// Between the wire (telamalloc.v1) and core types.
//
// FromProto checks what the wire can say and core types cannot: half-set pairs, enum values from the future,
// durations out of range. The rules of the model itself are PreparedProblem::Create's. ToProto never fails;
// what core types can say and the wire cannot is for CheckBuffers (problem.h: an alignment of 0, which would
// become 1) and CheckTexts to refuse before. All functions are linear in their input and thread-safe.
#ifndef TELAMALLOC_PROTO_CONVERT_CONVERT_H_
#define TELAMALLOC_PROTO_CONVERT_CONVERT_H_

#include <google/protobuf/duration.pb.h>

#include <chrono>
#include <cstddef>
#include <optional>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "telamalloc/problem.h"
#include "telamalloc/solution.h"
#include "telamalloc/solver.h"
#include "telamalloc/v1/allocation_service.pb.h"

namespace telamalloc {

// What to do when the search cannot finish; see the proto.
enum class FallbackPolicy { kGreedy, kGreedyOnTimeout, kNone };

// A request's options, defaults filled in: those of the solver, and those of the service around it.
struct RequestOptions {
  // time_limit, stop and on_incumbent are left unset.
  SolveOptions solve;
  std::optional<std::chrono::nanoseconds> solve_budget;
  FallbackPolicy fallback = FallbackPolicy::kGreedy;
  bool validate_only = false;
};

// Errors: kInvalidArgument with every offending field (FieldViolationsOf), paths relative to the message.
absl::StatusOr<Problem> FromProto(const v1::Problem& wire);
// `buffers`: those of the problem, to check what is given per buffer. Unset: left to Solve.
absl::StatusOr<RequestOptions> FromProto(const v1::SolveOptions& wire,
                                         std::optional<std::size_t> buffers = std::nullopt);
// stats.partitions is not transmitted and 0. A stop for overload or drain is Limit::kCancelled.
absl::StatusOr<SolveResult> FromProto(const v1::AllocationResult& wire);

// Saturates where the wire's range is larger.
std::chrono::nanoseconds FromProto(const google::protobuf::Duration& wire);

// Whether the wire can carry the texts of `problem`: name, ids and groups must be UTF-8.
// Errors: kInvalidArgument with every offending field.
absl::Status CheckTexts(const Problem& problem);

v1::Problem ToProto(const Problem& problem);
v1::Objective ToProto(Objective objective);
google::protobuf::Duration ToProto(std::chrono::nanoseconds duration);
v1::VerifyAllocationResponse ToProto(const VerifyReport& report);

// What `result` says of `problem`, as solved to the end or to its budget; stats has the solver's figures
// only.
v1::AllocationResult ToProto(const Problem& problem, const SolveResult& result);

// Name of a rule on the wire, e.g. "fixed_offset".
absl::string_view WireName(PlacementViolation::Rule rule);

}  // namespace telamalloc

#endif  // TELAMALLOC_PROTO_CONVERT_CONVERT_H_

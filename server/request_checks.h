// What is checked of a request before it costs anything, and how large it is.
#ifndef TELAMALLOC_SERVER_REQUEST_CHECKS_H_
#define TELAMALLOC_SERVER_REQUEST_CHECKS_H_

#include <cstdint>
#include <functional>
#include <optional>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "convert/convert.h"
#include "server/errors.h"
#include "telamalloc/problem.h"
#include "telamalloc/solver.h"
#include "telamalloc/v1/allocation_service.pb.h"

namespace telamalloc::server {

// Whether a problem is read and placed greedily within about a millisecond.
enum class RequestSize { kSmall, kLarge };

RequestSize SizeOf(const v1::Problem& problem);

// The error if `problem` has more buffers than `limit`.
std::optional<Error> CheckBuffers(const v1::Problem& problem, std::int64_t limit);

// The error if an option asks for what this server does not have. Refused by name, never ignored.
std::optional<Error> CheckSupported(const v1::SolveOptions& options);

// The problem as FromProto and PreparedProblem::Create have it, ready to solve with options of that
// objective.
//
// Errors: kInvalidArgument and kOutOfRange with the violations of the problem, also for a missing problem and
//   for a capacity that the objective needs; kCancelled if `stop` returned true.
absl::StatusOr<PreparedProblem> Prepare(const v1::Problem& problem, std::optional<Objective> objective,
                                        std::function<bool()> stop);

// Memory that a prepared problem takes while it waits, in bytes, roughly.
std::int64_t EstimateBytes(const Problem& problem);

}  // namespace telamalloc::server

#endif  // TELAMALLOC_SERVER_REQUEST_CHECKS_H_

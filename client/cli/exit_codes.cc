// The one place where errors and outcomes become exit codes.
//
// The codes answer what a script should do next: mend the input (4), try another server or later (5), give
// more time (6). Hence an overloaded server counts as unreachable, and an option that the server does not
// know, or a problem above its limits, as bad input.
#include "client/cli/exit_codes.h"

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "telamalloc/client.h"
#include "telamalloc/solver.h"

namespace telamalloc::cli {
namespace {

// Trying again does not help.
bool IsAboveLimits(absl::string_view reason) {
  return reason == "TOO_MANY_BUFFERS" || reason == "MESSAGE_TOO_LARGE";
}

}  // namespace

ExitCode ExitCodeOf(const absl::Status& status) {
  switch (status.code()) {
    case absl::StatusCode::kInvalidArgument:
    case absl::StatusCode::kOutOfRange:
    case absl::StatusCode::kNotFound:
    case absl::StatusCode::kPermissionDenied:
    case absl::StatusCode::kUnauthenticated:
      return ExitCode::kBadInput;
    case absl::StatusCode::kUnimplemented:
      // Without a reason it is not one of our servers that says so.
      return ReasonOf(status).empty() ? ExitCode::kUnreachable : ExitCode::kBadInput;
    case absl::StatusCode::kResourceExhausted:
      return IsAboveLimits(ReasonOf(status)) ? ExitCode::kBadInput : ExitCode::kUnreachable;
    case absl::StatusCode::kUnavailable:
      return ExitCode::kUnreachable;
    case absl::StatusCode::kDeadlineExceeded:
      return ExitCode::kTimedOut;
    default:
      return ExitCode::kFailure;
  }
}

ExitCode ExitCodeOf(const SolveResult& result) {
  switch (result.outcome) {
    case Outcome::kOptimal:
    case Outcome::kFeasible:
      return ExitCode::kSuccess;
    case Outcome::kInfeasible:
      return ExitCode::kInfeasible;
    case Outcome::kNoSolutionFound:
      break;
  }
  const bool timed_out = result.limit == Limit::kTime && !result.solution.has_value();
  return timed_out ? ExitCode::kTimedOut : ExitCode::kNoSolutionFound;
}

}  // namespace telamalloc::cli

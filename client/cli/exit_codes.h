// What the process says by its exit code; scripts rely on the numbers.
#ifndef TELAMALLOC_CLIENT_CLI_EXIT_CODES_H_
#define TELAMALLOC_CLIENT_CLI_EXIT_CODES_H_

#include "absl/status/status.h"
#include "telamalloc/solver.h"

namespace telamalloc::cli {

enum class ExitCode {
  kSuccess = 0,          // solved; the placement is valid; the server is serving
  kFailure = 1,          // verify: the placement is invalid; else: an error that fits no other code
  kInfeasible = 2,       // proven: nothing fits
  kNoSolutionFound = 3,  // neither found nor ruled out
  kBadInput = 4,         // the command line, a file, the problem or an option
  kUnreachable = 5,      // no server, or one that has no room
  kTimedOut = 6,         // time ran out without an answer
};

// REQUIRES: !status.ok().
ExitCode ExitCodeOf(const absl::Status& status);

// A result that has no placement because time ran out is kTimedOut, not kNoSolutionFound.
ExitCode ExitCodeOf(const SolveResult& result);

}  // namespace telamalloc::cli

#endif  // TELAMALLOC_CLIENT_CLI_EXIT_CODES_H_

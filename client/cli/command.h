// What every command of the command line is made of.
#ifndef TELAMALLOC_CLIENT_CLI_COMMAND_H_
#define TELAMALLOC_CLIENT_CLI_COMMAND_H_

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "client/cli/exit_codes.h"
#include "client/cli/flags.h"

namespace telamalloc::cli {

struct CommandDoc {
  const char* name;
  const char* synopsis;  // what follows the name
  const char* summary;   // one line
  const char* details;   // examples and exit codes, shown by --help
};

struct Command {
  CommandDoc doc;
  ExitCode (*run)(std::span<const std::string> arguments);
};

// The commands, one file each.
Command SolveCommand();
Command VerifyCommand();
Command BenchCommand();
Command CapabilitiesCommand();

enum class Positional { kRefused, kAllowed };

struct ParsedArguments {
  // Set when there is nothing left to do: help was shown, or the arguments are wrong (and it was said).
  std::optional<ExitCode> exit;
  std::vector<std::string> positional;
};

// Reads the arguments of a command, and answers --help.
ParsedArguments ParseArguments(const CommandDoc& doc, const FlagSet& flags,
                               std::span<const std::string> arguments, Positional positional);

// Says on stderr what went wrong, "telamalloc solve: ..." in front of each line, and returns `code`.
ExitCode Fail(const CommandDoc& doc, ExitCode code, absl::string_view message);
// REQUIRES: !status.ok().
ExitCode Fail(const CommandDoc& doc, const absl::Status& status);

// --server where TELAMALLOC_SERVER is its default.
std::string DefaultServer();

}  // namespace telamalloc::cli

#endif  // TELAMALLOC_CLIENT_CLI_COMMAND_H_

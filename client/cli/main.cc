// telamalloc: the command line. The first argument picks a command; each command is a file of its own.
#include <array>
#include <cstdio>
#include <exception>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "client/cli/command.h"
#include "client/cli/exit_codes.h"
#include "client/cli/files.h"
#include "client/cli/printable.h"
#include "telamalloc/solver.h"

namespace telamalloc::cli {
namespace {

std::array<Command, 4> Commands() {
  return {SolveCommand(), VerifyCommand(), BenchCommand(), CapabilitiesCommand()};
}

std::optional<Command> FindCommand(absl::string_view name) {
  for (const Command& command : Commands()) {
    if (name == command.doc.name) return command;
  }
  return std::nullopt;
}

void PrintUsage(std::FILE* out) {
  std::fputs("telamalloc COMMAND [--flag=VALUE]...\nPlaces buffers with known lifetimes in memory.\n\n", out);
  for (const Command& command : Commands()) {
    std::fprintf(out, "  %-14s%s\n", command.doc.name, command.doc.summary);
  }
  std::fputs(
      "  help          this text, or that of a command: telamalloc help solve\n"
      "  version       the version of the solver\n\n"
      "telamalloc solve --input=problem.csv --capacity=1048576 --output=placement.csv\n\n"
      "Exit codes: 0 solved, 1 other failures, 2 infeasible, 3 no solution found, 4 bad input, 5 server\n"
      "unreachable, 6 timed out without an answer.\n",
      out);
}

ExitCode UnknownCommand(const std::string& name) {
  std::fprintf(stderr, "telamalloc: unknown command \"%s\"; see telamalloc help\n", Printable(name).c_str());
  return ExitCode::kBadInput;
}

ExitCode UnexpectedArgument(const std::string& argument) {
  std::fprintf(stderr, "telamalloc: unexpected argument \"%s\"; see telamalloc help\n",
               Printable(argument).c_str());
  return ExitCode::kBadInput;
}

ExitCode Help(std::span<const std::string> arguments) {
  if (arguments.empty()) {
    PrintUsage(stdout);
    return ExitCode::kSuccess;
  }
  if (arguments.size() > 1) return UnexpectedArgument(arguments[1]);
  const std::optional<Command> command = FindCommand(arguments.front());
  if (!command) return UnknownCommand(arguments.front());
  return command->run(std::array<std::string, 1>{"--help"});
}

ExitCode Main(std::span<const std::string> arguments) {
  if (arguments.empty()) {
    PrintUsage(stderr);
    return ExitCode::kBadInput;
  }
  const std::string& name = arguments.front();
  const std::span<const std::string> rest = arguments.subspan(1);
  if (name == "help" || name == "--help" || name == "-h") return Help(rest);
  if (name == "version" || name == "--version") {
    if (!rest.empty()) return UnexpectedArgument(rest.front());
    std::printf("telamalloc %s\n", absl::StrCat(SolverVersion()).c_str());
    return ExitCode::kSuccess;
  }
  const std::optional<Command> command = FindCommand(name);
  return command ? command->run(rest) : UnknownCommand(name);
}

// What printed without asking whether it worked (help, rows) is asked here.
ExitCode AfterOutput(ExitCode code) {
  const absl::Status flushed = FlushStandardOutput();
  if (flushed.ok() || code == ExitCode::kBadInput) return code;
  std::fprintf(stderr, "telamalloc: %s\n", absl::StrCat(flushed.message()).c_str());
  return ExitCodeOf(flushed);
}

// Libraries open files of their own when they are loaded, before main.
[[gnu::section(".preinit_array"), gnu::used]] void (*const hold_standard_streams)() = HoldStandardStreams;

}  // namespace
}  // namespace telamalloc::cli

int main(int argc, char** argv) {
  try {
    const std::vector<std::string> arguments(argv + (argc > 0 ? 1 : 0), argv + argc);
    return static_cast<int>(telamalloc::cli::AfterOutput(telamalloc::cli::Main(arguments)));
  } catch (const std::exception& error) {  // out of memory, most likely
    std::fprintf(stderr, "telamalloc: %s\n", error.what());
    return static_cast<int>(telamalloc::cli::ExitCode::kFailure);
  }
}

#include "client/cli/command.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "client/cli/printable.h"

namespace telamalloc::cli {

ParsedArguments ParseArguments(const CommandDoc& doc, const FlagSet& flags,
                               std::span<const std::string> arguments, Positional positional) {
  const auto end = std::ranges::find(arguments, "--");
  const auto is_help = [](const std::string& argument) { return argument == "--help" || argument == "-h"; };
  if (std::any_of(arguments.begin(), end, is_help)) {
    std::printf("telamalloc %s %s\n%s\n\n%s\n%s", doc.name, doc.synopsis, doc.summary, flags.Help().c_str(),
                doc.details);
    return {.exit = ExitCode::kSuccess, .positional = {}};
  }
  absl::StatusOr<std::vector<std::string>> rest = flags.Parse(arguments);
  const std::string hint = absl::StrCat("; see telamalloc ", doc.name, " --help");
  if (!rest.ok()) {
    return {.exit = Fail(doc, ExitCode::kBadInput, absl::StrCat(rest.status().message(), hint)),
            .positional = {}};
  }
  if (positional == Positional::kRefused && !rest->empty()) {
    const std::string message = absl::StrCat("unexpected argument \"", rest->front(), "\"", hint);
    return {.exit = Fail(doc, ExitCode::kBadInput, message), .positional = {}};
  }
  return {.exit = std::nullopt, .positional = *std::move(rest)};
}

ExitCode Fail(const CommandDoc& doc, ExitCode code, absl::string_view message) {
  for (const absl::string_view line : absl::StrSplit(message, '\n')) {
    // A message may quote the input, which may hold what would upset a terminal.
    std::fprintf(stderr, "telamalloc %s: %s\n", doc.name, Printable(line).c_str());
  }
  return code;
}

ExitCode Fail(const CommandDoc& doc, const absl::Status& status) {
  return Fail(doc, ExitCodeOf(status), status.message());
}

std::string DefaultServer() {
  const char* server = std::getenv("TELAMALLOC_SERVER");
  return server == nullptr ? "" : server;
}

}  // namespace telamalloc::cli

// telamalloc capabilities: what a server accepts and runs.
#include <chrono>
#include <cstdio>
#include <optional>
#include <span>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/str_join.h"
#include "absl/time/time.h"
#include "client/cli/command.h"
#include "client/cli/printable.h"
#include "telamalloc/client.h"

namespace telamalloc::cli {
namespace {

constexpr CommandDoc kDoc = {.name = "capabilities",
                             .synopsis = "--server=HOST:PORT [--timeout=2s]",
                             .summary = "Asks a server what it accepts and runs.",
                             .details =
                                 "Example:\n"
                                 "  telamalloc capabilities --server=127.0.0.1:50551\n\n"
                                 "Exit codes: 0 answered, 4 bad flags, 5 server unreachable, 6 no answer "
                                 "in time.\n"};

void Print(const Capabilities& capabilities) {
  const auto text = [](std::chrono::nanoseconds time) {
    return absl::FormatDuration(absl::FromChrono(time));
  };
  std::printf("server_id: %s\nsolver_version: %s\nsolvers: %s\n", Printable(capabilities.server_id).c_str(),
              Printable(capabilities.solver_version).c_str(),
              Printable(absl::StrJoin(capabilities.solvers, " ")).c_str());
  std::printf("max_message_bytes: %lld\nmax_buffers: %lld\nworkers: %lld\nqueue_capacity: %lld\n",
              static_cast<long long>(capabilities.max_message_bytes),
              static_cast<long long>(capabilities.max_buffers), static_cast<long long>(capabilities.workers),
              static_cast<long long>(capabilities.queue_capacity));
  std::printf("default_budget: %s\nmax_budget: %s\n", text(capabilities.default_budget).c_str(),
              text(capabilities.max_budget).c_str());
}

ExitCode Run(std::span<const std::string> arguments) {
  std::string server = DefaultServer();
  std::optional<std::chrono::nanoseconds> timeout = std::chrono::seconds(2);
  FlagSet flags;
  flags.Text("server", "HOST:PORT", "the server (TELAMALLOC_SERVER)", server);
  flags.Duration("timeout", "with a unit: 250ms, 10s; default 2s", timeout);
  const ParsedArguments parsed = ParseArguments(kDoc, flags, arguments, Positional::kRefused);
  if (parsed.exit) return *parsed.exit;
  if (server.empty()) return Fail(kDoc, ExitCode::kBadInput, "no server: say --server=HOST:PORT");

  const absl::StatusOr<Client> client = Client::Create(server);
  if (!client.ok()) return Fail(kDoc, client.status());
  const absl::StatusOr<Capabilities> capabilities = client->GetCapabilities({.timeout = timeout, .stop = {}});
  if (!capabilities.ok()) return Fail(kDoc, capabilities.status());
  Print(*capabilities);
  return ExitCode::kSuccess;
}

}  // namespace

Command CapabilitiesCommand() { return {.doc = kDoc, .run = Run}; }

}  // namespace telamalloc::cli

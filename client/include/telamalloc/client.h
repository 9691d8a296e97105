// The client of an allocation server: a problem in, a placement out, before a deadline.
//
//   absl::StatusOr<Client> client = Client::Create("127.0.0.1:50551");
//   absl::StatusOr<ClientResult> answer = client->Solve(problem, {.timeout = std::chrono::seconds(1)});
//   if (answer.ok() && answer->result.outcome == Outcome::kFeasible) Use(answer->result.solution->offsets);
//
// As in solver.h, what is known of the problem and why the search stopped are data; a Status means that the
// call itself failed. Every call has a deadline and can be cancelled. Neither gRPC nor protobuf shows.
#ifndef TELAMALLOC_CLIENT_H_
#define TELAMALLOC_CLIENT_H_

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "telamalloc/problem.h"
#include "telamalloc/solution.h"
#include "telamalloc/solver.h"

namespace telamalloc {

struct ClientOptions {
  // Deadline of a call that sets none; > 0.
  std::chrono::nanoseconds default_timeout = std::chrono::seconds(30);
  // A connection that is not up within this time counts as unavailable; > 0.
  std::chrono::milliseconds connect_timeout = std::chrono::seconds(2);
  // Largest message in bytes, sent or received; >= 1. The server has a limit of its own (GetCapabilities).
  std::int64_t max_message_bytes = std::int64_t{64} << 20;
  // How often a call is made while the server is unavailable, the first included; 1 to 5. All attempts
  // share the call's one deadline.
  int max_attempts = 3;
};

// What the server does when the search cannot finish.
enum class ClientFallback {
  kGreedy,           // the best verified placement so far, also when the server is overloaded
  kGreedyOnTimeout,  // the same when time runs out; overload is kResourceExhausted
  kNone,             // kDeadlineExceeded when time runs out, kResourceExhausted on overload
};

// How long a call may take, and how to call it off.
struct CallOptions {
  // Deadline counted from the call, > 0. Unset: ClientOptions::default_timeout.
  std::optional<std::chrono::nanoseconds> timeout;
  // A stop request ends the call with kCancelled at once, and the work on the server within 10 ms.
  std::stop_token stop;
};

struct ClientSolveOptions {
  Objective objective = Objective::kFit;
  // As in CallOptions. The server answers before it with the best it has.
  std::optional<std::chrono::nanoseconds> timeout;
  // As in CallOptions.
  std::stop_token stop;
  // Time for waiting and solving on the server, > 0. Unset: all of `timeout`, within the server's limit.
  std::optional<std::chrono::nanoseconds> solve_budget;
  ClientFallback fallback = ClientFallback::kGreedy;
  // As in SolveOptions. Unset and empty: the server's defaults.
  std::string solver;
  std::optional<std::int64_t> max_nodes;
  std::uint64_t random_seed = 0;
  std::int64_t spill_advice = 0;
  std::vector<double> spill_costs;
  std::optional<std::int64_t> max_explain_nodes;
};

struct ClientResult {
  // As from Solve in solver.h, placement checked again on this side. stats.partitions is not transmitted.
  SolveResult result;
  // Why the search stopped in the server's own words: "COMPLETED", "TIME", "NODES", "OVERLOAD", "DRAIN".
  // result.limit has no word for the last two and says kCancelled.
  std::string stop_reason;
  // Where the answer comes from: "SOLVED" or "FALLBACK" (the best at hand when time or room ran out).
  std::string provenance;
  // The placement's peak is above the capacity: a plan to spill by.
  bool over_capacity = false;

  std::string server_id;
  std::string solver_version;
  // Empty on a server that computes none.
  std::string problem_digest;
  // On the server: arrival until a worker took it; arrival until reply; the budget it was given.
  std::chrono::nanoseconds queue_time{0};
  std::chrono::nanoseconds server_time{0};
  std::chrono::nanoseconds budget{0};
  // Seen from here: call until answer.
  std::chrono::nanoseconds round_trip{0};
};

// What a server accepts and runs.
struct Capabilities {
  std::string solver_version;
  std::string server_id;
  std::vector<std::string> solvers;
  std::int64_t max_message_bytes = 0;
  std::int64_t max_buffers = 0;
  std::chrono::nanoseconds default_budget{0};
  std::chrono::nanoseconds max_budget{0};
  std::int64_t workers = 0;
  std::int64_t queue_capacity = 0;
};

// Connections to one server or several alike, each opened by its first call and reused by all. Move-only.
//
// Errors of every call: the code the server chose, or
//   kUnavailable       no connection, or the server is draining
//   kDeadlineExceeded  no answer in time
//   kCancelled         a stop was requested
//   kInvalidArgument   without asking the server: an option of the call is out of range, the problem breaks a
//                      rule that CheckBuffers (problem.h) knows, has a text that is not UTF-8, or takes more
//                      than max_message_bytes; kOutOfRange as CheckBuffers says
//   kInternal          the server's answer contradicts the problem (never handed out)
// ReasonOf and FieldViolationsOf (problem.h) tell the details that the server attached.
// Thread-safe: any number of calls at a time.
class Client {
 public:
  // `target` is host:port or any name gRPC resolves ("dns:///farm:50551", "unix:/run/telamallocd.sock"), or
  // several of them with commas between: calls take turns in which one they ask first, and ask the next while
  // one is unavailable, all within the call's one deadline.
  // Does not connect. Errors: kInvalidArgument for what is no such target (a port is required) and for
  // options out of range.
  static absl::StatusOr<Client> Create(absl::string_view target, const ClientOptions& options = {});

  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;
  Client(Client&&) noexcept;
  Client& operator=(Client&&) noexcept;
  ~Client();

  // Solves `problem` on the server. Blocks until answer, deadline or stop.
  [[nodiscard]] absl::StatusOr<ClientResult> Solve(const Problem& problem,
                                                   const ClientSolveOptions& options = {}) const;

  // Checks a placement on the server, as Verify in solution.h does here.
  [[nodiscard]] absl::StatusOr<VerifyReport> Verify(const Problem& problem,
                                                    std::span<const std::int64_t> offsets,
                                                    const CallOptions& options = {}) const;

  [[nodiscard]] absl::StatusOr<Capabilities> GetCapabilities(const CallOptions& options = {}) const;

 private:
  struct Impl;
  explicit Client(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

// The machine-readable reason of an error from a server, in upper case, e.g. "INVALID_REQUEST"; that of a
// message above the limit of either side is "MESSAGE_TOO_LARGE". Empty when there is none.
std::string ReasonOf(const absl::Status& status);

}  // namespace telamalloc

#endif  // TELAMALLOC_CLIENT_H_

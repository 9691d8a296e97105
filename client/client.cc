// A call is a blocking one on the caller's thread, with two ways out: gRPC's deadline, and a stop callback
// that cancels the context. gRPC remembers a cancel that comes before the call begins, so a stop that was
// requested earlier is not lost.
#include "telamalloc/client.h"

#include <grpcpp/channel.h>
#include <grpcpp/client_context.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "client/channel.h"
#include "client/rpc_status.h"
#include "client/target.h"
#include "client/wire.h"
#include "convert/convert.h"
#include "telamalloc/problem.h"
#include "telamalloc/v1/allocation_service.grpc.pb.h"

namespace telamalloc {
namespace {

using std::chrono::nanoseconds;

// Longer deadlines would only test the limits of clocks.
constexpr nanoseconds kLongestTimeout = std::chrono::hours(24 * 365);

absl::Status CheckAboveZero(absl::string_view option, std::optional<nanoseconds> value) {
  if (!value || value->count() > 0) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(option, ": must be above 0, got ", value->count(), " ns"));
}

absl::Status CheckOptions(const ClientOptions& options) {
  if (absl::Status status = CheckAboveZero("default_timeout", options.default_timeout); !status.ok())
    return status;
  if (absl::Status status = CheckAboveZero("connect_timeout", options.connect_timeout); !status.ok())
    return status;
  if (options.max_message_bytes < 1) {
    return absl::InvalidArgumentError(
        absl::StrCat("max_message_bytes: must be at least 1, got ", options.max_message_bytes));
  }
  if (options.max_attempts < 1 || options.max_attempts > 5) {
    return absl::InvalidArgumentError(
        absl::StrCat("max_attempts: must be 1 to 5, got ", options.max_attempts));
  }
  return absl::OkStatus();
}

absl::Status CheckOptions(const ClientSolveOptions& options) {
  if (absl::Status status = CheckAboveZero("timeout", options.timeout); !status.ok()) return status;
  return CheckAboveZero("solve_budget", options.solve_budget);
}

// What the server would refuse, and what the wire would lose on the way there.
absl::Status CheckProblem(const Problem& problem) {
  if (absl::Status status = CheckBuffers(problem); !status.ok()) return status;
  return CheckTexts(problem);
}

template <typename Request>
absl::Status CheckSize(const Request& request, std::int64_t max_bytes) {
  const auto bytes = static_cast<std::int64_t>(request.ByteSizeLong());
  if (bytes <= max_bytes) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("problem: must take at most ", max_bytes, " bytes as a message, takes ", bytes));
}

}  // namespace

// One of the servers that a client may ask.
struct Server {
  std::string target;
  std::shared_ptr<grpc::Channel> channel;
  std::unique_ptr<v1::AllocationService::Stub> stub;
};

struct Client::Impl {
  using Stub = v1::AllocationService::Stub;
  template <typename Request, typename Response>
  using Method = grpc::Status (Stub::*)(grpc::ClientContext*, const Request&, Response*);

  // Asks one server, and while it is unavailable the others.
  template <typename Request, typename Response>
  absl::StatusOr<Response> Call(Method<Request, Response> method, const Request& request,
                                const CallOptions& call);
  template <typename Request, typename Response>
  absl::StatusOr<Response> CallOne(const Server& server, Method<Request, Response> method,
                                   const Request& request, std::chrono::system_clock::time_point deadline,
                                   const std::stop_token& stop) const;

  ClientOptions options;
  std::vector<Server> servers;
  std::atomic<std::size_t> calls{0};  // so far; they take turns in which server they ask first
};

template <typename Request, typename Response>
absl::StatusOr<Response> Client::Impl::Call(Method<Request, Response> method, const Request& request,
                                            const CallOptions& call) {
  if (absl::Status status = CheckAboveZero("timeout", call.timeout); !status.ok()) return status;
  if (absl::Status status = CheckSize(request, options.max_message_bytes); !status.ok()) return status;
  const nanoseconds timeout = std::min(call.timeout.value_or(options.default_timeout), kLongestTimeout);
  const auto deadline = std::chrono::system_clock::now() + timeout;
  const std::size_t first = calls.fetch_add(1, std::memory_order_relaxed);
  absl::StatusOr<Response> response;
  for (std::size_t turn = 0; turn < servers.size(); ++turn) {
    response = CallOne(servers[(first + turn) % servers.size()], method, request, deadline, call.stop);
    if (!absl::IsUnavailable(response.status()) || std::chrono::system_clock::now() >= deadline) break;
  }
  return response;
}

template <typename Request, typename Response>
absl::StatusOr<Response> Client::Impl::CallOne(const Server& server, Method<Request, Response> method,
                                               const Request& request,
                                               std::chrono::system_clock::time_point deadline,
                                               const std::stop_token& stop) const {
  grpc::ClientContext context;
  context.set_deadline(deadline);
  Response response;
  grpc::Status status;
  {
    const std::stop_callback cancel(stop, [&context] { context.TryCancel(); });
    status = (server.stub.get()->*method)(&context, request, &response);
  }
  if (status.ok()) return response;
  // Time that ran out while connecting says nothing of the server's work.
  const bool connected = server.channel->GetState(false) == GRPC_CHANNEL_READY;
  if (status.error_code() == grpc::StatusCode::DEADLINE_EXCEEDED && !connected) {
    return absl::UnavailableError(absl::StrCat("server ", server.target, ": no connection in time"));
  }
  const absl::Status error = FromRpcStatus(status);
  // Which server is to blame: it is away, or something else listens there.
  if (status.error_code() == grpc::StatusCode::UNAVAILABLE ||
      status.error_code() == grpc::StatusCode::UNIMPLEMENTED) {
    absl::Status located(error.code(), absl::StrCat("server ", server.target, ": ", error.message()));
    error.ForEachPayload(
        [&located](absl::string_view url, const absl::Cord& payload) { located.SetPayload(url, payload); });
    return located;
  }
  return error;
}

Client::Client(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Client::Client(Client&&) noexcept = default;
Client& Client::operator=(Client&&) noexcept = default;
Client::~Client() = default;

absl::StatusOr<Client> Client::Create(absl::string_view target, const ClientOptions& options) {
  if (absl::Status status = CheckOptions(options); !status.ok()) return status;
  auto impl = std::make_unique<Impl>();
  impl->options = options;
  absl::StatusOr<std::vector<std::string>> targets = ParseTargets(target);
  if (!targets.ok()) return targets.status();
  for (std::string& name : *targets) {
    Server server = {.target = std::move(name), .channel = nullptr, .stub = nullptr};
    server.channel = MakeChannel(server.target, options);
    server.stub = v1::AllocationService::NewStub(server.channel);
    impl->servers.push_back(std::move(server));
  }
  return Client(std::move(impl));
}

absl::StatusOr<ClientResult> Client::Solve(const Problem& problem, const ClientSolveOptions& options) const {
  if (absl::Status status = CheckOptions(options); !status.ok()) return status;
  if (absl::Status status = CheckProblem(problem); !status.ok()) return status;
  const auto started = std::chrono::steady_clock::now();
  const absl::StatusOr<v1::SolveAllocationResponse> response =
      impl_->Call(&Impl::Stub::SolveAllocation, ToRequest(problem, options),
                  {.timeout = options.timeout, .stop = options.stop});
  if (!response.ok()) return response.status();
  absl::StatusOr<ClientResult> answer = FromResponse(problem, response->result());
  if (answer.ok()) answer->round_trip = std::chrono::steady_clock::now() - started;
  return answer;
}

absl::StatusOr<VerifyReport> Client::Verify(const Problem& problem, std::span<const std::int64_t> offsets,
                                            const CallOptions& options) const {
  if (absl::Status status = CheckProblem(problem); !status.ok()) return status;
  v1::VerifyAllocationRequest request;
  *request.mutable_problem() = ToProto(problem);
  request.mutable_offsets()->Add(offsets.begin(), offsets.end());
  const absl::StatusOr<v1::VerifyAllocationResponse> response =
      impl_->Call(&Impl::Stub::VerifyAllocation, request, options);
  if (!response.ok()) return response.status();
  return FromResponse(*response);
}

absl::StatusOr<Capabilities> Client::GetCapabilities(const CallOptions& options) const {
  const absl::StatusOr<v1::GetCapabilitiesResponse> response =
      impl_->Call(&Impl::Stub::GetCapabilities, v1::GetCapabilitiesRequest(), options);
  if (!response.ok()) return response.status();
  return FromResponse(*response);
}

}  // namespace telamalloc

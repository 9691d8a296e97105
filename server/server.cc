#include "server/server.h"

#include <grpc/compression.h>
#include <grpc/grpc.h>
#include <grpcpp/ext/proto_server_reflection_plugin.h>
#include <grpcpp/health_check_service_interface.h>
#include <grpcpp/impl/server_builder_option.h>
#include <grpcpp/impl/server_builder_plugin.h>
#include <grpcpp/resource_quota.h>
#include <grpcpp/security/server_credentials.h>
#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "server/admin.h"
#include "server/allocation_service.h"
#include "server/call.h"
#include "server/log.h"
#include "server/parts.h"
#include "server/service_state.h"
#include "server/settings.h"
#include "telamalloc/solver.h"
#include "telamalloc/v1/allocation_service.grpc.pb.h"

namespace telamalloc::server {
namespace {

// A client that vanished without a word is noticed after the sum of both.
constexpr int kKeepaliveMs = 30'000;
constexpr int kKeepaliveTimeoutMs = 10'000;
// Bytes that a client may send before it hears from us. With gRPC's 64 KiB, many requests at once reach us a
// few at a time, and those that wait on the client's side are known to nobody while their time runs out.
constexpr int kReceiveWindow = 4 << 20;
// Clients may ping so often, also without a call.
constexpr int kMinPingIntervalMs = 10'000;
// Only reflection takes threads by the call; everything else has a fixed number.
constexpr int kMaxSyncThreads = 4;
// At the end, when every call has been answered: for the last bytes to leave.
constexpr auto kLastBytes = std::chrono::seconds(1);

// Linking the reflection library adds its plugin to every server; this leaves it in or takes it out.
class ReflectionOption final : public grpc::ServerBuilderOption {
 public:
  explicit ReflectionOption(bool enabled) : enabled_(enabled) {}

  void UpdateArguments(grpc::ChannelArguments* /*arguments*/) override {}
  void UpdatePlugins(std::vector<std::unique_ptr<grpc::ServerBuilderPlugin>>* plugins) override {
    auto reflection = std::make_unique<grpc::reflection::ProtoServerReflectionPlugin>();
    const std::string name = reflection->name();
    std::erase_if(*plugins, [&name](const auto& plugin) { return plugin->name() == name; });
    if (enabled_) plugins->push_back(std::move(reflection));
  }

 private:
  bool enabled_;
};

void Configure(const Settings& settings, grpc::ServerBuilder& builder) {
  builder.SetMaxReceiveMessageSize(static_cast<int>(settings.max_message_bytes));
  // A small compressed request can expand past every limit before gRPC checks it.
  builder.SetCompressionAlgorithmSupportStatus(GRPC_COMPRESS_DEFLATE, false);
  builder.SetCompressionAlgorithmSupportStatus(GRPC_COMPRESS_GZIP, false);
  // Otherwise two servers share one port without a word.
  builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_STREAM_LOOKAHEAD_BYTES, kReceiveWindow);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_BDP_PROBE, 0);  // it would shrink the window
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIME_MS, kKeepaliveMs);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, kKeepaliveTimeoutMs);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS, kMinPingIntervalMs);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1);
  builder.SetSyncServerOption(grpc::ServerBuilder::NUM_CQS, 1);
  builder.SetSyncServerOption(grpc::ServerBuilder::MAX_POLLERS, 1);
  builder.SetResourceQuota(grpc::ResourceQuota("telamallocd").SetMaxThreads(kMaxSyncThreads));
  builder.SetOption(std::make_unique<ReflectionOption>(settings.enable_reflection));
}

}  // namespace

AllocationServer::AllocationServer(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}

absl::StatusOr<std::unique_ptr<AllocationServer>> AllocationServer::Start(const Settings& settings) {
  return Start(settings, [](const PreparedProblem& prepared, const SolveOptions& options) {
    return Solve(prepared, options);
  });
}

absl::StatusOr<std::unique_ptr<AllocationServer>> AllocationServer::Start(const Settings& settings,
                                                                          SolveFunction solve) {
  if (absl::Status status = Validate(settings); !status.ok()) return status;
  auto parts = std::make_unique<Parts>(settings, std::move(solve));
  grpc::EnableDefaultHealthCheckService(true);
  grpc::ServerBuilder builder;
  Configure(settings, builder);
  builder.AddListeningPort(settings.listen_address, grpc::InsecureServerCredentials(), &parts->port);
  builder.RegisterService(&parts->service);
  parts->server = builder.BuildAndStart();
  if (parts->server == nullptr || parts->port == 0) {
    return absl::UnavailableError(absl::StrCat("listen_address: cannot listen at ", settings.listen_address));
  }
  if (!settings.admin_address.empty()) {
    absl::StatusOr<std::unique_ptr<Admin>> admin = Admin::Start(settings.admin_address, parts->state);
    if (!admin.ok()) {
      parts->Stop(Duration::zero(), Duration::zero());
      return admin.status();
    }
    parts->admin = *std::move(admin);
  }
  parts->server->GetHealthCheckService()->SetServingStatus(v1::AllocationService::service_full_name(), true);
  parts->state.log.Write(LogLevel::kInfo, "started",
                         {{"version", absl::StrCat(SolverVersion())},
                          {"port", std::int64_t{parts->port}},
                          {"admin_port", std::int64_t{parts->admin == nullptr ? 0 : parts->admin->port()}},
                          {"workers", std::int64_t{parts->state.workers}}});
  return std::unique_ptr<AllocationServer>(new AllocationServer(std::move(parts)));
}

AllocationServer::~AllocationServer() { parts_->Stop(Duration::zero(), Duration::zero()); }

int AllocationServer::port() const { return parts_->port; }
int AllocationServer::admin_port() const { return parts_->admin == nullptr ? 0 : parts_->admin->port(); }

void AllocationServer::Drain() {
  const Settings& settings = parts_->state.settings;
  parts_->Stop(settings.predrain, settings.drain_timeout);
}

void AllocationServer::Wait() {
  absl::MutexLock lock(&parts_->stop_mutex);
  while (!parts_->stopped) parts_->has_stopped.Wait(&parts_->stop_mutex);
}

void AllocationServer::Parts::Stop(Duration predrain, Duration drain_timeout) {
  absl::MutexLock lock(&stop_mutex);
  if (stopped) return;
  state.log.Write(LogLevel::kInfo, "draining", {{"requests", state.calls.size()}});
  state.ready = false;
  server->GetHealthCheckService()->SetServingStatus(false);
  absl::SleepFor(absl::FromChrono(predrain));

  state.draining = true;
  for (const std::shared_ptr<Call>& call : state.calls.Get()) call->DrainIfWaiting();
  if (!state.calls.WaitUntilEmpty(drain_timeout)) {
    for (const std::shared_ptr<Call>& call : state.calls.Get()) call->DrainNow();
  }
  server->Shutdown(std::chrono::system_clock::now() + kLastBytes);
  state.log.Write(LogLevel::kInfo, "stopped", {});
  stopped = true;
  has_stopped.SignalAll();
}

}  // namespace telamalloc::server

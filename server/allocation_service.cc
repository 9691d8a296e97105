#include "server/allocation_service.h"

#include <grpcpp/server_context.h>
#include <grpcpp/support/server_callback.h>
#include <grpcpp/support/status.h>

#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "convert/convert.h"
#include "server/call.h"
#include "server/messages.h"
#include "server/metrics.h"
#include "server/service_state.h"
#include "server/settings.h"
#include "server/solve_call.h"
#include "server/verify_call.h"
#include "telamalloc/solver.h"
#include "telamalloc/v1/allocation_service.pb.h"

namespace telamalloc::server {
namespace {

// One GetCapabilities; answered at once, also while draining.
class CapabilitiesCall final : public Call {
 public:
  CapabilitiesCall(ServiceState& state, grpc::CallbackServerContext& context)
      : Call(state, context, Rpc::kGetCapabilities) {}

  void Start(v1::GetCapabilitiesResponse& response) {
    Open();
    const Settings& settings = state().settings;
    response.set_solver_version(absl::StrCat(SolverVersion()));
    response.set_server_id(state().server_id);
    for (const absl::string_view name : SolverNames()) response.add_solvers(absl::StrCat(name));
    response.set_max_message_bytes(settings.max_message_bytes);
    response.set_max_buffers(settings.max_buffers);
    *response.mutable_default_budget() = ToProto(settings.default_budget);
    *response.mutable_max_budget() = ToProto(settings.max_budget);
    response.set_workers(state().workers);
    response.set_queue_capacity(settings.queue_capacity);
    if (Claim()) Answer(grpc::Status::OK);
  }

  void DrainIfWaiting() override {}
  void DrainNow() override {}
};

}  // namespace

AllocationService::AllocationService(ServiceState& state) : state_(&state) {
  SetMessageAllocatorFor_SolveAllocation(&solve_messages_);
  SetMessageAllocatorFor_VerifyAllocation(&verify_messages_);
}

grpc::ServerUnaryReactor* AllocationService::SolveAllocation(grpc::CallbackServerContext* context,
                                                             const v1::SolveAllocationRequest* /*request*/,
                                                             v1::SolveAllocationResponse* response) {
  using Memory = Messages<v1::SolveAllocationRequest, v1::SolveAllocationResponse>;
  const auto call = std::make_shared<SolveCall>(*state_, *context, Memory::TakeRequest(*context), *response);
  call->Start();
  return call.get();
}

grpc::ServerUnaryReactor* AllocationService::VerifyAllocation(grpc::CallbackServerContext* context,
                                                              const v1::VerifyAllocationRequest* /*request*/,
                                                              v1::VerifyAllocationResponse* response) {
  using Memory = Messages<v1::VerifyAllocationRequest, v1::VerifyAllocationResponse>;
  const auto call = std::make_shared<VerifyCall>(*state_, *context, Memory::TakeRequest(*context), *response);
  call->Start();
  return call.get();
}

grpc::ServerUnaryReactor* AllocationService::GetCapabilities(grpc::CallbackServerContext* context,
                                                             const v1::GetCapabilitiesRequest* /*request*/,
                                                             v1::GetCapabilitiesResponse* response) {
  const auto call = std::make_shared<CapabilitiesCall>(*state_, *context);
  call->Start(*response);
  return call.get();
}

}  // namespace telamalloc::server

// One VerifyAllocation: checked where a SolveAllocation is taken in.
#ifndef TELAMALLOC_SERVER_VERIFY_CALL_H_
#define TELAMALLOC_SERVER_VERIFY_CALL_H_

#include <grpcpp/server_context.h>

#include <memory>

#include "server/call.h"
#include "server/messages.h"
#include "server/service_state.h"
#include "telamalloc/v1/allocation_service.pb.h"

namespace telamalloc::server {

class VerifyCall final : public Call {
 public:
  using Request = std::shared_ptr<const RequestMemory<v1::VerifyAllocationRequest>>;

  VerifyCall(ServiceState& state, grpc::CallbackServerContext& context, Request request,
             v1::VerifyAllocationResponse& response);

  // REQUIRES: called once, by the method handler, which keeps a shared_ptr meanwhile.
  void Start();

  // There is nothing to answer with before the end, so that it may take until then.
  void DrainIfWaiting() override {}
  void DrainNow() override;

 private:
  void Check();

  const Request request_;
  v1::VerifyAllocationResponse* const response_;
};

}  // namespace telamalloc::server

#endif  // TELAMALLOC_SERVER_VERIFY_CALL_H_

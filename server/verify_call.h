// One VerifyAllocation. Small ones are checked where they arrive, large ones on the intake threads.
#ifndef TELAMALLOC_SERVER_VERIFY_CALL_H_
#define TELAMALLOC_SERVER_VERIFY_CALL_H_

#include <grpcpp/server_context.h>

#include <memory>
#include <optional>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "server/call.h"
#include "server/messages.h"
#include "server/service_state.h"
#include "server/work_queue.h"
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
  void OnAnswered() override;

  const Request request_;
  v1::VerifyAllocationResponse* const response_;

  absl::Mutex mutex_;
  std::optional<WorkQueue::Ticket> ticket_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace telamalloc::server

#endif  // TELAMALLOC_SERVER_VERIFY_CALL_H_

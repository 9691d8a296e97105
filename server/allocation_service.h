// The gRPC service: hands each call to an object of its own.
#ifndef TELAMALLOC_SERVER_ALLOCATION_SERVICE_H_
#define TELAMALLOC_SERVER_ALLOCATION_SERVICE_H_

#include <grpcpp/server_context.h>
#include <grpcpp/support/server_callback.h>

#include "server/messages.h"
#include "server/service_state.h"
#include "telamalloc/v1/allocation_service.grpc.pb.h"
#include "telamalloc/v1/allocation_service.pb.h"

namespace telamalloc::server {

class AllocationService final : public v1::AllocationService::CallbackService {
 public:
  // `state` outlives the service, the service its server.
  explicit AllocationService(ServiceState& state);

  grpc::ServerUnaryReactor* SolveAllocation(grpc::CallbackServerContext* context,
                                            const v1::SolveAllocationRequest* request,
                                            v1::SolveAllocationResponse* response) override;
  grpc::ServerUnaryReactor* VerifyAllocation(grpc::CallbackServerContext* context,
                                             const v1::VerifyAllocationRequest* request,
                                             v1::VerifyAllocationResponse* response) override;
  grpc::ServerUnaryReactor* GetCapabilities(grpc::CallbackServerContext* context,
                                            const v1::GetCapabilitiesRequest* request,
                                            v1::GetCapabilitiesResponse* response) override;

 private:
  ServiceState* state_;
  MessagesAllocator<v1::SolveAllocationRequest, v1::SolveAllocationResponse> solve_messages_;
  MessagesAllocator<v1::VerifyAllocationRequest, v1::VerifyAllocationResponse> verify_messages_;
};

}  // namespace telamalloc::server

#endif  // TELAMALLOC_SERVER_ALLOCATION_SERVICE_H_

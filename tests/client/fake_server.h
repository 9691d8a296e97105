// An allocation server that answers what a test tells it to, right or wrong.
#ifndef TELAMALLOC_TESTS_CLIENT_FAKE_SERVER_H_
#define TELAMALLOC_TESTS_CLIENT_FAKE_SERVER_H_

#include <grpcpp/server.h>
#include <grpcpp/server_context.h>

#include <functional>
#include <memory>
#include <string>

#include "telamalloc/v1/allocation_service.grpc.pb.h"

namespace telamalloc {

class FakeServer : public v1::AllocationService::Service {
 public:
  using Solver = std::function<grpc::Status(grpc::ServerContext&, const v1::SolveAllocationRequest&,
                                            v1::AllocationResult&)>;

  // Listens on a free port of loopback.
  explicit FakeServer(Solver solver);
  ~FakeServer() override;
  FakeServer(const FakeServer&) = delete;
  FakeServer& operator=(const FakeServer&) = delete;
  FakeServer(FakeServer&&) = delete;
  FakeServer& operator=(FakeServer&&) = delete;

  [[nodiscard]] const std::string& address() const { return address_; }

  grpc::Status SolveAllocation(grpc::ServerContext* context, const v1::SolveAllocationRequest* request,
                               v1::SolveAllocationResponse* response) override;
  // Finds one overlap.
  grpc::Status VerifyAllocation(grpc::ServerContext* context, const v1::VerifyAllocationRequest* request,
                                v1::VerifyAllocationResponse* response) override;
  grpc::Status GetCapabilities(grpc::ServerContext* context, const v1::GetCapabilitiesRequest* request,
                               v1::GetCapabilitiesResponse* response) override;

 private:
  Solver solver_;
  std::string address_;
  std::unique_ptr<grpc::Server> server_;
};

// Solves with the library, as a real server does.
grpc::Status SolveHonestly(grpc::ServerContext& context, const v1::SolveAllocationRequest& request,
                           v1::AllocationResult& result);

// Waits until the call was cancelled.
grpc::Status NeverAnswer(grpc::ServerContext& context, const v1::SolveAllocationRequest& request,
                         v1::AllocationResult& result);

}  // namespace telamalloc

#endif  // TELAMALLOC_TESTS_CLIENT_FAKE_SERVER_H_

#include "client/fake_server.h"

#include <grpcpp/security/server_credentials.h>
#include <grpcpp/server_builder.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "convert/convert.h"
#include "telamalloc/problem.h"
#include "telamalloc/solver.h"

namespace telamalloc {

FakeServer::FakeServer(Solver solver) : solver_(std::move(solver)) {
  int port = 0;
  grpc::ServerBuilder builder;
  builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(), &port);
  builder.RegisterService(this);
  server_ = builder.BuildAndStart();
  if (server_ == nullptr) throw std::runtime_error("the fake server cannot listen");
  address_ = absl::StrCat("127.0.0.1:", port);
}

FakeServer::~FakeServer() { server_->Shutdown(); }

grpc::Status FakeServer::SolveAllocation(grpc::ServerContext* context,
                                         const v1::SolveAllocationRequest* request,
                                         v1::SolveAllocationResponse* response) {
  return solver_(*context, *request, *response->mutable_result());
}

grpc::Status FakeServer::VerifyAllocation(grpc::ServerContext* /*context*/,
                                          const v1::VerifyAllocationRequest* /*request*/,
                                          v1::VerifyAllocationResponse* response) {
  response->set_peak(12);
  v1::PlacementViolation& violation = *response->add_violations();
  violation.set_rule("overlap");
  violation.set_buffer(0);
  violation.set_other(1);
  violation.set_description("a and b share bytes");
  return grpc::Status::OK;
}

grpc::Status FakeServer::GetCapabilities(grpc::ServerContext* /*context*/,
                                         const v1::GetCapabilitiesRequest* /*request*/,
                                         v1::GetCapabilitiesResponse* response) {
  response->set_server_id("fake");
  response->add_solvers("auto");
  response->set_max_buffers(7);
  response->mutable_max_budget()->set_seconds(60);
  return grpc::Status::OK;
}

grpc::Status SolveHonestly(grpc::ServerContext& /*context*/, const v1::SolveAllocationRequest& request,
                           v1::AllocationResult& result) {
  const absl::StatusOr<Problem> problem = FromProto(request.problem());
  const absl::StatusOr<PreparedProblem> prepared = PreparedProblem::Create(problem.value());
  const absl::StatusOr<SolveResult> solved = Solve(prepared.value());
  result.set_outcome(v1::OUTCOME_FEASIBLE);
  result.set_stop_reason(v1::STOP_REASON_COMPLETED);
  result.set_method(v1::METHOD_GREEDY);
  result.set_provenance(v1::PROVENANCE_SOLVED);
  result.mutable_offsets()->Assign(solved->solution->offsets.begin(), solved->solution->offsets.end());
  result.set_peak(solved->solution->peak);
  result.set_lower_bound(solved->lower_bound);
  result.mutable_stats()->set_server_id("fake");
  return grpc::Status::OK;
}

grpc::Status NeverAnswer(grpc::ServerContext& context, const v1::SolveAllocationRequest& /*request*/,
                         v1::AllocationResult& /*result*/) {
  while (!context.IsCancelled()) std::this_thread::yield();
  return grpc::Status::CANCELLED;
}

}  // namespace telamalloc

#include "server/verify_call.h"

#include <grpcpp/server_context.h>
#include <grpcpp/support/status.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "convert/convert.h"
#include "server/best_answer.h"
#include "server/call.h"
#include "server/deadline.h"
#include "server/errors.h"
#include "server/messages.h"
#include "server/metrics.h"
#include "server/request_checks.h"
#include "server/service_state.h"
#include "telamalloc/problem.h"
#include "telamalloc/solution.h"
#include "telamalloc/solver.h"
#include "telamalloc/v1/allocation_service.pb.h"

namespace telamalloc::server {

VerifyCall::VerifyCall(ServiceState& state, grpc::CallbackServerContext& context, Request request,
                       v1::VerifyAllocationResponse& response)
    : Call(state, context, Rpc::kVerifyAllocation), request_(std::move(request)), response_(&response) {}

void VerifyCall::Start() {
  const v1::Problem& problem = request_->request->problem();
  record().buffers = problem.buffers_size();
  Open();
  if (state().draining) return Fail(StoppedError(v1::STOP_REASON_DRAIN));
  if (auto error = CheckBuffers(problem, state().settings.max_buffers)) return Fail(*error);
  const auto self = std::static_pointer_cast<VerifyCall>(shared_from_this());
  const TimePoint due = deadline().value_or(Later(arrival(), state().settings.default_budget));
  TakeIn(SizeOf(problem), static_cast<std::int64_t>(request_->arena.SpaceUsed()), due,
         [self] { self->Check(); });
}

void VerifyCall::Check() {
  if (answered()) return;
  const v1::VerifyAllocationRequest& request = *request_->request;
  const absl::StatusOr<PreparedProblem> prepared =
      request.has_problem() ? Prepare(request.problem(), std::nullopt, [this] { return answered(); })
                            : InvalidProblem({{"", "required"}}, 1);
  if (absl::IsCancelled(prepared.status())) return;  // whoever answered
  if (!prepared.ok()) return Fail(InvalidRequest({{"problem.", prepared.status()}}));
  const VerifyReport report = Verify(
      prepared->problem(), {request.offsets().data(), static_cast<std::size_t>(request.offsets_size())});
  if (!Claim()) return;
  record().peak = report.peak;
  *response_ = ToProto(report);
  Answer(grpc::Status::OK);
}

void VerifyCall::DrainNow() { Fail(StoppedError(v1::STOP_REASON_DRAIN)); }

}  // namespace telamalloc::server

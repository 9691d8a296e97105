// One SolveAllocation, from arrival to reply.
//
//   arrive --> intake: read, check, place greedily --> queue --> worker: search --> reply
//                |  settled or refused                  |  full     |  finished
//                +--> reply                             +--> reply  +--> reply
//   and from any state: hard stop (timer), caller gone (gRPC), drain (server) --> reply
//
// A request waits for a worker only after it has a verified placement: that is what lets every one be
// answered in time. Under load it may wait for the intake; those with the earliest hard stop go first, and
// one that does not get there in time is refused as the overflow that it is.
//
// Workers run at a low priority, so that one may stand still for long in the middle of anything. So they send
// no replies, of which there is only one to a call: they leave that to the timer.
#ifndef TELAMALLOC_SERVER_SOLVE_CALL_H_
#define TELAMALLOC_SERVER_SOLVE_CALL_H_

#include <grpcpp/server_context.h>

#include <atomic>
#include <memory>
#include <optional>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "convert/convert.h"
#include "server/best_answer.h"
#include "server/call.h"
#include "server/deadline.h"
#include "server/deadline_timer.h"
#include "server/messages.h"
#include "server/request_checks.h"
#include "server/service_state.h"
#include "telamalloc/problem.h"
#include "telamalloc/solution.h"
#include "telamalloc/solver.h"
#include "telamalloc/v1/allocation_service.pb.h"

namespace telamalloc::server {

class SolveCall final : public Call {
 public:
  using Request = std::shared_ptr<const RequestMemory<v1::SolveAllocationRequest>>;

  SolveCall(ServiceState& state, grpc::CallbackServerContext& context, Request request,
            v1::SolveAllocationResponse& response);

  // REQUIRES: called once, by the method handler, which keeps a shared_ptr meanwhile.
  void Start();

  void DrainIfWaiting() override;
  void DrainNow() override;

 private:
  enum class Phase { kArrived, kIntake, kQueued, kRunning };

  // The steps of the drawing, in order.
  void ReadAndPlace(RequestSize size);
  [[nodiscard]] absl::Status ReadRequest();
  void AnswerValidation();
  void PlaceGreedily(Duration greedy_time);
  [[nodiscard]] Duration GreedyTime(RequestSize size) const;
  void Enqueue();
  void RunOnWorker();
  // `best` is what was published last.
  void ConcludeRun(absl::StatusOr<SolveResult> result, BestAnswer best);

  // What a reply may be made of from now on. A copy, made outside the lock: a worker that loses its core
  // while it holds the lock would stop the timer, which everybody needs.
  void Publish(const BestAnswer& best);
  [[nodiscard]] std::shared_ptr<const BestAnswer> Published();

  // Answers with what is there when the search cannot go on. Does nothing if somebody was first.
  void AnswerStopped(v1::StopReason why);
  // Answers with the result of a search that ended by itself.
  void AnswerSolved(const SolveResult& result);
  void AnswerVerificationFailure(const absl::Status& status);
  // REQUIRES: claimed.
  void SendResult(v1::AllocationResult result);

  [[nodiscard]] std::shared_ptr<SolveCall> Self();
  void OnWait() override;
  void OnAnswered() override;
  void OnSent() override;

  // Constant from Start on.
  Request request_;  // freed after the intake
  v1::SolveAllocationResponse* const response_;
  RequestOptions options_;
  absl::Status options_status_;
  TimePoint hard_stop_;

  // Set by the intake, constant afterwards: whoever sees best_ set or the phase beyond kIntake may
  // read it.
  std::optional<PreparedProblem> prepared_;
  bool greedy_finished_ = false;  // no greedy order is left to try

  std::atomic<Phase> phase_{Phase::kArrived};
  std::atomic<bool> out_of_time_{false};

  absl::Mutex mutex_;
  std::shared_ptr<const BestAnswer> best_ ABSL_GUARDED_BY(mutex_);  // null before the greedy placement
  std::optional<DeadlineTimer::Handle> timer_ ABSL_GUARDED_BY(mutex_);
  std::optional<TimePoint> run_started_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace telamalloc::server

#endif  // TELAMALLOC_SERVER_SOLVE_CALL_H_

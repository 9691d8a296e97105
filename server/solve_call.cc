#include "server/solve_call.h"

#include <grpcpp/server_context.h>
#include <grpcpp/support/status.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/synchronization/mutex.h"
#include "convert/convert.h"
#include "server/best_answer.h"
#include "server/call.h"
#include "server/deadline.h"
#include "server/errors.h"
#include "server/log.h"
#include "server/messages.h"
#include "server/metrics.h"
#include "server/request_checks.h"
#include "server/service_state.h"
#include "server/settings.h"
#include "telamalloc/solution.h"
#include "telamalloc/solver.h"
#include "telamalloc/v1/allocation_service.pb.h"

namespace telamalloc::server {
namespace {

// How long greedy orders may be tried once one has given a placement; the first takes as long as it takes.
constexpr Duration kGreedyTimeSmall = std::chrono::milliseconds(1);
constexpr Duration kGreedyTimeLarge = std::chrono::milliseconds(20);

// A worker stops so long before the hard stop (but at most an eighth of its time), to answer with the figures
// of its search before the timer answers without them.
constexpr Duration kHandover = std::chrono::milliseconds(2);
constexpr int kHandoverDivisor = 8;

std::string Without(absl::string_view prefix, const std::string& name) { return name.substr(prefix.size()); }

}  // namespace

SolveCall::SolveCall(ServiceState& state, grpc::CallbackServerContext& context, Request request,
                     v1::SolveAllocationResponse& response)
    : Call(state, context, Rpc::kSolveAllocation), request_(std::move(request)), response_(&response) {}

void SolveCall::Start() {
  const v1::SolveAllocationRequest& request = *request_->request;
  record().buffers = request.problem().buffers_size();
  Open();
  if (state().draining) return Fail(StoppedError(v1::STOP_REASON_DRAIN));
  if (auto error = CheckBuffers(request.problem(), state().settings.max_buffers)) return Fail(*error);
  if (auto error = CheckSupported(request.options())) return Fail(*error);

  absl::StatusOr<RequestOptions> options = FromProto(request.options(), request.problem().buffers_size());
  options_status_ = options.status();
  if (options.ok()) options_ = *std::move(options);
  const Settings& settings = state().settings;
  const Duration budget =
      std::min(options_.solve_budget.value_or(settings.default_budget), settings.max_budget);
  hard_stop_ = HardStop(arrival(), deadline(), budget, state().margin.Get());

  const RequestSize size = SizeOf(request.problem());
  TakeIn(size, static_cast<std::int64_t>(request_->arena.SpaceUsed()), hard_stop_,
         [self = Self(), size] { self->ReadAndPlace(size); });
}

void SolveCall::ReadAndPlace(RequestSize size) {
  if (answered()) return;
  if (Clock::now() >= hard_stop_) return AnswerStopped(v1::STOP_REASON_TIME);
  phase_ = Phase::kIntake;
  const absl::Status problem_status = ReadRequest();
  if (absl::IsCancelled(problem_status)) return AnswerStopped(v1::STOP_REASON_TIME);
  if (!problem_status.ok() || !options_status_.ok()) {
    return Fail(InvalidRequest({{"options.", options_status_}, {"problem.", problem_status}}));
  }
  if (options_.validate_only) return AnswerValidation();
  PlaceGreedily(GreedyTime(size));
}

Duration SolveCall::GreedyTime(RequestSize size) const {
  if (size == RequestSize::kLarge) return kGreedyTimeLarge;
  // While others wait, the first greedy order has to do: it is the promise, and whoever has more time gets
  // the others on a worker.
  const bool others_wait = state().queue.entries() > 0 || state().small_intake.entries() > 0;
  return others_wait ? Duration::zero() : kGreedyTimeSmall;
}

absl::Status SolveCall::ReadRequest() {
  const v1::SolveAllocationRequest& request = *request_->request;
  if (!request.has_problem()) return InvalidProblem({{"", "required"}}, 1);
  const auto objective =
      options_status_.ok() ? std::optional<Objective>(options_.solve.objective) : std::nullopt;
  absl::StatusOr<PreparedProblem> prepared =
      Prepare(request.problem(), objective, [this] { return answered() || Clock::now() >= hard_stop_; });
  request_.reset();
  if (!prepared.ok()) return prepared.status();
  prepared_ = *std::move(prepared);
  return absl::OkStatus();
}

void SolveCall::AnswerValidation() {
  if (!Claim()) return;
  v1::AllocationResult& result = *response_->mutable_result();
  result.set_lower_bound(prepared_->lower_bound());
  SendResult(std::move(result));
}

void SolveCall::PlaceGreedily(Duration greedy_time) {
  const Problem& problem = prepared_->problem();
  // The proof of infeasibility comes with a plan to spill by, which should not depend on the clock.
  const bool infeasible = problem.capacity && prepared_->lower_bound() > *problem.capacity;
  const TimePoint enough = infeasible ? hard_stop_ : Clock::now() + greedy_time;
  bool have_placement = false;
  bool stopped_early = false;
  SolveOptions greedy = {.objective = options_.solve.objective, .solver = absl::StrCat(kGreedySolver)};
  greedy.stop = [&] {
    const TimePoint now = Clock::now();
    stopped_early = answered() || now >= hard_stop_ || (have_placement && now >= enough);
    return stopped_early;
  };
  greedy.on_incumbent = [&](const Solution&, Method) { have_placement = true; };
  const absl::StatusOr<SolveResult> result = Solve(*prepared_, greedy);
  if (answered()) return;
  if (!result.ok()) return AnswerVerificationFailure(result.status());
  greedy_finished_ = !stopped_early;
  // A fit is the first in a fixed order of attempts, whenever it was stopped; other results need all of them.
  const bool same_at_any_time = greedy_finished_ || result->outcome == Outcome::kFeasible;
  if (same_at_any_time && SettlesRequest(*result, options_.solve)) return AnswerSolved(*result);
  BestAnswer best;
  best.Merge(problem, options_.solve.objective, *result);
  Publish(best);
  Enqueue();
}

void SolveCall::Enqueue() {
  if (state().draining) return AnswerStopped(v1::STOP_REASON_DRAIN);
  if (Clock::now() >= hard_stop_) return AnswerStopped(v1::STOP_REASON_TIME);
  phase_ = Phase::kQueued;
  if (!WaitIn(state().queue, EstimateBytes(prepared_->problem()), [self = Self()] { self->RunOnWorker(); })) {
    return AnswerStopped(v1::STOP_REASON_OVERLOAD);
  }
  // A drain that began after the check above has not seen this call waiting.
  if (state().draining) DrainIfWaiting();
}

void SolveCall::RunOnWorker() {
  Phase queued = Phase::kQueued;
  if (answered() || !phase_.compare_exchange_strong(queued, Phase::kRunning)) return;
  const TimePoint started = Clock::now();
  if (started >= hard_stop_) return;  // the timer answers
  state().metrics.CountQueueWait(started - arrival());
  {
    absl::MutexLock lock(&mutex_);
    run_started_ = started;
  }
  SolveOptions options = options_.solve;
  const Duration remaining = hard_stop_ - started;
  options.time_limit = remaining - std::min(kHandover, remaining / kHandoverDivisor);
  options.stop = [this] { return answered(); };
  BestAnswer best = *Published();
  options.on_incumbent = [&](const Solution& solution, Method method) {
    best.Merge(prepared_->problem(), options_.solve.objective, solution, method);
    Publish(best);
  };
  state().workers_busy.fetch_add(1, std::memory_order_relaxed);
  absl::StatusOr<SolveResult> result = state().solve(*prepared_, options);
  state().workers_busy.fetch_sub(1, std::memory_order_relaxed);
  if (result.ok()) state().metrics.CountSolve(Clock::now() - started, result->stats);
  ConcludeRun(std::move(result), std::move(best));
}

void SolveCall::ConcludeRun(absl::StatusOr<SolveResult> result, BestAnswer best) {
  if (answered()) return;
  if (!result.ok()) return AnswerVerificationFailure(result.status());
  if (result->limit == Limit::kTime) {
    best.Merge(prepared_->problem(), options_.solve.objective, *result);
    Publish(best);
    state().timer.Schedule(Clock::now(), [self = Self()] { self->AnswerStopped(v1::STOP_REASON_TIME); });
    return;
  }
  const auto answer = std::make_shared<v1::AllocationResult>(ToProto(prepared_->problem(), *result));
  state().timer.Schedule(Clock::now(), [self = Self(), answer] {
    if (self->Claim()) self->SendResult(std::move(*answer));
  });
}

void SolveCall::Publish(const BestAnswer& best) {
  auto published = std::make_shared<const BestAnswer>(best);  // and the last one goes after the lock
  absl::MutexLock lock(&mutex_);
  best_.swap(published);
}

std::shared_ptr<const BestAnswer> SolveCall::Published() {
  absl::MutexLock lock(&mutex_);
  return best_;
}

void SolveCall::AnswerStopped(v1::StopReason why) {
  if (!Claim()) return;
  const std::shared_ptr<const BestAnswer> best = Published();
  out_of_time_ = why == v1::STOP_REASON_TIME;
  // It never had its turn.
  if (phase_ == Phase::kArrived && why == v1::STOP_REASON_TIME) why = v1::STOP_REASON_OVERLOAD;
  if (best == nullptr || !best->usable() ||
      !MayFallBack(why, options_.fallback, state().settings.overload_policy)) {
    return AnswerError(StoppedError(why));
  }
  v1::AllocationResult result = ToProto(prepared_->problem(), best->result());
  result.set_stop_reason(why);
  result.set_provenance(v1::PROVENANCE_FALLBACK);
  SendResult(std::move(result));
}

void SolveCall::AnswerSolved(const SolveResult& result) {
  if (Claim()) SendResult(ToProto(prepared_->problem(), result));
}

void SolveCall::AnswerVerificationFailure(const absl::Status& status) {
  state().log.Write(LogLevel::kError, "verification_failed",
                    {{"id", id()}, {"status", absl::StrCat(status.message())}});
  Fail({.reason = Reason::kVerificationFailed,
        .message = "a placement failed verification and is withheld; this is a bug of the server"});
}

void SolveCall::SendResult(v1::AllocationResult result) {
  const TimePoint now = Clock::now();
  std::optional<TimePoint> started;
  {
    absl::MutexLock lock(&mutex_);
    started = run_started_;
  }
  if (started || phase_ == Phase::kQueued) record().queued = started.value_or(now) - arrival();
  record().solved = started ? now - *started : Duration::zero();
  record().peak = result.peak();
  v1::SolveStats& stats = *result.mutable_stats();
  *stats.mutable_queue_duration() = ToProto(record().queued);
  *stats.mutable_solve_duration() = ToProto(record().solved);
  *stats.mutable_total_duration() = ToProto(now - arrival());
  *stats.mutable_budget() = ToProto(hard_stop_ - arrival());
  stats.set_server_id(state().server_id);
  stats.set_solver_version(absl::StrCat(SolverVersion()));
  if (!options_.validate_only) {
    record().outcome = Without("OUTCOME_", v1::Outcome_Name(result.outcome()));
    record().method = Without("METHOD_", v1::Method_Name(result.method()));
    record().stop_reason = Without("STOP_REASON_", v1::StopReason_Name(result.stop_reason()));
    state().metrics.CountResult(result);
  }
  *response_->mutable_result() = std::move(result);
  Answer(grpc::Status::OK);
}

void SolveCall::DrainIfWaiting() {
  if (phase_ == Phase::kQueued) AnswerStopped(v1::STOP_REASON_DRAIN);
}

void SolveCall::DrainNow() { AnswerStopped(v1::STOP_REASON_DRAIN); }

void SolveCall::OnWait() {
  {
    absl::MutexLock lock(&mutex_);
    if (timer_) return;
    timer_ =
        state().timer.Schedule(hard_stop_, [self = Self()] { self->AnswerStopped(v1::STOP_REASON_TIME); });
  }
  if (answered()) OnAnswered();
}

std::shared_ptr<SolveCall> SolveCall::Self() {
  return std::static_pointer_cast<SolveCall>(shared_from_this());
}

void SolveCall::OnSent() {
  const TimePoint now = Clock::now();
  if (out_of_time_) state().margin.Observe(now - hard_stop_, now);
}

void SolveCall::OnAnswered() {
  std::optional<DeadlineTimer::Handle> timer;
  {
    absl::MutexLock lock(&mutex_);
    timer = timer_;
  }
  if (timer) state().timer.Cancel(*timer);
}

}  // namespace telamalloc::server

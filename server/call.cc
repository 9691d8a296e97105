#include "server/call.h"

#include <grpcpp/server_context.h>
#include <grpcpp/support/status.h>

#include <atomic>
#include <cassert>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/synchronization/mutex.h"
#include "server/best_answer.h"
#include "server/deadline.h"
#include "server/errors.h"
#include "server/log.h"
#include "server/metrics.h"
#include "server/request_checks.h"
#include "server/request_id.h"
#include "server/service_state.h"
#include "server/settings.h"
#include "server/work_queue.h"
#include "telamalloc/v1/allocation_service.pb.h"

namespace telamalloc::server {
namespace {

constexpr const char* kPushbackKey = "grpc-retry-pushback-ms";

double Milliseconds(Duration duration) { return std::chrono::duration<double, std::milli>(duration).count(); }

// Errors that somebody should look into.
bool IsOurs(grpc::StatusCode code) {
  return code == grpc::StatusCode::INTERNAL || code == grpc::StatusCode::UNKNOWN;
}

}  // namespace

Call::Call(ServiceState& state, grpc::CallbackServerContext& context, Rpc rpc)
    : state_(&state),
      context_(&context),
      arrival_(Clock::now()),
      deadline_(
          ToSteady(context.deadline(), {.system = std::chrono::system_clock::now(), .steady = arrival_})) {
  if (deadline_) deadline_ = CallersDeadline(*deadline_, arrival_);
  record_.arrival = std::chrono::system_clock::now();
  record_.rpc = rpc;
  record_.id = RequestIdOf(context.client_metadata());
  record_.peer = context.peer();
}

void Call::Open() {
  self_ = shared_from_this();
  state_->calls.Add(*this);
}

void Call::Answer(const grpc::Status& status) {
  const TimePoint now = Clock::now();
  record_.code = status.error_code();
  record_.message = status.error_message();
  record_.total = now - arrival_;
  context_->AddTrailingMetadata(kRequestIdKey, record_.id);
  // Before the reply, so that a caller who has it finds it counted.
  Report(status, now);
  LeaveQueue();
  OnAnswered();
  finished_.store(true, std::memory_order_release);
  Finish(status);
}

void Call::Fail(const Error& error) {
  if (Claim()) AnswerError(error);
}

void Call::AnswerError(const Error& error) {
  if (error.retry_after) {
    context_->AddTrailingMetadata(kPushbackKey, absl::StrCat(error.retry_after->count()));
  }
  state_->metrics.CountError(error.reason);
  Answer(ToRpcStatus(error));
}

void Call::TakeIn(RequestSize size, std::int64_t bytes, TimePoint due, std::function<void()> work) {
  const bool small = size == RequestSize::kSmall;
  if (small && state_->small_intake.entries() == 0 && !state_->takes_in_inline.exchange(true)) {
    work();
    state_->takes_in_inline = false;
    return;
  }
  if (!WaitIn(small ? state_->small_intake : state_->large_intake, bytes, std::move(work), due)) {
    Fail(StoppedError(v1::STOP_REASON_OVERLOAD));
  }
}

bool Call::WaitIn(WorkQueue& queue, std::int64_t bytes, std::function<void()> work, TimePoint due) {
  OnWait();
  {
    // Held meanwhile, since the work may run at once and put the call into the next queue.
    absl::MutexLock lock(&ticket_mutex_);
    const std::optional<WorkQueue::Ticket> ticket = queue.Push(bytes, std::move(work), due);
    if (!ticket) return false;
    waits_in_ = &queue;
    ticket_ = *ticket;
  }
  if (answered()) LeaveQueue();  // whoever answered meanwhile has not seen the ticket
  return true;
}

void Call::LeaveQueue() {
  WorkQueue* queue = nullptr;
  WorkQueue::Ticket ticket;
  // Does not wait for a thread that is about to queue the call: that one then sees the answer, and leaves.
  if (!ticket_mutex_.TryLock()) return;
  queue = waits_in_;
  ticket = ticket_;
  ticket_mutex_.Unlock();
  if (queue != nullptr) queue->Remove(ticket);
}

void Call::Report(const grpc::Status& status, TimePoint now) {
  state_->metrics.CountRequest(record_.rpc, status.error_code(), record_.total);
  if (deadline_) state_->metrics.CountSlack(*deadline_ - now);
  state_->recent.Add(record_);
  const absl::string_view rpc = Name(record_.rpc);
  const absl::string_view code = Name(record_.code);
  state_->log.Write(IsOurs(record_.code) ? LogLevel::kError : LogLevel::kInfo, "request",
                    {{"rpc", absl::StrCat(rpc)},
                     {"id", record_.id},
                     {"peer", record_.peer},
                     {"code", absl::StrCat(code)},
                     {"message", record_.message},
                     {"buffers", record_.buffers},
                     {"outcome", record_.outcome},
                     {"method", record_.method},
                     {"stop_reason", record_.stop_reason},
                     {"peak", record_.peak},
                     {"queue_ms", Milliseconds(record_.queued)},
                     {"solve_ms", Milliseconds(record_.solved)},
                     {"total_ms", Milliseconds(record_.total)}});
}

void Call::OnCancel() {
  const TimePoint now = Clock::now();
  const std::optional<Duration> delay = deadline_ ? UnseenDelay(arrival_, *deadline_, now) : std::nullopt;
  if (delay) state_->margin.Observe(*delay, now);
  if (!Claim()) return;
  // gRPC cancels also when the deadline passes. Nobody reads the status any more.
  const bool late = deadline_ && now >= *deadline_;
  Answer({late ? grpc::StatusCode::DEADLINE_EXCEEDED : grpc::StatusCode::CANCELLED, "the caller has gone"});
}

void Call::OnDone() {
  assert(finished_.load(std::memory_order_acquire));
  OnSent();
  state_->calls.Remove(*this);
  const std::shared_ptr<Call> self = std::move(self_);  // frees the call, unless somebody still works for it
}

}  // namespace telamalloc::server

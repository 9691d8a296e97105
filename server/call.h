// What every call has: an identity, a start, and exactly one answer.
//
// Several threads may want to answer a call: its worker, the timer at the hard stop, gRPC when the caller
// gives up, the drain. Claim() lets one of them through; what follows is that thread's alone. gRPC deletes
// nothing: a call owns itself until OnDone, and whoever works for it holds a shared_ptr.
#ifndef TELAMALLOC_SERVER_CALL_H_
#define TELAMALLOC_SERVER_CALL_H_

#include <grpcpp/server_context.h>
#include <grpcpp/support/server_callback.h>
#include <grpcpp/support/status.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "server/deadline.h"
#include "server/errors.h"
#include "server/metrics.h"
#include "server/recent_requests.h"
#include "server/request_checks.h"
#include "server/service_state.h"
#include "server/work_queue.h"

namespace telamalloc::server {

class Call : public grpc::ServerUnaryReactor, public std::enable_shared_from_this<Call> {
 public:
  // The caller has been answered or has gone; work for the call is pointless. Safe from any thread.
  [[nodiscard]] bool answered() const { return answered_.load(std::memory_order_acquire); }

  // The server drains: answer now if this call only waits for its turn.
  virtual void DrainIfWaiting() = 0;
  // The server's time is over: answer now.
  virtual void DrainNow() = 0;

  void OnCancel() final;
  void OnDone() final;

 protected:
  Call(ServiceState& state, grpc::CallbackServerContext& context, Rpc rpc);

  // Enters the registry. REQUIRES: called once, on a call that a shared_ptr owns, before any answer.
  void Open();

  // True for the first caller, who then must answer.
  [[nodiscard]] bool Claim() { return !answered_.exchange(true, std::memory_order_acq_rel); }

  // Sends the reply. REQUIRES: Claim() was true, and the response is filled in if `status` is OK.
  void Answer(const grpc::Status& status);
  // Claims and answers with an error; nothing happens if somebody else was first.
  void Fail(const Error& error);
  // The same for who claimed already.
  void AnswerError(const Error& error);

  // Has `work`, which reads the request, done once: here and now if it is short and no other thread of gRPC's
  // is at such work, else on the intake's threads, what is due first first. Not at all when the call is
  // answered before; fails the call when there is no room.
  void TakeIn(RequestSize size, std::int64_t bytes, TimePoint due, std::function<void()> work);

  // Has `work` done by the threads of `queue`, unless the call is answered before its turn comes. False when
  // there is no room.
  [[nodiscard]] bool WaitIn(WorkQueue& queue, std::int64_t bytes, std::function<void()> work,
                            TimePoint due = TimePoint::min()) ABSL_LOCKS_EXCLUDED(ticket_mutex_);

  // Schedules what has to happen in time although the call waits: called before each wait.
  virtual void OnWait() {}
  // Frees what else waits on behalf of the call: called by the thread that answers.
  virtual void OnAnswered() {}
  // The reply has left, or never will: called once, after everything else.
  virtual void OnSent() {}

  [[nodiscard]] ServiceState& state() const { return *state_; }
  [[nodiscard]] TimePoint arrival() const { return arrival_; }
  [[nodiscard]] const std::optional<TimePoint>& deadline() const { return deadline_; }
  [[nodiscard]] const std::string& id() const { return record_.id; }
  // For the log and the status page. REQUIRES: the caller has claimed, or nobody else knows of the call yet.
  [[nodiscard]] RequestRecord& record() { return record_; }

 private:
  void LeaveQueue() ABSL_LOCKS_EXCLUDED(ticket_mutex_);
  void Report(const grpc::Status& status, TimePoint now);

  ServiceState* const state_;
  grpc::CallbackServerContext* const context_;  // valid until Finish
  const TimePoint arrival_;
  std::optional<TimePoint> deadline_;  // the caller's; constant after construction
  RequestRecord record_;
  std::atomic<bool> answered_{false};  // somebody answers
  std::atomic<bool> finished_{false};  // and has done all but to tell gRPC
  std::shared_ptr<Call> self_;

  absl::Mutex ticket_mutex_;
  WorkQueue* waits_in_ ABSL_GUARDED_BY(ticket_mutex_) = nullptr;  // or waited, the last time
  WorkQueue::Ticket ticket_ ABSL_GUARDED_BY(ticket_mutex_);
};

}  // namespace telamalloc::server

#endif  // TELAMALLOC_SERVER_CALL_H_

// When a reply has to leave. Pure arithmetic on time points; nothing here reads a clock.
#ifndef TELAMALLOC_SERVER_DEADLINE_H_
#define TELAMALLOC_SERVER_DEADLINE_H_

#include <chrono>
#include <optional>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"

namespace telamalloc::server {

using Clock = std::chrono::steady_clock;
using TimePoint = Clock::time_point;
using Duration = std::chrono::nanoseconds;

// One moment on both clocks.
struct Now {
  std::chrono::system_clock::time_point system;
  TimePoint steady;
};

// An RPC's deadline on the steady clock; unset if it has none or one beyond the clock's range.
std::optional<TimePoint> ToSteady(std::chrono::system_clock::time_point deadline, const Now& now);

// The earliest that the caller's own deadline can be, given the one that arrived.
//
// gRPC sends a timeout in at most three digits or so and rounds it up: from 1 s to a multiple of 10 ms, from
// 10 s to one of 100 ms, and so on; below 1 s to a whole millisecond. What arrives is up to a hundredth too
// late.
TimePoint CallersDeadline(TimePoint seen, TimePoint arrival);

// `time` + `span`, saturating.
TimePoint Later(TimePoint time, Duration span);

// How long before the deadline a reply leaves.
struct Margin {
  Duration least{0};   // but no more than a quarter of the time that remains
  Duration learnt{0};  // on top, but no more than half of that time with it
};

// The moment at which the reply leaves, finished or not: after `budget`, and before the RPC's deadline by
// `margin`. Not before `arrival`.
TimePoint HardStop(TimePoint arrival, std::optional<TimePoint> deadline, Duration budget,
                   const Margin& margin);

// What a caller who is gone at `now` teaches: that its deadline was earlier than it seemed here by so much,
// which the request spent on its way unseen. Unset if the caller rather lost patience (it was long before the
// deadline), and after the deadline.
std::optional<Duration> UnseenDelay(TimePoint arrival, TimePoint deadline, TimePoint now);

// Learns from replies that left late, and from callers whose deadline passed earlier than it seemed here, how
// long before the deadline replies have to leave: more at once, less again within some seconds. Thread-safe.
class ReplyMargin {
 public:
  // Starts at `least`.
  explicit ReplyMargin(Duration least);

  [[nodiscard]] Margin Get() const ABSL_LOCKS_EXCLUDED(mutex_);
  // At `now`, that a reply would have had to leave `lag` earlier.
  void Observe(Duration lag, TimePoint now) ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  const Duration least_;
  mutable absl::Mutex mutex_;
  Duration level_ ABSL_GUARDED_BY(mutex_);
  TimePoint observed_ ABSL_GUARDED_BY(mutex_);  // the last time
};

}  // namespace telamalloc::server

#endif  // TELAMALLOC_SERVER_DEADLINE_H_

#include "server/deadline.h"

#include <algorithm>
#include <chrono>
#include <optional>

#include "absl/synchronization/mutex.h"

namespace telamalloc::server {
namespace {

// A lag beyond this is a stopped process or a caller who does not read, from which nothing is to be learnt.
constexpr Duration kMaxLevel = std::chrono::milliseconds(100);
// The part of the distance by which the level sinks with each reply.
constexpr int kSinkDivisor = 32;
// Of the time that remains, the part that the margin may take.
constexpr int kMarginDivisor = 4;

}  // namespace

std::optional<TimePoint> ToSteady(std::chrono::system_clock::time_point deadline, const Now& now) {
  if (deadline == std::chrono::system_clock::time_point::max()) return std::nullopt;
  const Duration since_epoch = deadline.time_since_epoch();
  const Duration system_now = now.system.time_since_epoch();
  Duration::rep remaining = 0;
  if (__builtin_sub_overflow(since_epoch.count(), system_now.count(), &remaining)) {
    return since_epoch < Duration::zero() ? std::optional<TimePoint>(TimePoint::min()) : std::nullopt;
  }
  const TimePoint steady = Later(now.steady, Duration(remaining));
  if (steady == TimePoint::max()) return std::nullopt;
  return steady;
}

TimePoint CallersDeadline(TimePoint seen, TimePoint arrival) {
  if (seen <= arrival || seen == TimePoint::max()) return seen;
  const Duration remaining = seen - arrival;
  if (remaining < std::chrono::seconds(1)) return std::max(arrival, seen - std::chrono::milliseconds(1));
  Duration step = std::chrono::milliseconds(10);
  for (Duration decade = std::chrono::seconds(10); remaining >= decade && step < std::chrono::hours(1);
       decade *= 10) {
    step *= 10;
  }
  return seen - step;
}

TimePoint Later(TimePoint time, Duration span) {
  Duration::rep sum = 0;
  if (__builtin_add_overflow(time.time_since_epoch().count(), span.count(), &sum)) {
    return span < Duration::zero() ? TimePoint::min() : TimePoint::max();
  }
  return TimePoint(Duration(sum));
}

TimePoint HardStop(TimePoint arrival, std::optional<TimePoint> deadline, Duration budget, Duration margin) {
  const TimePoint by_budget = Later(arrival, budget);
  if (!deadline) return by_budget;
  if (*deadline <= arrival) return arrival;
  const Duration remaining = *deadline - arrival;
  return std::min(by_budget, *deadline - std::min(margin, remaining / kMarginDivisor));
}

ReplyMargin::ReplyMargin(Duration least) : least_(least), level_(Duration::zero()) {}

Duration ReplyMargin::Get() const {
  absl::MutexLock lock(&mutex_);
  return least_ + level_;
}

void ReplyMargin::Observe(Duration lag) {
  lag = std::clamp(lag, Duration::zero(), kMaxLevel);
  absl::MutexLock lock(&mutex_);
  level_ = std::max(lag, level_ - (level_ - lag) / kSinkDivisor);
}

}  // namespace telamalloc::server

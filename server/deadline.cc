#include "server/deadline.h"

#include <algorithm>
#include <chrono>
#include <optional>

#include "absl/synchronization/mutex.h"

namespace telamalloc::server {
namespace {

// A lag beyond this is a stopped process or a caller who does not read, from which nothing is to be learnt.
constexpr Duration kMaxLevel = std::chrono::milliseconds(100);
// In which time the level sinks from the highest to nothing. By time and not by replies, since under load a
// thousand of them may leave between one burst of lag and the next.
constexpr Duration kSinkTime = std::chrono::seconds(10);
// Of the time that remains, the parts that the margin may take: without and with what was learnt.
constexpr int kLeastDivisor = 4;
constexpr int kMarginDivisor = 2;

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

TimePoint HardStop(TimePoint arrival, std::optional<TimePoint> deadline, Duration budget,
                   const Margin& margin) {
  const TimePoint by_budget = Later(arrival, budget);
  if (!deadline) return by_budget;
  if (*deadline <= arrival) return arrival;
  const Duration remaining = *deadline - arrival;
  const Duration least = std::min(margin.least, remaining / kLeastDivisor);
  return std::min(by_budget, *deadline - std::min(least + margin.learnt, remaining / kMarginDivisor));
}

std::optional<Duration> UnseenDelay(TimePoint arrival, TimePoint deadline, TimePoint now) {
  if (now < arrival || now >= deadline) return std::nullopt;
  const Duration delay = deadline - now;
  if (delay > kMaxLevel || delay > (deadline - arrival) / 2) return std::nullopt;
  return delay;
}

ReplyMargin::ReplyMargin(Duration least) : least_(least), level_(Duration::zero()) {}

Margin ReplyMargin::Get() const {
  absl::MutexLock lock(&mutex_);
  return {.least = least_, .learnt = level_};
}

void ReplyMargin::Observe(Duration lag, TimePoint now) {
  absl::MutexLock lock(&mutex_);
  const Duration passed = std::clamp(now - observed_, Duration::zero(), kSinkTime);
  observed_ = std::max(observed_, now);
  level_ = std::max(std::clamp(lag, Duration::zero(), kMaxLevel),
                    level_ - kMaxLevel * passed.count() / kSinkTime.count());
}

}  // namespace telamalloc::server

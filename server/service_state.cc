#include "server/service_state.h"

#include <unistd.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "server/call.h"
#include "server/cpus.h"
#include "server/deadline.h"
#include "server/metrics.h"
#include "server/settings.h"

namespace telamalloc::server {
namespace {

// Reading and greedy placement of large requests. Two, so that one does not block all others; not more,
// because they compete with the workers.
constexpr int kIntakeThreads = 2;
constexpr std::int64_t kMaxIntakeEntries = 64;

// Tells servers apart in answers and logs: host and process.
std::string MakeServerId() {
  std::array<char, 256> host{};
  if (gethostname(host.data(), host.size() - 1) != 0) return absl::StrCat("pid-", getpid());
  return absl::StrCat(host.data(), "/", getpid());
}

}  // namespace

void CallRegistry::Add(Call& call) {
  absl::MutexLock lock(&mutex_);
  calls_.insert(&call);
}

void CallRegistry::Remove(Call& call) {
  absl::MutexLock lock(&mutex_);
  calls_.erase(&call);
  if (calls_.empty()) emptied_.SignalAll();
}

std::vector<std::shared_ptr<Call>> CallRegistry::Get() const {
  absl::MutexLock lock(&mutex_);
  std::vector<std::shared_ptr<Call>> calls;
  calls.reserve(calls_.size());
  for (Call* call : calls_) calls.push_back(call->shared_from_this());
  return calls;
}

std::int64_t CallRegistry::size() const {
  absl::MutexLock lock(&mutex_);
  return static_cast<std::int64_t>(calls_.size());
}

bool CallRegistry::WaitUntilEmpty(Duration span) {
  const TimePoint end = Later(Clock::now(), span);
  absl::MutexLock lock(&mutex_);
  while (!calls_.empty()) {
    const Duration remaining = end - Clock::now();
    if (remaining <= Duration::zero()) return false;
    emptied_.WaitWithTimeout(&mutex_, absl::FromChrono(remaining));
  }
  return true;
}

ServiceState::ServiceState(const Settings& the_settings)
    : settings(the_settings),
      workers(settings.workers > 0 ? settings.workers : UsableCpus()),
      server_id(MakeServerId()),
      log(settings.log_format, settings.log_level),
      margin(settings.min_reply_margin),
      queue({.entries = settings.queue_capacity, .bytes = settings.queue_bytes}),
      intake({.entries = kMaxIntakeEntries, .bytes = settings.queue_bytes}),
      intake_threads(intake, kIntakeThreads, ThreadPriority::kNormal),
      worker_threads(queue, workers, ThreadPriority::kBackground) {}

ServiceState::~ServiceState() = default;

Levels ServiceState::GetLevels() const {
  return {.queue_entries = queue.entries(),
          .queue_bytes = queue.bytes(),
          .queue_capacity = settings.queue_capacity,
          .intake_entries = intake.entries(),
          .in_flight = calls.size(),
          .workers = workers,
          .workers_busy = workers_busy.load(),
          .reply_margin = margin.Get(),
          .ready = ready.load()};
}

}  // namespace telamalloc::server

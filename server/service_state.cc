#include "server/service_state.h"

#include <unistd.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
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

// Reading and greedy placement, of each size. Two, so that one request does not block all others; not more,
// because they compete with the threads that receive and send.
constexpr int kIntakeThreads = 2;
// As many small requests as are read and placed in a second or less; of more, the last would come to nothing.
constexpr std::int64_t kMaxSmallIntakeEntries = 4096;
constexpr std::int64_t kMaxLargeIntakeEntries = 64;

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

ServiceState::ServiceState(const Settings& the_settings, SolveFunction the_solve)
    : settings(the_settings),
      workers(settings.workers > 0 ? settings.workers : UsableCpus()),
      server_id(MakeServerId()),
      solve(std::move(the_solve)),
      log(settings.log_format, settings.log_level),
      margin(settings.min_reply_margin),
      queue({.entries = settings.queue_capacity, .bytes = settings.queue_bytes}),
      small_intake({.entries = kMaxSmallIntakeEntries, .bytes = settings.queue_bytes}),
      large_intake({.entries = kMaxLargeIntakeEntries, .bytes = settings.queue_bytes}),
      small_intake_threads(small_intake, kIntakeThreads, ThreadPriority::kIntake),
      large_intake_threads(large_intake, kIntakeThreads, ThreadPriority::kIntake),
      worker_threads(queue, workers, ThreadPriority::kSearch) {}

ServiceState::~ServiceState() = default;

Levels ServiceState::GetLevels() const {
  return {.queue_entries = queue.entries(),
          .queue_bytes = queue.bytes(),
          .queue_capacity = settings.queue_capacity,
          .intake_entries = small_intake.entries() + large_intake.entries(),
          .in_flight = calls.size(),
          .workers = workers,
          .workers_busy = workers_busy.load(),
          .reply_margin = margin.Get().least + margin.Get().learnt,
          .ready = ready.load()};
}

}  // namespace telamalloc::server

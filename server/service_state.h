// What all calls of one server share.
#ifndef TELAMALLOC_SERVER_SERVICE_STATE_H_
#define TELAMALLOC_SERVER_SERVICE_STATE_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "server/deadline.h"
#include "server/deadline_timer.h"
#include "server/log.h"
#include "server/metrics.h"
#include "server/recent_requests.h"
#include "server/settings.h"
#include "server/work_queue.h"
#include "telamalloc/solver.h"

namespace telamalloc::server {

class Call;

// What a worker runs: Solve, or what a test puts in its place.
using SolveFunction =
    std::function<absl::StatusOr<SolveResult>(const PreparedProblem& prepared, const SolveOptions& options)>;

// The calls that have arrived and are not done. Thread-safe.
class CallRegistry {
 public:
  void Add(Call& call) ABSL_LOCKS_EXCLUDED(mutex_);
  void Remove(Call& call) ABSL_LOCKS_EXCLUDED(mutex_);
  // Keeps each alive as long as the result.
  [[nodiscard]] std::vector<std::shared_ptr<Call>> Get() const ABSL_LOCKS_EXCLUDED(mutex_);
  [[nodiscard]] std::int64_t size() const ABSL_LOCKS_EXCLUDED(mutex_);
  // Waits for the last one to be done, but not beyond `span`; whether there is none.
  bool WaitUntilEmpty(Duration span) ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  mutable absl::Mutex mutex_;
  absl::CondVar emptied_;
  absl::flat_hash_set<Call*> calls_ ABSL_GUARDED_BY(mutex_);
};

// Members are thread-safe. REQUIRES: no call is left when it is destroyed.
struct ServiceState {
  ServiceState(const Settings& settings, SolveFunction solve);
  ~ServiceState();
  ServiceState(const ServiceState&) = delete;
  ServiceState& operator=(const ServiceState&) = delete;
  ServiceState(ServiceState&&) = delete;
  ServiceState& operator=(ServiceState&&) = delete;

  [[nodiscard]] Levels GetLevels() const;

  // Constant.
  const Settings settings;
  const int workers;
  const std::string server_id;
  const SolveFunction solve;

  Log log;
  Metrics metrics;
  RecentRequests recent;
  ReplyMargin margin;
  CallRegistry calls;

  std::atomic<bool> ready{true};      // told to probes
  std::atomic<bool> draining{false};  // new requests are refused
  std::atomic<int> workers_busy{0};

  // Sends replies at their hard stop, and those of the workers, who may not get a core when it matters.
  DeadlineTimer timer;
  // Prepared problems that wait for a worker.
  WorkQueue queue;
  // Requests that wait to be read, checked and placed greedily. Apart, so that no small one waits for a
  // large.
  WorkQueue small_intake;
  WorkQueue large_intake;
  // A thread of gRPC's is taking a small request in.
  std::atomic<bool> takes_in_inline{false};
  // Last, so that they end before what they use.
  WorkerPool small_intake_threads;
  WorkerPool large_intake_threads;
  WorkerPool worker_threads;
};

}  // namespace telamalloc::server

#endif  // TELAMALLOC_SERVER_SERVICE_STATE_H_

// A bounded queue of work, and the threads that do it.
#ifndef TELAMALLOC_SERVER_WORK_QUEUE_H_
#define TELAMALLOC_SERVER_WORK_QUEUE_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "server/deadline.h"

namespace telamalloc::server {

// Thread-safe.
class WorkQueue {
 public:
  struct Limits {
    std::int64_t entries = 0;  // that wait; what an idle thread takes at once does not count
    std::int64_t bytes = 0;    // of those that wait
  };
  // Names an entry: when it is due, and a number of its own. Tickets are in the order of the queue.
  using Ticket = std::pair<TimePoint, std::uint64_t>;

  explicit WorkQueue(const Limits& limits) : limits_(limits) {}

  // Adds work that should be done by `due`: what is due first comes first, and of two alike the older;
  // without that, first in, first out. Unset, and `work` forgotten, when there is no room or the queue is
  // closed.
  std::optional<Ticket> Push(std::int64_t bytes, std::function<void()> work, TimePoint due = TimePoint::min())
      ABSL_LOCKS_EXCLUDED(mutex_);

  // Takes the first entry, waiting for one; unset when the queue is closed.
  std::optional<std::function<void()>> Pop() ABSL_LOCKS_EXCLUDED(mutex_);

  // Forgets an entry and frees its place at once. False if it was taken already.
  bool Remove(Ticket ticket) ABSL_LOCKS_EXCLUDED(mutex_);

  // Forgets all entries and lets every Pop return.
  void Close() ABSL_LOCKS_EXCLUDED(mutex_);

  [[nodiscard]] std::int64_t entries() const ABSL_LOCKS_EXCLUDED(mutex_);
  [[nodiscard]] std::int64_t bytes() const ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  struct Entry {
    std::int64_t bytes = 0;
    std::function<void()> work;
  };

  using Entries = std::map<Ticket, Entry>;

  [[nodiscard]] bool HasRoomFor(std::int64_t bytes) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const Limits limits_;
  mutable absl::Mutex mutex_;
  absl::CondVar changed_;  // an entry was added, or the queue closed
  Entries entries_ ABSL_GUARDED_BY(mutex_);
  std::int64_t bytes_ ABSL_GUARDED_BY(mutex_) = 0;
  std::int64_t idle_ ABSL_GUARDED_BY(mutex_) = 0;  // threads inside Pop
  std::uint64_t next_number_ ABSL_GUARDED_BY(mutex_) = 1;
  bool closed_ ABSL_GUARDED_BY(mutex_) = false;
};

// Who gives way when cores are short: searches to the intake, and both to the threads, of normal priority,
// that receive requests and send replies. So searches may use all cores, and replies still leave in time.
enum class ThreadPriority { kIntake, kSearch };

// Threads that do the work of a queue until it is closed.
class WorkerPool {
 public:
  WorkerPool(WorkQueue& queue, int threads, ThreadPriority priority);
  // Closes the queue and waits for the work at hand.
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;
  WorkerPool(WorkerPool&&) = delete;
  WorkerPool& operator=(WorkerPool&&) = delete;

 private:
  WorkQueue* queue_;
  std::vector<std::thread> threads_;
};

}  // namespace telamalloc::server

#endif  // TELAMALLOC_SERVER_WORK_QUEUE_H_

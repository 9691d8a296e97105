// A map by ticket is the queue itself: an entry goes into its middle and leaves it as easily as at its ends.
//
// Its threads run at low priorities and may lose their core while they hold the lock, on which threads of
// normal priority then wait. So nothing is allocated, freed or woken inside it.
#include "server/work_queue.h"

#include <sys/resource.h>
#include <unistd.h>

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <utility>

#include "absl/synchronization/mutex.h"
#include "server/deadline.h"

namespace telamalloc::server {

bool WorkQueue::HasRoomFor(std::int64_t bytes) const {
  const auto waiting = static_cast<std::int64_t>(entries_.size());
  if (waiting < idle_) return true;  // an idle thread takes it
  return waiting - idle_ < limits_.entries && bytes <= limits_.bytes - bytes_;
}

std::optional<WorkQueue::Ticket> WorkQueue::Push(std::int64_t bytes, std::function<void()> work,
                                                 TimePoint due) {
  Entries one;
  one.emplace(Ticket(), Entry{.bytes = bytes, .work = std::move(work)});
  Entries::node_type node = one.extract(one.begin());
  Ticket ticket;
  {
    absl::MutexLock lock(&mutex_);
    if (closed_ || !HasRoomFor(bytes)) return std::nullopt;
    ticket = {due, next_number_++};
    node.key() = ticket;
    entries_.insert(entries_.end(), std::move(node));
    bytes_ += bytes;
  }
  changed_.Signal();
  return ticket;
}

std::optional<std::function<void()>> WorkQueue::Pop() {
  Entries::node_type first;
  {
    absl::MutexLock lock(&mutex_);
    ++idle_;
    while (!closed_ && entries_.empty()) changed_.Wait(&mutex_);
    --idle_;
    if (closed_) return std::nullopt;
    first = entries_.extract(entries_.begin());
    bytes_ -= first.mapped().bytes;
  }
  return std::move(first.mapped().work);
}

bool WorkQueue::Remove(Ticket ticket) {
  Entries::node_type removed;  // destroyed after the lock: it may hold the last reference to its owner
  absl::MutexLock lock(&mutex_);
  removed = entries_.extract(ticket);
  if (removed.empty()) return false;
  bytes_ -= removed.mapped().bytes;
  return true;
}

void WorkQueue::Close() {
  Entries forgotten;  // destroyed after the lock
  absl::MutexLock lock(&mutex_);
  closed_ = true;
  forgotten.swap(entries_);
  bytes_ = 0;
  changed_.SignalAll();
}

std::int64_t WorkQueue::entries() const {
  absl::MutexLock lock(&mutex_);
  return static_cast<std::int64_t>(entries_.size());
}

std::int64_t WorkQueue::bytes() const {
  absl::MutexLock lock(&mutex_);
  return bytes_;
}

namespace {

// The kernel gives such a thread about a third, or a ninth, of the time of a normal one that wants the same
// core.
constexpr int kIntakeNice = 5;
constexpr int kSearchNice = 10;

// On Linux a thread has a nice value of its own. Where it may not be set, all threads stay equal.
void GiveWay(ThreadPriority priority) {
  const int nice = priority == ThreadPriority::kSearch ? kSearchNice : kIntakeNice;
  setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), nice);
}

}  // namespace

WorkerPool::WorkerPool(WorkQueue& queue, int threads, ThreadPriority priority) : queue_(&queue) {
  for (int thread = 0; thread < threads; ++thread) {
    threads_.emplace_back([this, priority] {
      GiveWay(priority);
      while (std::optional<std::function<void()>> work = queue_->Pop()) (*work)();
    });
  }
}

WorkerPool::~WorkerPool() {
  queue_->Close();
  for (std::thread& thread : threads_) thread.join();
}

}  // namespace telamalloc::server

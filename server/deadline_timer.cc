// An ordered map serves as the heap, because most functions are cancelled before their time.
//
// Threads of low priority schedule and cancel, too, and may lose their core while they hold the lock. So
// nothing is allocated, freed or woken inside it.
#include "server/deadline_timer.h"

#include <cstdint>
#include <functional>
#include <mutex>
#include <utility>

#include "server/deadline.h"

namespace telamalloc::server {

DeadlineTimer::DeadlineTimer() : thread_([this] { RunLoop(); }) {}

DeadlineTimer::~DeadlineTimer() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

DeadlineTimer::Handle DeadlineTimer::Schedule(TimePoint time, std::function<void()> function) {
  Functions one;
  one.emplace(Handle(), std::move(function));
  Functions::node_type node = one.extract(one.begin());
  Handle handle;
  bool is_first = false;
  {
    const std::lock_guard lock(mutex_);
    handle = {time, next_number_++};
    node.key() = handle;
    const auto position = scheduled_.insert(std::move(node)).position;
    is_first = position == scheduled_.begin();
  }
  if (is_first) changed_.notify_one();
  return handle;
}

void DeadlineTimer::Cancel(const Handle& handle) {
  Functions::node_type cancelled;  // destroyed after the lock: it may hold the last reference to its owner
  const std::lock_guard lock(mutex_);
  cancelled = scheduled_.extract(handle);
}

void DeadlineTimer::RunLoop() {
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    if (scheduled_.empty()) {
      changed_.wait(lock);
      continue;
    }
    const TimePoint time = scheduled_.begin()->first.first;
    if (Clock::now() < time) {
      changed_.wait_until(lock, time);
      continue;
    }
    auto due = scheduled_.extract(scheduled_.begin());
    lock.unlock();
    due.mapped()();
    due = {};
    lock.lock();
  }
}

}  // namespace telamalloc::server

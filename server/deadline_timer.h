// Runs functions at given times, on one thread of its own.
#ifndef TELAMALLOC_SERVER_DEADLINE_TIMER_H_
#define TELAMALLOC_SERVER_DEADLINE_TIMER_H_

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

#include "server/deadline.h"

namespace telamalloc::server {

// Thread-safe. Functions run one after another in the order of their times; they should be short, and may
// call the timer. What is still scheduled when the timer is destroyed never runs.
class DeadlineTimer {
 public:
  // Names a scheduled function: its time and a number of its own.
  using Handle = std::pair<TimePoint, std::uint64_t>;

  DeadlineTimer();
  ~DeadlineTimer();
  DeadlineTimer(const DeadlineTimer&) = delete;
  DeadlineTimer& operator=(const DeadlineTimer&) = delete;
  DeadlineTimer(DeadlineTimer&&) = delete;
  DeadlineTimer& operator=(DeadlineTimer&&) = delete;

  // Runs `function` at `time`, or as soon as possible after it. Cost: O(log n).
  Handle Schedule(TimePoint time, std::function<void()> function);

  // Forgets the function and frees what it holds, unless it runs or ran. Cost: O(log n).
  void Cancel(const Handle& handle);

 private:
  using Functions = std::map<Handle, std::function<void()>>;

  void RunLoop();

  // A std::mutex, since only the standard condition variable waits on the steady clock.
  std::mutex mutex_;
  std::condition_variable changed_;
  Functions scheduled_;
  std::uint64_t next_number_ = 1;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace telamalloc::server

#endif  // TELAMALLOC_SERVER_DEADLINE_TIMER_H_

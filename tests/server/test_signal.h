// Waiting for other threads, by means that the thread sanitizer knows: Abseil's own are not instrumented.
#ifndef TELAMALLOC_TESTS_SERVER_TEST_SIGNAL_H_
#define TELAMALLOC_TESTS_SERVER_TEST_SIGNAL_H_

#include <condition_variable>
#include <mutex>

namespace telamalloc::server {

// Happens `times` times; who waits goes on when all have. Thread-safe.
class Signal {
 public:
  explicit Signal(int times = 1) : remaining_(times) {}

  void Notify() {
    const std::lock_guard lock(mutex_);
    if (--remaining_ <= 0) changed_.notify_all();
  }

  void Wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return remaining_ <= 0; });
  }

  [[nodiscard]] bool done() const {
    const std::lock_guard lock(mutex_);
    return remaining_ <= 0;
  }

  // Below 0: it happened too often.
  [[nodiscard]] int remaining() const {
    const std::lock_guard lock(mutex_);
    return remaining_;
  }

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  int remaining_;
};

}  // namespace telamalloc::server

#endif  // TELAMALLOC_TESTS_SERVER_TEST_SIGNAL_H_

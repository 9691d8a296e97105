#include "server/deadline_timer.h"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <thread>
#include <vector>

#include "server/deadline.h"
#include "server/test_signal.h"

namespace telamalloc::server {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;

TEST(DeadlineTimer, RunsInTheOrderOfTimes) {
  DeadlineTimer timer;
  const TimePoint base = Clock::now() + milliseconds(20);
  std::vector<int> order;
  Signal done;
  timer.Schedule(base + milliseconds(3), [&] {
    order.push_back(3);
    done.Notify();
  });
  timer.Schedule(base + milliseconds(1), [&] { order.push_back(1); });
  timer.Schedule(base + milliseconds(2), [&] { order.push_back(2); });
  done.Wait();
  EXPECT_EQ(order, (std::vector<int>{1, 2, 3}));
}

TEST(DeadlineTimer, NeverRunsEarly) {
  DeadlineTimer timer;
  Signal done;
  const TimePoint time = Clock::now() + milliseconds(10);
  TimePoint ran;
  timer.Schedule(time, [&] {
    ran = Clock::now();
    done.Notify();
  });
  done.Wait();
  EXPECT_GE(ran, time);
}

TEST(DeadlineTimer, RunsWhatIsOverdueAtOnce) {
  DeadlineTimer timer;
  Signal done;
  timer.Schedule(TimePoint::min(), [&] { done.Notify(); });
  done.Wait();
}

TEST(DeadlineTimer, FreesACancelledFunctionAtOnce) {
  DeadlineTimer timer;
  auto held = std::make_shared<int>(1);
  const auto handle = timer.Schedule(Clock::now() + hours(1), [held] {});
  EXPECT_EQ(held.use_count(), 2);
  timer.Cancel(handle);
  EXPECT_EQ(held.use_count(), 1);
  timer.Cancel(handle);
}

TEST(DeadlineTimer, LetsAFunctionUseTheTimer) {
  DeadlineTimer timer;
  Signal done;
  timer.Schedule(Clock::now(), [&] {
    const auto handle = timer.Schedule(Clock::now() + hours(1), [] {});
    timer.Cancel(handle);
    timer.Schedule(Clock::now(), [&] { done.Notify(); });
  });
  done.Wait();
}

TEST(DeadlineTimer, ForgetsTheRestWhenDestroyed) {
  auto held = std::make_shared<int>(1);
  {
    DeadlineTimer().Schedule(TimePoint::max(), [held] {});
  }
  EXPECT_EQ(held.use_count(), 1);
}

// Schedules `count` functions that run and as many that are cancelled.
void ScheduleMany(DeadlineTimer& timer, int count, Signal& runs) {
  for (int k = 0; k < count; ++k) {
    timer.Schedule(Clock::now(), [&runs] { runs.Notify(); });
    timer.Cancel(timer.Schedule(Clock::now() + hours(1), [&runs] { runs.Notify(); }));
  }
}

TEST(DeadlineTimer, RunsEachOnceUnderContention) {
  constexpr int kThreads = 4;
  constexpr int kPerThread = 250;
  Signal runs(kThreads * kPerThread);
  DeadlineTimer timer;
  std::vector<std::jthread> threads(kThreads);
  for (std::jthread& thread : threads) {
    thread = std::jthread([&] { ScheduleMany(timer, kPerThread, runs); });
  }
  threads.clear();  // joins
  runs.Wait();
  Signal last;
  timer.Schedule(Clock::now(), [&] { last.Notify(); });
  last.Wait();
  EXPECT_EQ(runs.remaining(), 0);
}

}  // namespace
}  // namespace telamalloc::server

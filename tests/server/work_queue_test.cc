#include "server/work_queue.h"

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "server/deadline.h"
#include "server/test_signal.h"

namespace telamalloc::server {
namespace {

TEST(WorkQueue, HandsOutTheOldestFirst) {
  WorkQueue queue({.entries = 3, .bytes = 100});
  std::vector<int> done;
  for (const int k : {1, 2, 3}) ASSERT_TRUE(queue.Push(1, [&done, k] { done.push_back(k); }));
  for (int k = 0; k < 3; ++k) (*queue.Pop())();
  EXPECT_EQ(done, (std::vector<int>{1, 2, 3}));
}

TEST(WorkQueue, HandsOutFirstWhatIsDueFirst) {
  constexpr TimePoint kNow{std::chrono::hours(5)};
  WorkQueue queue({.entries = 5, .bytes = 100});
  std::vector<int> done;
  const auto push = [&](int k, TimePoint due) {
    return queue.Push(
        1, [&done, k] { done.push_back(k); }, due);
  };
  ASSERT_TRUE(push(4, kNow + std::chrono::hours(1)));
  ASSERT_TRUE(push(2, kNow));
  ASSERT_TRUE(push(3, kNow));
  const auto removed = push(0, kNow);
  ASSERT_TRUE(push(1, kNow - std::chrono::hours(1)));
  EXPECT_TRUE(queue.Remove(*removed));
  for (int k = 0; k < 4; ++k) (*queue.Pop())();
  EXPECT_EQ(done, (std::vector<int>{1, 2, 3, 4}));
}

TEST(WorkQueue, IsBoundedByEntries) {
  WorkQueue queue({.entries = 2, .bytes = 100});
  EXPECT_TRUE(queue.Push(1, [] {}));
  EXPECT_TRUE(queue.Push(1, [] {}));
  EXPECT_FALSE(queue.Push(1, [] {}));
  EXPECT_EQ(queue.entries(), 2);
  queue.Pop();
  EXPECT_TRUE(queue.Push(1, [] {}));
}

TEST(WorkQueue, IsBoundedByBytes) {
  WorkQueue queue({.entries = 10, .bytes = 100});
  const auto ticket = queue.Push(60, [] {});
  ASSERT_TRUE(ticket);
  EXPECT_FALSE(queue.Push(41, [] {}));
  EXPECT_TRUE(queue.Push(40, [] {}));
  EXPECT_EQ(queue.bytes(), 100);
  EXPECT_TRUE(queue.Remove(*ticket));
  EXPECT_EQ(queue.bytes(), 40);
}

TEST(WorkQueue, FreesARemovedEntryAtOnce) {
  WorkQueue queue({.entries = 1, .bytes = 100});
  auto held = std::make_shared<int>(1);
  const auto ticket = queue.Push(1, [held] {});
  ASSERT_TRUE(ticket);
  EXPECT_TRUE(queue.Remove(*ticket));
  EXPECT_EQ(held.use_count(), 1);
  EXPECT_FALSE(queue.Remove(*ticket));
  EXPECT_TRUE(queue.Push(1, [] {}));
}

TEST(WorkQueue, TakesNothingOnceClosed) {
  WorkQueue queue({.entries = 10, .bytes = 100});
  auto held = std::make_shared<int>(1);
  ASSERT_TRUE(queue.Push(1, [held] {}));
  queue.Close();
  EXPECT_EQ(held.use_count(), 1);
  EXPECT_FALSE(queue.Push(1, [] {}));
  EXPECT_FALSE(queue.Pop());
}

TEST(WorkerPool, TakesWhatMayNotWaitWhenAThreadIsIdle) {
  WorkQueue queue({.entries = 0, .bytes = 0});
  const WorkerPool pool(queue, 1, ThreadPriority::kIntake);
  Signal started;
  Signal release;
  const auto work = [&] {
    started.Notify();
    release.Wait();
  };
  while (!queue.Push(1000, work)) std::this_thread::yield();  // until the thread is there
  started.Wait();
  EXPECT_FALSE(queue.Push(1, [] {}));
  release.Notify();
}

TEST(WorkerPool, DoesEverythingOnce) {
  constexpr int kEntries = 1000;
  WorkQueue queue({.entries = kEntries, .bytes = kEntries});
  const WorkerPool pool(queue, 3, ThreadPriority::kIntake);
  Signal done(kEntries);
  for (int k = 0; k < kEntries; ++k) ASSERT_TRUE(queue.Push(1, [&done] { done.Notify(); }));
  done.Wait();
  EXPECT_EQ(done.remaining(), 0);
}

}  // namespace
}  // namespace telamalloc::server

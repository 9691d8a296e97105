#include "server/deadline.h"

#include <gtest/gtest.h>

#include <chrono>
#include <optional>

namespace telamalloc::server {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::seconds;
using std::chrono::system_clock;

constexpr TimePoint kArrival{hours(5)};
constexpr Now kNow = {.system = system_clock::time_point(hours(480'000)), .steady = kArrival};

TEST(ToSteady, KeepsTheDistance) {
  EXPECT_EQ(ToSteady(kNow.system + milliseconds(250), kNow), kArrival + milliseconds(250));
  EXPECT_EQ(ToSteady(kNow.system - milliseconds(250), kNow), kArrival - milliseconds(250));
}

TEST(ToSteady, HasNoneForDeadlinesBeyondTheClock) {
  EXPECT_EQ(ToSteady(system_clock::time_point::max(), kNow), std::nullopt);
  EXPECT_EQ(ToSteady(system_clock::time_point::max() - hours(1),
                     {.system = system_clock::time_point(hours(-1)), .steady = TimePoint::max() - hours(2)}),
            std::nullopt);
}

TEST(ToSteady, SaturatesFarInThePast) {
  EXPECT_EQ(
      ToSteady(system_clock::time_point::min() + hours(500'000), {.system = kNow.system, .steady = kArrival}),
      kArrival - (kNow.system - (system_clock::time_point::min() + hours(500'000))));
  EXPECT_EQ(ToSteady(system_clock::time_point::min(), kNow), TimePoint::min());
}

TEST(HardStop, IsTheBudgetWithoutADeadline) {
  EXPECT_EQ(HardStop(kArrival, std::nullopt, milliseconds(100), {.least = milliseconds(20)}),
            kArrival + milliseconds(100));
}

TEST(HardStop, LeavesTheMarginBeforeTheDeadline) {
  EXPECT_EQ(HardStop(kArrival, kArrival + milliseconds(200), hours(1), {.least = milliseconds(20)}),
            kArrival + milliseconds(180));
}

TEST(HardStop, IsTheEarlierOfBudgetAndDeadline) {
  EXPECT_EQ(HardStop(kArrival, kArrival + milliseconds(200), milliseconds(50), {.least = milliseconds(20)}),
            kArrival + milliseconds(50));
}

TEST(HardStop, LeavesAtMostAQuarterAsMargin) {
  EXPECT_EQ(HardStop(kArrival, kArrival + milliseconds(40), hours(1), {.least = milliseconds(20)}),
            kArrival + milliseconds(30));
}

TEST(HardStop, IsNowWhenTheDeadlineHasPassed) {
  EXPECT_EQ(HardStop(kArrival, kArrival - hours(1), hours(1), {.least = milliseconds(20)}), kArrival);
}

TEST(HardStop, SaturatesInsteadOfWrapping) {
  EXPECT_EQ(HardStop(kArrival, std::nullopt, Duration::max(), {.least = milliseconds(20)}), TimePoint::max());
  EXPECT_EQ(Later(TimePoint::min(), Duration(-1)), TimePoint::min());
}

// What gRPC makes of a timeout on its way: rounded up to three digits or so.
TEST(CallersDeadline, IsEarlierByWhatTheTimeoutMayHaveBeenRoundedUp) {
  const auto earlier = [](Duration remaining) {
    return kArrival + remaining - CallersDeadline(kArrival + remaining, kArrival);
  };
  EXPECT_EQ(earlier(milliseconds(100)), milliseconds(1));
  EXPECT_EQ(earlier(milliseconds(999)), milliseconds(1));
  EXPECT_EQ(earlier(seconds(1)), milliseconds(10));
  EXPECT_EQ(earlier(milliseconds(9'990)), milliseconds(10));
  EXPECT_EQ(earlier(seconds(10)), milliseconds(100));
  EXPECT_EQ(earlier(seconds(100)), seconds(1));
  EXPECT_EQ(earlier(hours(24)), seconds(100));
}

TEST(CallersDeadline, IsNeverBeforeArrivalAndNeverWraps) {
  EXPECT_EQ(CallersDeadline(kArrival + Duration(5), kArrival), kArrival);
  EXPECT_EQ(CallersDeadline(kArrival - hours(1), kArrival), kArrival - hours(1));
  EXPECT_EQ(CallersDeadline(TimePoint::max(), kArrival), TimePoint::max());
  EXPECT_LT(CallersDeadline(TimePoint::max() - Duration(1), kArrival), TimePoint::max());
}

TEST(HardStop, LeavesAtMostHalfForWhatWasLearnt) {
  const Margin margin = {.least = milliseconds(20), .learnt = milliseconds(30)};
  EXPECT_EQ(HardStop(kArrival, kArrival + milliseconds(200), hours(1), margin), kArrival + milliseconds(150));
  EXPECT_EQ(HardStop(kArrival, kArrival + milliseconds(80), hours(1), margin), kArrival + milliseconds(40));
  EXPECT_EQ(HardStop(kArrival, kArrival + milliseconds(40), hours(1),
                     {.least = milliseconds(20), .learnt = milliseconds(5)}),
            kArrival + milliseconds(25));
}

TEST(UnseenDelay, IsWhatTheDeadlineWasEarlierThanItSeemed) {
  const TimePoint deadline = kArrival + milliseconds(400);
  EXPECT_EQ(UnseenDelay(kArrival, deadline, deadline - milliseconds(30)), milliseconds(30));
  EXPECT_EQ(UnseenDelay(kArrival, deadline, deadline - milliseconds(100)), milliseconds(100));
}

TEST(UnseenDelay, IsNoneWhereTheCallerLostPatienceOrTheDeadlinePassed) {
  const TimePoint deadline = kArrival + milliseconds(400);
  EXPECT_EQ(UnseenDelay(kArrival, deadline, deadline - milliseconds(101)), std::nullopt);
  EXPECT_EQ(UnseenDelay(kArrival, kArrival + milliseconds(40), kArrival + milliseconds(19)), std::nullopt);
  EXPECT_EQ(UnseenDelay(kArrival, deadline, deadline), std::nullopt);
  EXPECT_EQ(UnseenDelay(kArrival, TimePoint::max(), kArrival), std::nullopt);
}

TEST(ReplyMargin, StartsAtTheLeast) {
  EXPECT_EQ(ReplyMargin(milliseconds(50)).Get().least, milliseconds(50));
  EXPECT_EQ(ReplyMargin(milliseconds(50)).Get().learnt, Duration::zero());
}

TEST(ReplyMargin, FollowsTheLagUpAtOnceAndDownWithTime) {
  ReplyMargin margin(milliseconds(5));
  margin.Observe(milliseconds(30), kArrival);
  EXPECT_EQ(margin.Get().learnt, milliseconds(30));
  for (int reply = 0; reply < 1000; ++reply) margin.Observe(milliseconds(0), kArrival);
  EXPECT_EQ(margin.Get().learnt, milliseconds(30));
  margin.Observe(milliseconds(0), kArrival + seconds(1));
  EXPECT_EQ(margin.Get().learnt, milliseconds(20));
  margin.Observe(milliseconds(25), kArrival + seconds(1));
  EXPECT_EQ(margin.Get().learnt, milliseconds(25));
  margin.Observe(milliseconds(1), kArrival + hours(1));
  EXPECT_EQ(margin.Get().learnt, milliseconds(1));
}

TEST(ReplyMargin, LearnsLittleFromAStoppedProcess) {
  ReplyMargin margin(milliseconds(5));
  margin.Observe(hours(1), kArrival);
  EXPECT_EQ(margin.Get().learnt, milliseconds(100));
}

}  // namespace
}  // namespace telamalloc::server

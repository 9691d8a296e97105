// A stop is noticed in every phase of every heuristic, and is never mistaken for a placement.
#include <cstdint>
#include <string>

#include "core/search/heuristics_support.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "search/hints.h"
#include "timeline/budget.h"

namespace telamalloc::testing {
namespace {

// Few overlaps per buffer, or many.
Problem Staggered(std::int64_t buffers, std::int64_t lifetime) {
  Problem problem;
  for (std::int64_t b = 0; b < buffers; ++b) {
    problem.buffers.push_back(
        {.start = b, .end = b + lifetime, .size = 1 + b * 7919 % 64, .offset_hint = 8192});
  }
  return problem;
}

struct Asked {
  std::int64_t times = 0;
  bool placed = false;
};

// How often the heuristic asks whether to stop, if the answer is yes from the `last`-th time on.
Asked PlaceUntil(const Timeline& timeline, const NamedHeuristic& heuristic, std::int64_t last) {
  Asked asked;
  Budget budget(std::nullopt, std::nullopt, [&] { return ++asked.times >= last; });
  asked.placed = heuristic.place(timeline, timeline.partitions()[0], budget).has_value();
  return asked;
}

class StopTest : public ::testing::TestWithParam<NamedHeuristic> {};

TEST_P(StopTest, EndsAtTheFirstYes) {
  for (const std::int64_t lifetime : {3, 300}) {
    const Timeline timeline = BuildValid(Staggered(20'000, lifetime));
    ASSERT_EQ(timeline.partitions().size(), 1);
    const Asked all = PlaceUntil(timeline, GetParam(), std::int64_t{1} << 60);
    ASSERT_TRUE(all.placed);
    ASSERT_GT(all.times, 3);
    for (const std::int64_t last : {std::int64_t{1}, std::int64_t{2}, all.times / 2, all.times}) {
      const Asked stopped = PlaceUntil(timeline, GetParam(), last);
      EXPECT_FALSE(stopped.placed) << "lifetime " << lifetime << " asked " << last << " of " << all.times;
      EXPECT_EQ(stopped.times, last);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Heuristics, StopTest, ::testing::ValuesIn(Heuristics().begin(), Heuristics().end()),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(HonourHints, EndsAtTheFirstYes) {
  const Timeline timeline = BuildValid(Staggered(20'000, 300));
  std::vector<std::int64_t> offsets = PlaceUnits(timeline, HeuristicNamed("greedy_by_size"))->offsets;
  std::int64_t times = 0;
  Budget unlimited(std::nullopt, std::nullopt, [&] { return ++times < 0; });
  std::vector<std::int64_t> moved = offsets;
  HonourHints(timeline, moved, 100'000, unlimited);
  ASSERT_GT(times, 3);
  const std::int64_t half = times / 2;
  times = 0;
  Budget budget(std::nullopt, std::nullopt, [&] { return ++times >= half; });
  HonourHints(timeline, offsets, 100'000, budget);
  EXPECT_EQ(times, half);
}

}  // namespace
}  // namespace telamalloc::testing

#include "timeline/within.h"

#include <algorithm>
#include <functional>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "support/random_problem.h"

namespace telamalloc::testing {
namespace {

TEST(SortWithin, SortsAnyLength) {
  Random random(1);
  for (const std::size_t size : {0, 1, 2, 1023, 1024, 1025, 2048, 5000, 10'000}) {
    std::vector<std::int64_t> values(size);
    for (std::int64_t& value : values) value = random.Uniform(-500, 500);
    std::vector<std::int64_t> expected = values;
    std::ranges::sort(expected);
    Budget unlimited;
    EXPECT_TRUE(SortWithin(unlimited, values, std::less<>()));
    EXPECT_EQ(values, expected) << size;
  }
}

TEST(SortWithin, StopsWithItsBudget) {
  std::vector<std::int64_t> values(100'000);
  Random random(1);
  for (std::int64_t& value : values) value = random.Uniform(0, 1000);
  int polls = 0;
  Budget budget(std::nullopt, std::nullopt, [&] { return ++polls > 3; });
  EXPECT_FALSE(SortWithin(budget, values, std::less<>()));
  EXPECT_EQ(polls, 4) << "a stop is not asked for again";
}

TEST(ForEachWithin, VisitsAllInOrder) {
  std::vector<std::size_t> visited;
  Budget unlimited;
  EXPECT_TRUE(ForEachWithin(unlimited, 5000, 1, [&](std::size_t k) { visited.push_back(k); }));
  ASSERT_EQ(visited.size(), 5000);
  EXPECT_TRUE(std::ranges::is_sorted(visited));
}

}  // namespace
}  // namespace telamalloc::testing

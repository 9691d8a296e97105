#include <optional>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "support/random_problem.h"
#include "timeline/timeline.h"

namespace telamalloc::testing {
namespace {

TEST(Stop, IsHeardAtOnce) {
  Budget budget(std::nullopt, std::nullopt, [] { return true; });
  const Problem problem = RandomProblem(1, AllFeatures());
  EXPECT_EQ(Timeline::Build(problem, budget).status().code(), absl::StatusCode::kCancelled);
}

// Whichever poll it is that says stop, the build ends as cancelled, and the predicate is not asked again.
TEST(Stop, IsHeardInEveryPhase) {
  RandomProblemOptions options = AllFeatures();
  options.pins = false;
  options.buffers = 5000;
  options.ticks = 100'000;
  const Problem problem = RandomProblem(2, options);
  int polls_needed = 0;
  {
    Budget budget(std::nullopt, std::nullopt, [&] {
      ++polls_needed;
      return false;
    });
    ASSERT_TRUE(Timeline::Build(problem, budget).ok());
  }
  EXPECT_GT(polls_needed, 20);
  for (int last = 1; last <= polls_needed; ++last) {
    int polls = 0;
    Budget budget(std::nullopt, std::nullopt, [&] { return ++polls == last; });
    EXPECT_EQ(Timeline::Build(problem, budget).status().code(), absl::StatusCode::kCancelled) << last;
    EXPECT_EQ(polls, last);
  }
}

}  // namespace
}  // namespace telamalloc::testing

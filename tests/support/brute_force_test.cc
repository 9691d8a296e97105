#include "support/brute_force.h"

#include "gtest/gtest.h"
#include "support/drawing.h"
#include "support/naive.h"

namespace telamalloc::testing {
namespace {

TEST(BruteForce, FindsTheLeastPeak) {
  const Problem problem = FromDrawing(
      "..dd\n"
      "aacc\n"
      "abbc\n");
  const std::optional<Solution> solution = BruteForce(problem, 10);
  ASSERT_TRUE(solution.has_value());
  EXPECT_TRUE(IsValidPlacement(problem, solution->offsets));
  EXPECT_EQ(solution->peak, 3);
  EXPECT_FALSE(BruteForce(problem, 2).has_value());
}

// Never more than four bytes live, yet no placement within four exists.
TEST(BruteForce, KnowsThatLiveBytesAreNoVerdict) {
  const Problem problem{.buffers = {{.start = 0, .end = 1, .size = 2},
                                    {.start = 0, .end = 2, .size = 2},
                                    {.start = 1, .end = 3, .size = 1},
                                    {.start = 1, .end = 4, .size = 1},
                                    {.start = 2, .end = 4, .size = 1},
                                    {.start = 3, .end = 5, .size = 2},
                                    {.start = 4, .end = 6, .size = 2}}};
  for (const std::int64_t tick : CriticalTicks(problem)) EXPECT_LE(ContentionAt(problem, tick), 4);
  EXPECT_FALSE(BruteForce(problem, 4).has_value());
  EXPECT_EQ(BruteForce(problem, 9)->peak, 5);
}

TEST(BruteForce, HonoursPinsAlignmentsAndGroups) {
  const Problem problem{
      .buffers = {{.start = 0, .end = 1, .size = 3, .alignment = 4, .colocation_group = "g"},
                  {.start = 2, .end = 3, .size = 1, .colocation_group = "g"},
                  {.start = 2, .end = 3, .size = 1, .fixed_offset = 0},
                  {.start = 2, .end = 3, .size = 0, .colocation_group = "g"}}};
  const std::optional<Solution> solution = BruteForce(problem, 8);
  ASSERT_TRUE(solution.has_value());
  EXPECT_TRUE(IsValidPlacement(problem, solution->offsets));
  EXPECT_EQ(solution->offsets, (std::vector<std::int64_t>{4, 4, 0, 4}));
  EXPECT_EQ(solution->peak, 7);
}

TEST(BruteForce, PlacesNothingAtPeakZero) { EXPECT_EQ(BruteForce(Problem{}, 0)->peak, 0); }

}  // namespace
}  // namespace telamalloc::testing

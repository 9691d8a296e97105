#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "telamalloc/solver.h"

namespace telamalloc {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

SolveResult SolveAt(Problem problem, std::int64_t capacity) {
  problem.capacity = capacity;
  return *Solve(*PreparedProblem::Create(std::move(problem)));
}

TEST(Infeasibility, NamesTheOverloadedWindowAndWhoIsLiveThere) {
  const SolveResult result = SolveAt({.buffers = {{.start = 0, .end = 6, .size = 400, .id = "a"},
                                                  {.start = 0, .end = 3, .size = 200, .id = "b"},
                                                  {.start = 4, .end = 8, .size = 500, .id = "c"},
                                                  {.start = 5, .end = 9, .size = 300, .id = "d"},
                                                  {.start = 8, .end = 9, .size = 100, .id = "e"}}},
                                     1024);
  EXPECT_EQ(result.outcome, Outcome::kInfeasible);
  EXPECT_EQ(result.method, Method::kLoadBound);
  EXPECT_EQ(result.limit, Limit::kNone);
  ASSERT_TRUE(result.infeasibility.has_value());
  EXPECT_EQ(result.infeasibility->needed, 1200);
  EXPECT_EQ(result.infeasibility->available, 1024);
  EXPECT_EQ(result.infeasibility->excess, 176);
  EXPECT_EQ(result.infeasibility->start, 5);
  EXPECT_EQ(result.infeasibility->end, 6);
  EXPECT_THAT(result.infeasibility->buffers, ElementsAre(0, 2, 3));
  EXPECT_THAT(result.infeasibility->explanation, HasSubstr("\"a\", \"c\", \"d\""));
  ASSERT_TRUE(result.solution.has_value());  // a plan to spill by
  EXPECT_EQ(result.solution->peak, 1200);
}

TEST(Infeasibility, EscapesIdsInItsSentence) {
  const SolveResult result = SolveAt({.buffers = {{.start = 0, .end = 1, .size = 9, .id = "a\x1b[31m"}}}, 8);
  ASSERT_TRUE(result.infeasibility.has_value());
  EXPECT_THAT(result.infeasibility->explanation, HasSubstr(R"(live there: "a\x1b[31m")"));
}

TEST(Infeasibility, NamesAPinAboveTheCapacity) {
  const SolveResult result =
      SolveAt({.buffers = {{.start = 0, .end = 4, .size = 32, .id = "a"},
                           {.start = 0, .end = 4, .size = 64, .fixed_offset = 96, .id = "p"}}},
              128);
  EXPECT_EQ(result.outcome, Outcome::kInfeasible);
  ASSERT_TRUE(result.infeasibility.has_value());
  EXPECT_EQ(result.infeasibility->needed, 160);
  EXPECT_THAT(result.infeasibility->buffers, ElementsAre(1));
  EXPECT_THAT(result.infeasibility->explanation, HasSubstr("pinned at 96"));
}

TEST(Infeasibility, OfSearchNamesThePartitionAndTheNextPossiblePeak) {
  const SolveResult result = SolveAt({.buffers = {{.start = 9, .end = 10, .size = 8},
                                                  {.start = 0, .end = 2, .size = 40, .alignment = 64},
                                                  {.start = 0, .end = 2, .size = 40, .alignment = 64},
                                                  {.start = 0, .end = 2, .size = 40, .alignment = 64}}},
                                     160);
  EXPECT_EQ(result.outcome, Outcome::kInfeasible);
  EXPECT_EQ(result.method, Method::kExact);
  ASSERT_TRUE(result.infeasibility.has_value());
  EXPECT_GE(result.lower_bound, 161);
  EXPECT_LE(result.lower_bound, 168);
  EXPECT_THAT(result.infeasibility->buffers, ElementsAre(1, 2, 3));
  ASSERT_TRUE(result.solution.has_value());
  EXPECT_EQ(result.solution->peak, 168);
}

TEST(Infeasibility, OfMinimiseUnderACapacity) {
  const PreparedProblem prepared = *PreparedProblem::Create(
      {.buffers = {{.start = 0, .end = 2, .size = 8}, {.start = 0, .end = 2, .size = 8}}, .capacity = 15});
  const SolveResult result = *Solve(prepared, {.objective = Objective::kMinimize});
  EXPECT_EQ(result.outcome, Outcome::kInfeasible);
  EXPECT_EQ(result.lower_bound, 16);
  ASSERT_TRUE(result.infeasibility.has_value());
  EXPECT_EQ(result.infeasibility->excess, 1);
}

}  // namespace
}  // namespace telamalloc

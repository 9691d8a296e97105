#include <gtest/gtest.h>

#include <chrono>

#include "support/random_problem.h"
#include "telamalloc/solver.h"

namespace telamalloc {
namespace {

// Too hard to finish: many buffers at their load bound.
PreparedProblem Hard() {
  Problem problem = testing::RandomProblem(11, {.buffers = 200, .ticks = 60, .max_size = 1000});
  problem.capacity = PreparedProblem::Create(problem)->lower_bound();
  return *PreparedProblem::Create(std::move(problem));
}

TEST(Stop, CancelledAtOnceGivesNoClaim) {
  const SolveResult result = *Solve(Hard(), {.stop = [] { return true; }});
  EXPECT_EQ(result.outcome, Outcome::kNoSolutionFound);
  EXPECT_EQ(result.limit, Limit::kCancelled);
}

TEST(Stop, NodesAreCountedAndGiveTheSamePlacementAgain) {
  const PreparedProblem prepared = Hard();
  const SolveOptions options = {.objective = Objective::kMinimize, .max_nodes = 5000};
  const SolveResult first = *Solve(prepared, options);
  const SolveResult second = *Solve(prepared, options);
  EXPECT_LE(first.stats.nodes, 5000);
  EXPECT_EQ(first.solution, second.solution);
  EXPECT_EQ(first.stats.nodes, second.stats.nodes);
  EXPECT_EQ(first.outcome, second.outcome);
}

TEST(Stop, ATimeLimitOfZeroIsATimeout) {
  const SolveResult result = *Solve(Hard(), {.time_limit = std::chrono::nanoseconds(0)});
  EXPECT_EQ(result.outcome, Outcome::kNoSolutionFound);
  EXPECT_EQ(result.limit, Limit::kTime);
}

TEST(Stop, ZeroNodesLeaveTheGreedyPlacement) {
  const SolveResult result = *Solve(Hard(), {.max_nodes = 0});
  ASSERT_TRUE(result.solution.has_value());
  EXPECT_EQ(result.stats.nodes, 0);
}

}  // namespace
}  // namespace telamalloc

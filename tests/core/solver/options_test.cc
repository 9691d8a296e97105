#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

#include "telamalloc/solver.h"

namespace telamalloc {
namespace {

using ::testing::HasSubstr;

PreparedProblem Prepared(std::optional<std::int64_t> capacity) {
  return *PreparedProblem::Create(
      {.buffers = {{.start = 0, .end = 2, .size = 8}, {.start = 1, .end = 3, .size = 4}},
       .capacity = capacity});
}

TEST(SolveOptions, FitNeedsACapacity) {
  const absl::Status status = Solve(Prepared(std::nullopt)).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()), HasSubstr("capacity"));
}

TEST(SolveOptions, UnknownSolverIsRefusedWithTheKnownOnes) {
  const absl::Status status = Solve(Prepared(16), {.solver = "magic"}).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()), HasSubstr("\"magic\"; known: auto, telamalloc"));
}

TEST(SolveOptions, NegativeLimitsAreRefused) {
  EXPECT_EQ(Solve(Prepared(16), {.max_nodes = -1}).status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(Solve(Prepared(16), {.time_limit = std::chrono::nanoseconds(-1)}).status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(SolveOptions, EverySolverSolvesTheEasyProblem) {
  for (const absl::string_view name : SolverNames()) {
    const absl::StatusOr<SolveResult> result = Solve(Prepared(12), {.solver = std::string(name)});
    ASSERT_TRUE(result.ok()) << name;
    EXPECT_EQ(result->outcome, Outcome::kFeasible) << name;
  }
}

TEST(SolveOptions, TelamallocAnswersByItself) {
  const SolveResult result = *Solve(Prepared(12), {.solver = "telamalloc"});
  EXPECT_EQ(result.method, Method::kTelamalloc);
}

TEST(Solve, AnEmptyProblemHasPeakZero) {
  const SolveResult fit = *Solve(*PreparedProblem::Create({.capacity = 0}));
  EXPECT_EQ(fit.outcome, Outcome::kFeasible);
  ASSERT_TRUE(fit.solution.has_value());
  EXPECT_EQ(fit.solution->peak, 0);
  const SolveResult least = *Solve(*PreparedProblem::Create({}), {.objective = Objective::kMinimize});
  EXPECT_EQ(least.outcome, Outcome::kOptimal);
}

TEST(Solve, AHugeTimeLimitDoesNotWrap) {
  const SolveResult result = *Solve(Prepared(12), {.time_limit = std::chrono::nanoseconds::max()});
  EXPECT_EQ(result.outcome, Outcome::kFeasible);
}

}  // namespace
}  // namespace telamalloc

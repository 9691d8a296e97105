#include "server/best_answer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "convert/convert.h"
#include "server/errors.h"
#include "server/settings.h"
#include "telamalloc/problem.h"
#include "telamalloc/solution.h"
#include "telamalloc/solver.h"
#include "telamalloc/v1/allocation_service.pb.h"

namespace telamalloc::server {
namespace {

Problem WithCapacity(std::int64_t capacity) { return {.buffers = {}, .capacity = capacity}; }

Solution WithPeak(std::int64_t peak) { return {.offsets = {peak}, .peak = peak}; }

TEST(BestAnswer, KeepsTheSmallerPeakWithItsMethod) {
  BestAnswer best;
  EXPECT_FALSE(best.usable());
  best.Merge(WithCapacity(5), Objective::kFit, WithPeak(10), Method::kGreedy);
  best.Merge(WithCapacity(5), Objective::kFit, WithPeak(12), Method::kTelamalloc);
  EXPECT_TRUE(best.usable());
  EXPECT_EQ(best.result().solution->peak, 10);
  EXPECT_EQ(best.result().method, Method::kGreedy);
  EXPECT_EQ(best.result().outcome, Outcome::kNoSolutionFound);
  best.Merge(WithCapacity(5), Objective::kFit, WithPeak(5), Method::kTelamalloc);
  EXPECT_EQ(best.result().method, Method::kTelamalloc);
  EXPECT_EQ(best.result().outcome, Outcome::kFeasible);
}

TEST(BestAnswer, IsOptimalOnlyWhenMinimisingDownToTheBound) {
  const SolveResult result = {
      .outcome = Outcome::kFeasible, .method = Method::kGreedy, .solution = WithPeak(8), .lower_bound = 7};
  BestAnswer best;
  best.Merge({}, Objective::kMinimize, result);
  EXPECT_EQ(best.result().outcome, Outcome::kFeasible);
  best.Merge({}, Objective::kMinimize, WithPeak(7), Method::kTelamalloc);
  EXPECT_EQ(best.result().outcome, Outcome::kOptimal);
}

TEST(BestAnswer, KeepsAProofOfInfeasibilityWithoutAPlacement) {
  const SolveResult result = {.outcome = Outcome::kInfeasible,
                              .method = Method::kLoadBound,
                              .lower_bound = 9,
                              .infeasibility = Infeasibility{.needed = 9}};
  BestAnswer best;
  best.Merge(WithCapacity(5), Objective::kFit, result);
  EXPECT_TRUE(best.usable());
  EXPECT_EQ(best.result().outcome, Outcome::kInfeasible);
  best.Merge(WithCapacity(5), Objective::kFit, WithPeak(9), Method::kGreedy);
  EXPECT_EQ(best.result().outcome, Outcome::kInfeasible);
  EXPECT_EQ(best.result().method, Method::kLoadBound);
  EXPECT_EQ(best.result().solution->peak, 9);
}

TEST(MayFallBack, FollowsThePolicies) {
  using enum OverloadPolicy;
  using Policy = FallbackPolicy;
  const struct {
    v1::StopReason why;
    Policy policy;
    OverloadPolicy overload;
    bool may;
  } rows[] = {
      {v1::STOP_REASON_TIME, Policy::kGreedy, kGreedy, true},
      {v1::STOP_REASON_TIME, Policy::kGreedy, kReject, true},
      {v1::STOP_REASON_TIME, Policy::kGreedyOnTimeout, kGreedy, true},
      {v1::STOP_REASON_TIME, Policy::kNone, kGreedy, false},
      {v1::STOP_REASON_OVERLOAD, Policy::kGreedy, kGreedy, true},
      {v1::STOP_REASON_OVERLOAD, Policy::kGreedy, kReject, false},
      {v1::STOP_REASON_OVERLOAD, Policy::kGreedyOnTimeout, kGreedy, false},
      {v1::STOP_REASON_OVERLOAD, Policy::kNone, kGreedy, false},
      {v1::STOP_REASON_DRAIN, Policy::kGreedy, kReject, true},
      {v1::STOP_REASON_DRAIN, Policy::kGreedyOnTimeout, kGreedy, true},
      {v1::STOP_REASON_DRAIN, Policy::kNone, kGreedy, false},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(MayFallBack(row.why, row.policy, row.overload), row.may)
        << v1::StopReason_Name(row.why) << " " << static_cast<int>(row.policy);
  }
}

TEST(StoppedError, SaysWhyAndWhetherToComeBack) {
  EXPECT_EQ(StoppedError(v1::STOP_REASON_TIME).reason, Reason::kTimeExhausted);
  EXPECT_EQ(StoppedError(v1::STOP_REASON_DRAIN).reason, Reason::kDraining);
  EXPECT_EQ(StoppedError(v1::STOP_REASON_OVERLOAD).reason, Reason::kQueueFull);
  EXPECT_TRUE(StoppedError(v1::STOP_REASON_OVERLOAD).retry_after);
  EXPECT_FALSE(StoppedError(v1::STOP_REASON_TIME).retry_after);
}

TEST(SolverNames, HasThoseThatTheServerKnows) {
  EXPECT_THAT(SolverNames(), ::testing::IsSupersetOf({kAutoSolver, kGreedySolver}));
}

TEST(SettlesRequest, LeavesSpillAdviceToAWorker) {
  for (const char* solver : {"", "greedy"}) {
    const SolveOptions options = {.solver = solver, .spill_advice = 1};
    EXPECT_FALSE(SettlesRequest({.outcome = Outcome::kInfeasible}, options));
    EXPECT_TRUE(SettlesRequest({.outcome = Outcome::kFeasible}, options));
  }
}

TEST(SettlesRequest, LeavesToTheSearchWhatGreedyCannotKnow) {
  const struct {
    Outcome outcome;
    Objective objective;
    const char* solver;
    bool settles;
  } rows[] = {
      {Outcome::kFeasible, Objective::kFit, "", true},
      {Outcome::kFeasible, Objective::kFit, "auto", true},
      {Outcome::kFeasible, Objective::kFit, "telamalloc", false},
      {Outcome::kFeasible, Objective::kMinimize, "", false},
      {Outcome::kFeasible, Objective::kMinimize, "greedy", true},
      {Outcome::kOptimal, Objective::kMinimize, "", true},
      {Outcome::kInfeasible, Objective::kFit, "", true},
      {Outcome::kInfeasible, Objective::kFit, "telamalloc", false},
      {Outcome::kNoSolutionFound, Objective::kFit, "", false},
      {Outcome::kNoSolutionFound, Objective::kFit, "greedy", true},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(SettlesRequest({.outcome = row.outcome}, {.objective = row.objective, .solver = row.solver}),
              row.settles)
        << Name(row.outcome) << " " << Name(row.objective) << " \"" << row.solver << "\"";
  }
}

}  // namespace
}  // namespace telamalloc::server

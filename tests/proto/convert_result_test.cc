#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <set>
#include <string>

#include "absl/status/status.h"
#include "convert/convert.h"
#include "convert/enums.h"
#include "telamalloc/problem.h"
#include "telamalloc/solution.h"
#include "telamalloc/solver.h"
#include "telamalloc/v1/allocation_service.pb.h"

namespace telamalloc {
namespace {

Problem TwoBuffers() {
  return {.buffers = {{.start = 0, .end = 1, .size = 4}, {.start = 0, .end = 1, .size = 8}}, .capacity = 10};
}

TEST(ConvertResult, KeepsAllThatIsTransmitted) {
  const SolveResult result = {
      .outcome = Outcome::kInfeasible,
      .limit = Limit::kNodes,
      .method = Method::kLoadBound,
      .solution = Solution{.offsets = {8, 0}, .peak = 12},
      .lower_bound = 12,
      .infeasibility = Infeasibility{.needed = 12,
                                     .available = 10,
                                     .excess = 2,
                                     .start = -1,
                                     .end = 1,
                                     .buffers = {0, 1},
                                     .conflict = {1},
                                     .irreducible = true,
                                     .sufficient = 12,
                                     .explanation = "too much"},
      .spill_advice =
          {{.buffers = {1}, .cost = 2.5, .bytes = 8, .minimal = true, .offsets = {0, kSpilled}, .peak = 4}},
      .stats = {.nodes = 1,
                .minor_backtracks = 2,
                .major_backtracks = 3,
                .solve_time = std::chrono::milliseconds(1500)}};
  const v1::AllocationResult wire = ToProto(TwoBuffers(), result);
  EXPECT_TRUE(wire.over_capacity());
  EXPECT_EQ(wire.provenance(), v1::PROVENANCE_SOLVED);
  const absl::StatusOr<SolveResult> back = FromProto(wire);
  ASSERT_TRUE(back.ok()) << back.status();
  EXPECT_EQ(back->outcome, result.outcome);
  EXPECT_EQ(back->limit, result.limit);
  EXPECT_EQ(back->method, result.method);
  EXPECT_EQ(back->solution, result.solution);
  EXPECT_EQ(back->lower_bound, result.lower_bound);
  EXPECT_EQ(back->stats.nodes, 1);
  EXPECT_EQ(back->stats.minor_backtracks, 2);
  EXPECT_EQ(back->stats.major_backtracks, 3);
  EXPECT_EQ(back->stats.solve_time, result.stats.solve_time);
  ASSERT_TRUE(back->infeasibility);
  EXPECT_EQ(back->infeasibility->needed, 12);
  EXPECT_EQ(back->infeasibility->available, 10);
  EXPECT_EQ(back->infeasibility->excess, 2);
  EXPECT_EQ(back->infeasibility->start, -1);
  EXPECT_EQ(back->infeasibility->end, 1);
  EXPECT_THAT(back->infeasibility->buffers, ::testing::ElementsAre(0, 1));
  EXPECT_EQ(back->infeasibility->explanation, "too much");
  EXPECT_THAT(back->infeasibility->conflict, ::testing::ElementsAre(1));
  EXPECT_TRUE(back->infeasibility->irreducible);
  EXPECT_EQ(back->infeasibility->sufficient, 12);
  ASSERT_EQ(back->spill_advice.size(), 1U);
  EXPECT_THAT(back->spill_advice[0].buffers, ::testing::ElementsAre(1));
  EXPECT_EQ(back->spill_advice[0].cost, 2.5);
  EXPECT_EQ(back->spill_advice[0].bytes, 8);
  EXPECT_TRUE(back->spill_advice[0].minimal);
  EXPECT_THAT(back->spill_advice[0].offsets, ::testing::ElementsAre(0, kSpilled));
  EXPECT_EQ(back->spill_advice[0].peak, 4);
}

TEST(ConvertResult, HasAWireValueOfItsOwnForEachOfOurs) {
  std::set<int> outcomes;
  for (const Outcome outcome : kAllOutcomes) {
    EXPECT_EQ(FromProto(ToProto(outcome)), outcome);
    outcomes.insert(ToProto(outcome));
    EXPECT_EQ(v1::Outcome_Name(ToProto(outcome)), "OUTCOME_" + std::string(Name(outcome)));
  }
  EXPECT_EQ(outcomes.size(), kAllOutcomes.size());
  for (const Method method : kAllMethods) EXPECT_EQ(FromProto(ToProto(method)), method);
  for (const Limit limit : kAllLimits) EXPECT_EQ(FromProto(ToProto(limit)), limit);
  for (const Objective objective : {Objective::kFit, Objective::kMinimize}) {
    EXPECT_EQ(FromProto(ToProto(objective)), objective);
  }
}

TEST(ConvertResult, IsNotOverAnUnsetCapacity) {
  Problem problem = TwoBuffers();
  const SolveResult result = {.outcome = Outcome::kFeasible,
                              .solution = Solution{.offsets = {8, 0}, .peak = 12}};
  EXPECT_TRUE(ToProto(problem, result).over_capacity());
  problem.capacity.reset();
  EXPECT_FALSE(ToProto(problem, result).over_capacity());
}

TEST(ConvertResult, TellsAnEmptyPlacementFromNone) {
  v1::AllocationResult wire;
  wire.set_stop_reason(v1::STOP_REASON_COMPLETED);
  wire.set_outcome(v1::OUTCOME_OPTIMAL);
  EXPECT_EQ(FromProto(wire)->solution, Solution{});
  wire.set_outcome(v1::OUTCOME_NO_SOLUTION_FOUND);
  EXPECT_EQ(FromProto(wire)->solution, std::nullopt);
}

TEST(ConvertResult, ReadsAServersOwnStopAsCancelled) {
  v1::AllocationResult wire;
  wire.set_outcome(v1::OUTCOME_FEASIBLE);
  for (const v1::StopReason reason : {v1::STOP_REASON_OVERLOAD, v1::STOP_REASON_DRAIN}) {
    wire.set_stop_reason(reason);
    EXPECT_EQ(FromProto(wire)->limit, Limit::kCancelled);
  }
}

TEST(ConvertResult, RefusesWhatItDoesNotKnow) {
  v1::AllocationResult wire;
  wire.set_outcome(static_cast<v1::Outcome>(99));
  wire.set_stop_reason(static_cast<v1::StopReason>(99));
  wire.set_method(static_cast<v1::Method>(99));
  wire.mutable_infeasibility()->add_buffers(-1);
  wire.mutable_infeasibility()->add_conflict(-1);
  wire.add_spill_advice()->add_buffers(-1);
  std::set<std::string> fields;
  for (const FieldViolation& violation : FieldViolationsOf(FromProto(wire).status())) {
    fields.insert(violation.field);
  }
  EXPECT_THAT(fields, ::testing::ElementsAre("infeasibility.buffers", "infeasibility.conflict", "method",
                                             "outcome", "spill_advice.buffers", "stop_reason"));
}

TEST(ConvertReport, NamesEachRule) {
  using Rule = PlacementViolation::Rule;
  const VerifyReport report = {
      .peak = 12,
      .violations = {{.rule = Rule::kOverlap, .buffer = 0, .other = 1, .description = "a and b"},
                     {.rule = Rule::kFixedOffset, .buffer = 2, .other = -1, .description = "moved"}}};
  const v1::VerifyAllocationResponse wire = ToProto(report);
  EXPECT_FALSE(wire.valid());
  EXPECT_EQ(wire.peak(), 12);
  ASSERT_EQ(wire.violations_size(), 2);
  EXPECT_EQ(wire.violations(0).rule(), "overlap");
  EXPECT_EQ(wire.violations(0).buffer(), 0);
  EXPECT_EQ(wire.violations(0).other(), 1);
  EXPECT_EQ(wire.violations(0).description(), "a and b");
  EXPECT_EQ(wire.violations(1).rule(), "fixed_offset");
  EXPECT_EQ(wire.violations(1).other(), -1);
  EXPECT_TRUE(ToProto(VerifyReport{}).valid());
}

}  // namespace
}  // namespace telamalloc

#include <gmock/gmock.h>
#include <google/protobuf/duration.pb.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "convert/convert.h"
#include "telamalloc/problem.h"
#include "telamalloc/solver.h"
#include "telamalloc/v1/allocation_service.pb.h"

namespace telamalloc {
namespace {

using std::chrono::nanoseconds;

// The fields that FromProto refuses.
std::vector<std::string> BadFields(const v1::SolveOptions& wire) {
  std::vector<std::string> fields;
  for (const FieldViolation& violation : FieldViolationsOf(FromProto(wire).status())) {
    fields.push_back(violation.field);
  }
  return fields;
}

TEST(ConvertOptions, FillsInDefaults) {
  const absl::StatusOr<RequestOptions> options = FromProto(v1::SolveOptions());
  ASSERT_TRUE(options.ok()) << options.status();
  EXPECT_EQ(options->solve.objective, Objective::kFit);
  EXPECT_EQ(options->solve.solver, "");
  EXPECT_EQ(options->solve.max_nodes, std::nullopt);
  EXPECT_EQ(options->solve.spill_advice, 0);
  EXPECT_THAT(options->solve.spill_costs, ::testing::IsEmpty());
  EXPECT_EQ(options->solve.max_explain_nodes, std::nullopt);
  EXPECT_EQ(options->solve_budget, std::nullopt);
  EXPECT_EQ(options->fallback, FallbackPolicy::kGreedy);
  EXPECT_FALSE(options->validate_only);
}

TEST(ConvertOptions, ReadsEveryField) {
  v1::SolveOptions wire;
  wire.mutable_solve_budget()->set_nanos(1);
  wire.set_fallback_policy(v1::FALLBACK_POLICY_GREEDY_ON_TIMEOUT);
  wire.set_objective(v1::OBJECTIVE_MINIMIZE);
  wire.set_solver("greedy");
  wire.set_random_seed(7);
  wire.set_max_nodes(0);
  wire.set_validate_only(true);
  wire.set_spill_advice(3);
  wire.add_spill_costs(0.5);
  wire.add_spill_costs(0);
  wire.set_max_explain_nodes(0);
  const absl::StatusOr<RequestOptions> options = FromProto(wire);
  ASSERT_TRUE(options.ok()) << options.status();
  EXPECT_EQ(options->solve_budget, nanoseconds(1));
  EXPECT_EQ(options->fallback, FallbackPolicy::kGreedyOnTimeout);
  EXPECT_EQ(options->solve.objective, Objective::kMinimize);
  EXPECT_EQ(options->solve.solver, "greedy");
  EXPECT_EQ(options->solve.random_seed, 7U);
  EXPECT_EQ(options->solve.max_nodes, 0);
  EXPECT_TRUE(options->validate_only);
  EXPECT_EQ(options->solve.spill_advice, 3);
  EXPECT_THAT(options->solve.spill_costs, ::testing::ElementsAre(0.5, 0));
  EXPECT_EQ(options->solve.max_explain_nodes, 0);
}

TEST(ConvertOptions, RefusesEachBadValueByItsField) {
  v1::SolveOptions wire;
  wire.mutable_solve_budget();  // zero
  wire.set_fallback_policy(static_cast<v1::FallbackPolicy>(99));
  wire.set_objective(static_cast<v1::Objective>(99));
  wire.set_cache_policy(static_cast<v1::CachePolicy>(99));
  wire.set_solver("oracle");
  wire.set_max_nodes(-1);
  EXPECT_THAT(BadFields(wire), ::testing::ElementsAre("solve_budget", "fallback_policy", "objective",
                                                      "cache_policy", "solver", "max_nodes"));
  EXPECT_THAT(std::string(FromProto(wire).status().message()),
              ::testing::HasSubstr("max_nodes: must not be negative, got -1"));
}

TEST(ConvertOptions, RefusesBadSpillOptionsByTheirFields) {
  v1::SolveOptions wire;
  wire.set_spill_advice(65);
  for (const double cost : {1.0, -1.0, std::nan(""), HUGE_VAL}) wire.add_spill_costs(cost);
  wire.set_max_explain_nodes(-1);
  EXPECT_THAT(BadFields(wire), ::testing::ElementsAre("spill_advice", "spill_costs[1]", "spill_costs[2]",
                                                      "spill_costs[3]", "max_explain_nodes"));
}

TEST(ConvertOptions, WantsOneSpillCostPerBuffer) {
  v1::SolveOptions wire;
  EXPECT_TRUE(FromProto(wire, 2).ok());
  wire.add_spill_costs(1);
  EXPECT_TRUE(FromProto(wire).ok());
  EXPECT_TRUE(FromProto(wire, 1).ok());
  EXPECT_THAT(std::string(FromProto(wire, 2).status().message()),
              ::testing::HasSubstr("spill_costs: must be empty or one per buffer, got 1 for 2 buffers"));
}

TEST(ConvertOptions, RefusesBudgetsThatAreNoTime) {
  const struct {
    std::int64_t seconds;
    std::int32_t nanos;
  } budgets[] = {{-1, 0}, {0, -1}, {1, -1}, {0, 1'000'000'000}, {315'576'000'001, 0}};
  for (const auto& [seconds, nanos] : budgets) {
    v1::SolveOptions wire;
    wire.mutable_solve_budget()->set_seconds(seconds);
    wire.mutable_solve_budget()->set_nanos(nanos);
    EXPECT_THAT(BadFields(wire), ::testing::ElementsAre("solve_budget"))
        << seconds << " s " << nanos << " ns";
  }
}

TEST(ConvertOptions, SaturatesBudgetsBeyondTheClock) {
  v1::SolveOptions wire;
  wire.mutable_solve_budget()->set_seconds(315'576'000'000);
  EXPECT_EQ(FromProto(wire)->solve_budget, nanoseconds::max());
}

TEST(ConvertDuration, KeepsNanosecondsBothWays) {
  for (const std::int64_t count : {std::int64_t{0}, std::int64_t{1}, std::int64_t{-1'500'000'000},
                                   nanoseconds::max().count(), nanoseconds::min().count()}) {
    EXPECT_EQ(FromProto(ToProto(nanoseconds(count))), nanoseconds(count));
  }
}

}  // namespace
}  // namespace telamalloc

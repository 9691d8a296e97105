#include "solver/incumbent.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "solver/prepared_problem.h"
#include "telamalloc/solver.h"

namespace telamalloc {
namespace {

Problem TwoSideBySide() {
  return {.buffers = {{.start = 0, .end = 4, .size = 8}, {.start = 0, .end = 4, .size = 4}}, .capacity = 64};
}

TEST(Incumbent, DropsAPlacementThatFailsVerification) {
  const PreparedProblem prepared = *PreparedProblem::Create(TwoSideBySide());
  int calls = 0;
  const SolveOptions options = {.on_incumbent = [&](const Solution&, Method) { ++calls; }};
  Incumbent incumbent(prepared.impl(), options, std::nullopt);
  incumbent.Offer(0, {.offsets = {0, 2}, .peak = 10}, Method::kGreedy);
  EXPECT_EQ(incumbent.Publish().code(), absl::StatusCode::kInternal);
  EXPECT_FALSE(incumbent.solution().has_value());
  EXPECT_EQ(calls, 0);
}

TEST(Incumbent, PublishesWhatPassesVerification) {
  // Offsets by unit in canonical order: the 4-byte one first.
  const PreparedProblem prepared = *PreparedProblem::Create(TwoSideBySide());
  const SolveOptions options;
  Incumbent incumbent(prepared.impl(), options, std::nullopt);
  incumbent.Offer(0, {.offsets = {0, 4}, .peak = 12}, Method::kGreedy);
  EXPECT_TRUE(incumbent.Publish().ok());
  ASSERT_TRUE(incumbent.solution().has_value());
  EXPECT_EQ(incumbent.solution()->peak, 12);
}

TEST(Incumbent, PublishesOnlyWhatIsBetter) {
  const PreparedProblem prepared = *PreparedProblem::Create(TwoSideBySide());
  std::vector<std::int64_t> peaks;
  const SolveOptions options = {.on_incumbent = [&](const Solution& s, Method) { peaks.push_back(s.peak); }};
  Incumbent incumbent(prepared.impl(), options, std::nullopt);
  incumbent.Offer(0, {.offsets = {0, 20}, .peak = 28}, Method::kGreedy);
  ASSERT_TRUE(incumbent.Publish().ok());
  incumbent.Offer(0, {.offsets = {0, 30}, .peak = 38}, Method::kTelamalloc);
  ASSERT_TRUE(incumbent.Publish().ok());
  EXPECT_EQ(incumbent.method(), Method::kGreedy);
  incumbent.Offer(0, {.offsets = {0, 4}, .peak = 12}, Method::kTelamalloc);
  ASSERT_TRUE(incumbent.Publish().ok());
  EXPECT_EQ(peaks, (std::vector<std::int64_t>{28, 12}));
  EXPECT_EQ(incumbent.method(), Method::kTelamalloc);
}

TEST(Incumbent, HoldsAPeakOfTheLargestInteger) {
  constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
  const PreparedProblem prepared =
      *PreparedProblem::Create({.buffers = {{.start = 0, .end = 1, .size = kMax, .fixed_offset = 0},
                                            {.start = 0, .end = 1, .size = 0}}});
  const absl::StatusOr<SolveResult> result = Solve(prepared, {.objective = Objective::kMinimize});
  ASSERT_TRUE(result.ok()) << result.status().message();
  EXPECT_EQ(result->outcome, Outcome::kOptimal);
  ASSERT_TRUE(result->solution.has_value());
  EXPECT_EQ(result->solution->peak, kMax);
}

}  // namespace
}  // namespace telamalloc

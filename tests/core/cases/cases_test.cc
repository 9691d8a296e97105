// Each case goes the whole way: CSV text, PreparedProblem, Solve, Verify.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "core/cases/case.h"
#include "core/cases/planner_cases.h"
#include "core/cases/user_cases.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "telamalloc/csv.h"
#include "telamalloc/problem.h"
#include "telamalloc/solution.h"
#include "telamalloc/solver.h"

namespace telamalloc::cases {
namespace {

using ::testing::HasSubstr;

// Far more than any of them needs; it keeps a broken search from running for ever.
constexpr std::int64_t kMaxNodes = 1'000'000;

absl::StatusOr<SolveResult> SolveCsv(const std::string& csv, std::int64_t capacity, Objective objective) {
  absl::StatusOr<Problem> problem = ReadProblemCsv(csv);
  if (!problem.ok()) return problem.status();
  if (capacity != kUnbounded) problem->capacity = capacity;
  const absl::StatusOr<PreparedProblem> prepared = PreparedProblem::Create(*problem);
  if (!prepared.ok()) return prepared.status();
  SolveOptions options;
  options.objective = objective;
  options.max_nodes = kMaxNodes;
  absl::StatusOr<SolveResult> result = Solve(*prepared, options);
  if (!result.ok() || !result->solution) return result;
  // A plan to spill by is verified without the capacity that it exceeds.
  if (result->outcome == Outcome::kInfeasible) problem->capacity.reset();
  const VerifyReport report = Verify(*problem, result->solution->offsets);
  EXPECT_TRUE(report.ok()) << report.violations.front().description << "\n" << csv;
  EXPECT_EQ(report.peak, result->solution->peak);
  return result;
}

template <typename Case>
std::string CaseName(const ::testing::TestParamInfo<Case>& info) {
  return info.param.name;
}

class Solvable : public ::testing::TestWithParam<SolvableCase> {};

TEST_P(Solvable, FitsInItsCapacity) {
  const SolvableCase& c = GetParam();
  const std::int64_t capacity = c.capacity == kUnbounded ? c.peak : c.capacity;
  const absl::StatusOr<SolveResult> result = SolveCsv(c.csv, capacity, Objective::kFit);
  ASSERT_TRUE(result.ok()) << result.status();
  ASSERT_EQ(Name(result->outcome), Name(Outcome::kFeasible));
  EXPECT_LE(result->solution->peak, capacity);
}

TEST_P(Solvable, HasThisLeastPeak) {
  const SolvableCase& c = GetParam();
  const absl::StatusOr<SolveResult> result = SolveCsv(c.csv, kUnbounded, Objective::kMinimize);
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(Name(result->outcome), Name(Outcome::kOptimal));
  EXPECT_EQ(result->solution->peak, c.peak);
  EXPECT_EQ(result->lower_bound, c.peak);
}

INSTANTIATE_TEST_SUITE_P(User, Solvable, ::testing::ValuesIn(kUserSolvable), CaseName<SolvableCase>);
INSTANTIATE_TEST_SUITE_P(Planner, Solvable, ::testing::ValuesIn(kPlannerSolvable), CaseName<SolvableCase>);

class Infeasible : public ::testing::TestWithParam<InfeasibleCase> {};

TEST_P(Infeasible, IsProvenWithItsFigures) {
  const InfeasibleCase& c = GetParam();
  const absl::StatusOr<SolveResult> result = SolveCsv(c.csv, c.capacity, Objective::kFit);
  ASSERT_TRUE(result.ok()) << result.status();
  ASSERT_EQ(Name(result->outcome), Name(Outcome::kInfeasible));
  ASSERT_TRUE(result->infeasibility.has_value());
  EXPECT_EQ(result->infeasibility->available, c.capacity);
  EXPECT_GT(result->infeasibility->needed, c.capacity);
  EXPECT_LE(result->infeasibility->needed, c.least_capacity);
  EXPECT_EQ(result->infeasibility->excess, result->infeasibility->needed - c.capacity);
  EXPECT_FALSE(result->infeasibility->buffers.empty());
}

TEST_P(Infeasible, FitsInTheLeastCapacity) {
  const InfeasibleCase& c = GetParam();
  const absl::StatusOr<SolveResult> result = SolveCsv(c.csv, c.least_capacity, Objective::kFit);
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(Name(result->outcome), Name(Outcome::kFeasible));
}

INSTANTIATE_TEST_SUITE_P(User, Infeasible, ::testing::ValuesIn(kUserInfeasible), CaseName<InfeasibleCase>);

class Refused : public ::testing::TestWithParam<RefusedCase> {};

TEST_P(Refused, NamesTheRowOrField) {
  const RefusedCase& c = GetParam();
  const absl::StatusOr<SolveResult> result = SolveCsv(c.csv, kUnbounded, Objective::kMinimize);
  ASSERT_FALSE(result.ok());
  EXPECT_THAT(std::string(result.status().message()), HasSubstr(c.named));
  EXPECT_FALSE(FieldViolationsOf(result.status()).empty());
}

INSTANTIATE_TEST_SUITE_P(User, Refused, ::testing::ValuesIn(kUserRefused), CaseName<RefusedCase>);

TEST(Cases, ExplanationNamesWhoIsLiveAtThePeakOnly) {
  const absl::StatusOr<SolveResult> result = SolveCsv(
      "id,lower,upper,size\na,0,6,400\nb,1,3,200\nc,2,8,500\nd,5,9,300\ne,7,9,100\n", 1024, Objective::kFit);
  ASSERT_TRUE(result.ok()) << result.status();
  ASSERT_TRUE(result->infeasibility.has_value());
  EXPECT_EQ(result->infeasibility->needed, 1200);
  EXPECT_EQ(result->infeasibility->excess, 176);
  EXPECT_EQ(result->infeasibility->start, 5);
  EXPECT_EQ(result->infeasibility->end, 6);
  EXPECT_THAT(result->infeasibility->buffers, ::testing::ElementsAre(0, 2, 3));
}

// 12.5 million overlapping pairs.
TEST(Cases, FiveThousandBuffersAtOnceAreStacked) {
  std::string csv = "id,lower,upper,size\n";
  for (int b = 0; b < 5000; ++b) absl::StrAppend(&csv, "w", b, ",0,1,", b % 97 + 1, "\n");
  const absl::StatusOr<SolveResult> result = SolveCsv(csv, kUnbounded, Objective::kMinimize);
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(Name(result->outcome), Name(Outcome::kOptimal));
  EXPECT_EQ(result->solution->peak, 243834);
}

}  // namespace
}  // namespace telamalloc::cases

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>

#include "property/check.h"
#include "property/features.h"
#include "support/problem_text.h"

namespace telamalloc::testing {
namespace {

constexpr std::uint64_t kProblems = 60;  // of each family

class Differential : public ::testing::TestWithParam<absl::string_view> {};

TEST_P(Differential, EveryEngineAgreesWithBruteForce) {
  Tally tally;
  for (std::uint64_t seed = 0; seed < kProblems; ++seed) {
    const Problem problem = DrawProblem(seed, GetParam());
    const std::optional<std::string> difference = FirstDifference(problem, seed, tally);
    ASSERT_FALSE(difference.has_value()) << "seed " << seed << ": " << *difference << "\n"
                                         << ProblemToText(problem);
  }
  EXPECT_GT(tally.solves, 0);
}

INSTANTIATE_TEST_SUITE_P(Families, Differential, ::testing::ValuesIn(Features().begin(), Features().end()),
                         [](const auto& family) { return std::string(family.param); });

}  // namespace
}  // namespace telamalloc::testing

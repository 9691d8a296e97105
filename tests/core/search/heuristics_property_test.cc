// What holds for every heuristic on random problems with the whole model.
#include <cstdint>
#include <string>
#include <vector>

#include "core/search/heuristics_support.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "support/problem_text.h"
#include "support/random_problem.h"
#include "telamalloc/solution.h"

namespace telamalloc::testing {
namespace {

class HeuristicProperty : public ::testing::TestWithParam<NamedHeuristic> {};

// Tiny ones first, then some that need the structures for many pieces.
Problem ProblemForSeed(std::uint64_t seed) {
  Random random(seed);
  RandomProblemOptions options = AllFeatures();
  options.buffers = seed < 600 ? random.Uniform(1, 12) : random.Uniform(50, 120);
  options.ticks = random.Uniform(2, 3 * options.buffers);
  options.max_size = random.OneIn(2) ? 6 : 1000;
  options.pins = seed < 600 && random.OneIn(2);
  options.windows = random.OneIn(2);
  options.gaps = random.OneIn(2);
  return RandomProblem(seed, options);
}
constexpr std::uint64_t kSeeds = 640;

TEST_P(HeuristicProperty, GivesValidPlacementsWithTheClaimedPeak) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const Problem problem = ProblemForSeed(seed);
    SCOPED_TRACE(::testing::Message() << "seed " << seed << "\n" << ProblemToText(problem));
    const std::optional<Solution> placed = PlaceProblem(problem, GetParam());
    ASSERT_TRUE(placed.has_value());
    const VerifyReport report = Verify(problem, placed->offsets, CapacityRule::kIgnored);
    ASSERT_TRUE(report.ok()) << report.violations.front().description;
    ASSERT_EQ(report.peak, placed->peak);
    ASSERT_GE(placed->peak, BuildValid(problem).lower_bound());
  }
}

TEST_P(HeuristicProperty, DoesNotDependOnTheOrderOfRows) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const Problem problem = ProblemForSeed(seed);
    Random random(seed);
    const Problem shuffled = Shuffled(problem, random);
    SCOPED_TRACE(::testing::Message() << "seed " << seed << "\n" << ProblemToText(problem));
    const std::optional<Solution> placed = PlaceUnits(BuildValid(problem), GetParam());
    ASSERT_EQ(placed, PlaceUnits(BuildValid(shuffled), GetParam()));
    ASSERT_EQ(placed, PlaceUnits(BuildValid(problem), GetParam()));
  }
}

TEST_P(HeuristicProperty, ScalesWithAllSizes) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const Problem problem = ProblemForSeed(seed);
    const std::int64_t factor = seed % 2 == 0 ? 10 : 1024 * 1024 * 1024 + 7;
    Problem scaled = problem;
    for (Buffer& buffer : scaled.buffers) {
      buffer.size *= factor;
      buffer.alignment *= factor;
      if (buffer.fixed_offset) *buffer.fixed_offset *= factor;
      for (Gap& gap : buffer.gaps) {
        if (gap.window)
          gap.window = {.lower = gap.window->lower * factor, .upper = gap.window->upper * factor};
      }
    }
    SCOPED_TRACE(::testing::Message() << "seed " << seed << "\n" << ProblemToText(problem));
    const std::optional<Solution> placed = PlaceProblem(problem, GetParam());
    const std::optional<Solution> scaled_placed = PlaceProblem(scaled, GetParam());
    ASSERT_TRUE(placed && scaled_placed);
    ASSERT_EQ(scaled_placed->peak, placed->peak * factor);
  }
}

TEST_P(HeuristicProperty, DoesNotDependOnWhenTimeStarts) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const Problem problem = ProblemForSeed(seed);
    Problem shifted = problem;
    for (Buffer& buffer : shifted.buffers) {
      buffer.start -= 1'000'000'000'000;
      buffer.end -= 1'000'000'000'000;
      for (Gap& gap : buffer.gaps) {
        gap.start -= 1'000'000'000'000;
        gap.end -= 1'000'000'000'000;
      }
    }
    SCOPED_TRACE(::testing::Message() << "seed " << seed << "\n" << ProblemToText(problem));
    ASSERT_EQ(PlaceProblem(problem, GetParam()), PlaceProblem(shifted, GetParam()));
  }
}

INSTANTIATE_TEST_SUITE_P(Heuristics, HeuristicProperty,
                         ::testing::ValuesIn(Heuristics().begin(), Heuristics().end()),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace telamalloc::testing

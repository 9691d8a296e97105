// Small problems with known answers: what users of memory planners tripped over.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "core/search/heuristics_pinned_case.h"
#include "core/search/heuristics_support.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "support/drawing.h"
#include "telamalloc/csv.h"
#include "telamalloc/solution.h"

namespace telamalloc::testing {
namespace {

using ::testing::ElementsAre;

class EveryHeuristic : public ::testing::TestWithParam<NamedHeuristic> {
 protected:
  // By buffer; verified.
  static Solution Place(const Problem& problem) {
    const std::optional<Solution> placed = PlaceProblem(problem, GetParam());
    EXPECT_TRUE(placed.has_value());
    if (!placed) return {};
    const VerifyReport report = Verify(problem, placed->offsets, CapacityRule::kIgnored);
    EXPECT_TRUE(report.ok());
    EXPECT_EQ(report.peak, placed->peak);
    return *placed;
  }
};

TEST_P(EveryHeuristic, PlacesOneUnitAtTheBottom) {
  EXPECT_THAT(Place({.buffers = {{.start = -5, .end = 5, .size = 3, .alignment = 7}}}).offsets,
              ElementsAre(0));
  EXPECT_THAT(Place({.buffers = {{.start = 0, .end = 1, .size = 3, .fixed_offset = 9}}}).offsets,
              ElementsAre(9));
}

TEST_P(EveryHeuristic, StacksWhatIsLiveTogether) {
  Problem problem;
  for (std::int64_t size = 1; size <= 200; ++size)
    problem.buffers.push_back({.start = 0, .end = 1, .size = size});
  EXPECT_EQ(Place(problem).peak, 200 * 201 / 2);
}

TEST_P(EveryHeuristic, SharesBytesBetweenTouchingLifetimes) {
  Problem problem;
  for (std::int64_t b = 0; b < 100; ++b) problem.buffers.push_back({.start = b, .end = b + 1, .size = 64});
  EXPECT_EQ(Place(problem).peak, 64);
}

TEST_P(EveryHeuristic, UsesAHoleInALifetime) {
  const Problem problem = {.buffers = {{.start = 0, .end = 8, .size = 64, .gaps = {{.start = 3, .end = 5}}},
                                       {.start = 3, .end = 5, .size = 64}}};
  EXPECT_EQ(Place(problem).peak, 64);
}

TEST_P(EveryHeuristic, KeepsTheWindowOfAGapInUse) {
  const Problem problem = FromDrawing(
      "abba\n"
      "abba\n"
      "aaaa\n");
  EXPECT_EQ(Place(problem).peak, 3);
}

TEST_P(EveryHeuristic, TakesAnyIntegerAsAlignment) {
  const Problem problem = {.buffers = {{.start = 0, .end = 2, .size = 7, .alignment = 1},
                                       {.start = 0, .end = 2, .size = 10, .alignment = 12},
                                       {.start = 0, .end = 2, .size = 5, .alignment = 20}}};
  const Solution placed = Place(problem);
  EXPECT_GE(placed.peak, 22);
  EXPECT_LE(placed.peak, 45);  // 7, then 10 from 12, then 5 from 40
}

TEST_P(EveryHeuristic, PutsAnAlignmentAboveTheCapacityAtTheBottom) {
  EXPECT_EQ(Place({.buffers = {{.start = 0, .end = 2, .size = 96, .alignment = 4096}}}).peak, 96);
}

TEST_P(EveryHeuristic, GoesBelowAPinWhereItFits) {
  // p is pinned to [4, 12).
  const Problem problem = {.buffers = {{.start = 0, .end = 4, .size = 8, .fixed_offset = 4},
                                       {.start = 0, .end = 4, .size = 4},
                                       {.start = 0, .end = 8, .size = 8}}};
  // On the skyline the longer lifetime comes first, and what follows lies above.
  const std::int64_t small = GetParam().name == "contention_skyline" ? 20 : 0;
  EXPECT_THAT(Place(problem).offsets, ElementsAre(4, small, 12));
}

TEST_P(EveryHeuristic, GoesAroundPinsThatAreNotLiveYet) {
  // a would grow into p, which starts later.
  const Problem problem = {
      .buffers = {{.start = 0, .end = 4, .size = 3}, {.start = 3, .end = 5, .size = 2, .fixed_offset = 2}}};
  EXPECT_THAT(Place(problem).offsets, ElementsAre(4, 2));
}

TEST_P(EveryHeuristic, LetsPinsShareAnAddressAtDifferentTimes) {
  const Problem problem = {.buffers = {{.start = 0, .end = 2, .size = 65536, .fixed_offset = 131072},
                                       {.start = 2, .end = 4, .size = 65536, .fixed_offset = 131072},
                                       {.start = 0, .end = 4, .size = 131072}}};
  EXPECT_THAT(Place(problem).offsets, ElementsAre(131072, 131072, 0));
}

TEST_P(EveryHeuristic, FillsMemoryAboveAReservedPrefix) {
  const Problem problem = {.buffers = {{.start = 0, .end = 3, .size = 103712, .fixed_offset = 0},
                                       {.start = 0, .end = 2, .size = 700000},
                                       {.start = 1, .end = 3, .size = 695424}}};
  EXPECT_EQ(Place(problem).peak, 1499136);
}

TEST_P(EveryHeuristic, PutsOneBigBufferOverTwoDeadOnes) {
  const Problem problem = {.buffers = {{.start = 0, .end = 2, .size = 200},
                                       {.start = 0, .end = 2, .size = 200},
                                       {.start = 2, .end = 4, .size = 400}}};
  EXPECT_EQ(Place(problem).peak, 400);
}

TEST_P(EveryHeuristic, PutsFourScalarsIntoADeadArray) {
  Problem problem = {.buffers = {{.start = 0, .end = 1, .size = 16}}};
  for (int scalar = 0; scalar < 4; ++scalar) problem.buffers.push_back({.start = 1, .end = 2, .size = 4});
  EXPECT_EQ(Place(problem).peak, 16);
}

TEST_P(EveryHeuristic, ReusesTheGapBelowTheLowestLiveBuffer) {
  const Problem problem = {.buffers = {{.start = 0, .end = 2, .size = 100},
                                       {.start = 1, .end = 3, .size = 80},
                                       {.start = 2, .end = 4, .size = 60}}};
  // The skyline has no gaps.
  EXPECT_EQ(Place(problem).peak, GetParam().name == "contention_skyline" ? 240 : 180);
}

TEST_P(EveryHeuristic, MovesAColocatedGroupAsOne) {
  const Problem problem = {
      .buffers = {{.start = 0, .end = 2, .size = 8, .colocation_group = "g"},
                  {.start = 4, .end = 6, .size = 6, .alignment = 3, .colocation_group = "g"},
                  {.start = 2, .end = 4, .size = 8},
                  {.start = 1, .end = 5, .size = 5}}};
  const Solution placed = Place(problem);
  EXPECT_EQ(placed.offsets[0], placed.offsets[1]);
  EXPECT_EQ(placed.offsets[0] % 3, 0);
}

TEST_P(EveryHeuristic, PlacesWhatHoldsNothingAtTheBottom) {
  const Problem problem = {.buffers = {{.start = 0, .end = 4, .size = 9, .gaps = {{.start = 0, .end = 4}}},
                                       {.start = 0, .end = 4, .size = 5}}};
  EXPECT_THAT(Place(problem).offsets, ElementsAre(0, 0));
}

// The sizes' sum fits in 64 bits, but an alignment wants more.
TEST_P(EveryHeuristic, GivesUpWhereAnOffsetWouldNotFit) {
  constexpr std::int64_t kHuge = std::int64_t{1} << 62;
  const Problem problem = {.buffers = {{.start = 0, .end = 2, .size = kHuge - 1, .alignment = kHuge},
                                       {.start = 0, .end = 2, .size = 10, .alignment = kHuge},
                                       {.start = 0, .end = 2, .size = 10, .alignment = kHuge}}};
  EXPECT_EQ(PlaceProblem(problem, GetParam()), std::nullopt);
}

TEST_P(EveryHeuristic, RanksByAreasAndTimesBeyond64Bits) {
  constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();
  constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
  constexpr std::int64_t kLarge = std::int64_t{1} << 61;
  const Problem problem = {.buffers = {{.start = kMin, .end = kMax, .size = kLarge},
                                       {.start = -1, .end = 1, .size = kLarge + 3},
                                       {.start = kMin, .end = 0, .size = kLarge - 5}}};
  EXPECT_EQ(Place(problem).peak, 3 * kLarge - 2);
}

INSTANTIATE_TEST_SUITE_P(Heuristics, EveryHeuristic,
                         ::testing::ValuesIn(Heuristics().begin(), Heuristics().end()),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(GreedyBySize, ReachesTheBoundAroundTwoDozenPins) {
  const Problem problem = ReadProblemCsv(kPinnedCase).value();
  ASSERT_EQ(problem.buffers.size(), 200);
  const Solution placed = PlaceProblem(problem, HeuristicNamed("greedy_by_size")).value();
  EXPECT_TRUE(Verify(problem, placed.offsets, CapacityRule::kIgnored).ok());
  EXPECT_EQ(placed.peak, 20096);
}

TEST(ContentionSkyline, IsNotPushedByPins) {
  // Both go below the pin [8, 12).
  const Problem problem = {.buffers = {{.start = 0, .end = 4, .size = 4, .fixed_offset = 8},
                                       {.start = 0, .end = 4, .size = 5},
                                       {.start = 2, .end = 4, .size = 3},
                                       {.start = 2, .end = 3, .size = 1}}};
  const Solution placed = PlaceProblem(problem, HeuristicNamed("contention_skyline")).value();
  EXPECT_THAT(placed.offsets, ElementsAre(8, 0, 5, 12));
}

// What an order means: the largest of each kind lies at the bottom.
TEST(GreedyOrder, PutsTheFirstOfItsKindAtTheBottom) {
  const Problem problem = {.buffers = {{.start = 4, .end = 5, .size = 10},  // the largest
                                       {.start = 0, .end = 11, .size = 2},  // lives longest
                                       {.start = 3, .end = 7, .size = 9},   // the largest area
                                       {.start = 8, .end = 9, .size = 7},
                                       {.start = 8, .end = 10, .size = 8}}};
  const auto at_the_bottom = [&](absl::string_view name) {
    std::vector<std::size_t> buffers;
    const Solution placed = PlaceProblem(problem, HeuristicNamed(name)).value();
    for (std::size_t b = 0; b < placed.offsets.size(); ++b) {
      if (placed.offsets[b] == 0) buffers.push_back(b);
    }
    return buffers;
  };
  EXPECT_THAT(at_the_bottom("greedy_by_size"), ElementsAre(0, 4));
  EXPECT_THAT(at_the_bottom("greedy_by_lifetime"), ElementsAre(1));
  EXPECT_THAT(at_the_bottom("greedy_by_area"), ElementsAre(2, 4));
}

TEST(GreedyByContention, PlacesTheBusiestSectionFirst) {
  // c and d are live in the busiest section [2, 3) and smaller than a.
  const Problem problem = FromDrawing(
      ".cc\n"
      ".cc\n"
      ".cc\n"
      "add\n"
      "add\n"
      "add\n"
      "a..\n"
      "a..\n");
  const Solution placed = PlaceProblem(problem, HeuristicNamed("greedy_by_contention")).value();
  EXPECT_THAT(placed.offsets, ElementsAre(0, 0, 3));
}

TEST(ContentionSkyline, NeverFillsAHole) {
  // The busiest section holds a over b; c, live beside a only, would fit below it where b is dead.
  const Problem problem = {.buffers = {{.start = 0, .end = 4, .size = 4},
                                       {.start = 2, .end = 6, .size = 4},
                                       {.start = 3, .end = 4, .size = 4},
                                       {.start = 4, .end = 6, .size = 2}}};
  const Solution placed = PlaceProblem(problem, HeuristicNamed("contention_skyline")).value();
  EXPECT_THAT(placed.offsets, ElementsAre(0, 4, 8, 8));
}

}  // namespace
}  // namespace telamalloc::testing

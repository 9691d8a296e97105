// Hints are honoured where they cost nothing.
#include <cstdint>
#include <limits>
#include <vector>

#include "core/search/heuristics_support.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "search/hints.h"
#include "support/problem_text.h"
#include "support/random_problem.h"
#include "telamalloc/solution.h"

namespace telamalloc::testing {
namespace {

using ::testing::ElementsAre;

// Offsets of the buffers after moving those of a placement by "greedy_by_size".
std::vector<std::int64_t> Hinted(const Problem& problem, std::int64_t limit) {
  const Timeline timeline = BuildValid(problem);
  std::vector<std::int64_t> offsets = PlaceUnits(timeline, HeuristicNamed("greedy_by_size"))->offsets;
  Budget unlimited;
  HonourHints(timeline, offsets, limit, unlimited);
  return BufferOffsets(problem, timeline, offsets);
}

TEST(HonourHints, MovesToAFreeAlignedHintBelowTheLimit) {
  const Problem problem = {.buffers = {{.start = 0, .end = 2, .size = 4, .alignment = 3, .offset_hint = 6}}};
  EXPECT_THAT(Hinted(problem, 10), ElementsAre(6));
  EXPECT_THAT(Hinted(problem, 9), ElementsAre(0));
}

TEST(HonourHints, IgnoresAHintThatBreaksTheAlignment) {
  const Problem problem = {.buffers = {{.start = 0, .end = 2, .size = 4, .alignment = 4, .offset_hint = 6}}};
  EXPECT_THAT(Hinted(problem, 100), ElementsAre(0));
}

TEST(HonourHints, IgnoresAHintThatIsTaken) {
  const Problem problem = {
      .buffers = {{.start = 0, .end = 2, .size = 4}, {.start = 1, .end = 3, .size = 2, .offset_hint = 3}}};
  EXPECT_THAT(Hinted(problem, 100), ElementsAre(0, 4));
}

TEST(HonourHints, MayOverlapItsOwnOldPlace) {
  const Problem problem = {.buffers = {{.start = 0, .end = 2, .size = 4, .offset_hint = 1}}};
  EXPECT_THAT(Hinted(problem, 100), ElementsAre(1));
}

TEST(HonourHints, TakesAPlaceThatAnEarlierMoveLeft) {
  const Problem problem = {.buffers = {{.start = 0, .end = 2, .size = 4, .offset_hint = 8},
                                       {.start = 1, .end = 3, .size = 3, .offset_hint = 0}}};
  EXPECT_THAT(Hinted(problem, 100), ElementsAre(8, 0));
}

TEST(HonourHints, MovesWhatHoldsNothing) {
  const Problem problem = {
      .buffers = {{.start = 0, .end = 4, .size = 9, .offset_hint = 3, .gaps = {{.start = 0, .end = 4}}}}};
  EXPECT_THAT(Hinted(problem, 12), ElementsAre(3));
}

TEST(HonourHints, NeverMovesAPin) {
  const Problem problem = {
      .buffers = {{.start = 0, .end = 2, .size = 4, .fixed_offset = 4, .offset_hint = 0}}};
  EXPECT_THAT(Hinted(problem, 100), ElementsAre(4));
}

TEST(HonourHints, IgnoresAHintAtTheEndOf64Bits) {
  constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
  const Problem problem = {.buffers = {{.start = 0, .end = 2, .size = 4, .offset_hint = kMax - 3}}};
  EXPECT_THAT(Hinted(problem, kMax), ElementsAre(0));
}

// One unit after the other, each compared with all others.
std::vector<std::int64_t> SlowlyHinted(const Timeline& timeline, std::vector<std::int64_t> offsets,
                                       std::int64_t limit) {
  for (std::int32_t u = 0; u < static_cast<std::int32_t>(offsets.size()); ++u) {
    const Unit& unit = timeline.units()[u];
    const std::int64_t hint = unit.offset_hint;
    if (hint == kNoOffset || unit.fixed_offset != kNoOffset) continue;
    const bool allowed = hint % unit.alignment == 0 && hint + unit.size <= limit;
    if (allowed && FitsBeside(timeline, offsets, u, hint)) offsets[u] = hint;
  }
  return offsets;
}

TEST(HonourHints, AgreesWithThePairwiseCheck) {
  int moved_problems = 0;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    Random random(seed);
    RandomProblemOptions options = AllFeatures();
    options.buffers = random.Uniform(1, seed < 1980 ? 16 : 100);
    options.pins = seed < 1980;
    options.ticks = random.Uniform(2, 30);
    const Problem problem = RandomProblem(seed, options);
    SCOPED_TRACE(::testing::Message() << "seed " << seed << "\n" << ProblemToText(problem));
    const Timeline timeline = BuildValid(problem);
    const Solution placed = *PlaceUnits(timeline, HeuristicNamed("greedy_by_size"));
    const std::int64_t limit = placed.peak + random.Uniform(-3, 3);
    std::vector<std::int64_t> offsets = placed.offsets;
    Budget unlimited;
    HonourHints(timeline, offsets, limit, unlimited);
    ASSERT_EQ(offsets, SlowlyHinted(timeline, placed.offsets, limit));
    ASSERT_TRUE(Verify(problem, BufferOffsets(problem, timeline, offsets), CapacityRule::kIgnored).ok());
    moved_problems += offsets != placed.offsets ? 1 : 0;
  }
  EXPECT_GT(moved_problems, 200);
}

}  // namespace
}  // namespace telamalloc::testing

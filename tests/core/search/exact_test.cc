#include "search/exact/exact.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "core/search/heuristics_support.h"
#include "support/brute_force.h"
#include "support/drawing.h"
#include "support/naive.h"
#include "support/problem_text.h"
#include "support/random_problem.h"
#include "telamalloc/problem.h"
#include "timeline/timeline.h"

namespace telamalloc {
namespace {

using testing::BruteForce;
using testing::FromDrawing;
using testing::ProblemToText;
using testing::Random;
using testing::RandomProblem;
using testing::RandomProblemOptions;

constexpr unsigned kRuleSets = 1U << 7;

// The set of rules that `bits` says.
ExactRules RulesOf(unsigned bits) {
  return {.real_ground = (bits & 1U) != 0,
          .holes = (bits & 2U) != 0,
          .spanning = (bits & 4U) != 0,
          .components = (bits & 8U) != 0,
          .jumps = (bits & 16U) != 0,
          .memory = (bits & 32U) != 0,
          .restarts = (bits & 64U) != 0};
}

enum class Verdict { kFits, kExhausted, kUndecided };

struct Found {
  Verdict verdict = Verdict::kFits;
  std::vector<std::int64_t> offsets;
  SolveStats stats;
};

// Fits every partition of `problem` within `capacity`. REQUIRES: the exact search accepts them.
Found FitAll(const Problem& problem, std::int64_t capacity, const SearchOptions& options,
             std::int64_t nodes = 1'000'000) {
  Budget budget;
  const Timeline timeline = testing::BuildValid(problem);
  Found found;
  std::vector<std::int64_t> unit_offsets;
  for (const Partition& partition : timeline.partitions()) {
    EXPECT_TRUE(ExactSearch::Accepts(timeline, partition));
    ExactSearch search(timeline, partition, capacity, options);
    const SearchVerdict verdict = search.Run(nodes, budget, found.stats);
    if (verdict == SearchVerdict::kSolved) {
      const PartitionPlacement placement = search.placement();
      unit_offsets.insert(unit_offsets.end(), placement.offsets.begin(), placement.offsets.end());
    } else if (found.verdict != Verdict::kExhausted) {
      found.verdict = verdict == SearchVerdict::kExhausted ? Verdict::kExhausted : Verdict::kUndecided;
    }
  }
  if (found.verdict == Verdict::kFits) {
    found.offsets = testing::BufferOffsets(problem, timeline, unit_offsets);
  }
  return found;
}

// Against brute force: at the least peak it finds a valid placement, one below it proves that there is none.
void CheckAgainstBruteForce(const Problem& problem, const ExactRules& rules) {
  const std::optional<Solution> best = BruteForce(problem, testing::StackedBytes(problem));
  ASSERT_TRUE(best.has_value());
  const Found at_best = FitAll(problem, best->peak, {.exact_rules = rules});
  ASSERT_EQ(at_best.verdict, Verdict::kFits) << "at the least peak, " << best->peak;
  EXPECT_TRUE(testing::IsValidPlacement(problem, at_best.offsets));
  EXPECT_LE(testing::PeakOf(problem, at_best.offsets), best->peak);
  if (best->peak == 0) return;
  EXPECT_EQ(FitAll(problem, best->peak - 1, {.exact_rules = rules}).verdict, Verdict::kExhausted);
}

TEST(Exact, AgreesWithBruteForceUnderEveryCombinationOfRules) {
  for (std::uint64_t seed = 0; seed < 4 * kRuleSets; ++seed) {
    RandomProblemOptions options = {.buffers = 6, .ticks = 7, .max_size = 4};
    options.alignments = seed % 4 == 1 || seed % 4 == 3;
    options.pins = seed % 4 >= 2;
    if (seed % 4 != 0) options.buffers = 5;
    const Problem problem = RandomProblem(seed, options);
    SCOPED_TRACE(::testing::Message() << "seed " << seed << "\n" << ProblemToText(problem));
    CheckAgainstBruteForce(problem, RulesOf(static_cast<unsigned>(seed / 4) % kRuleSets));
    CheckAgainstBruteForce(problem, {});
    if (HasFailure()) return;
  }
}

TEST(Exact, AgreesWithItselfUnderEveryCombinationOfRulesOnLargerProblems) {
  for (std::uint64_t seed = 0; seed < 16; ++seed) {
    const Problem problem = RandomProblem(
        seed,
        {.buffers = 12, .ticks = 12, .max_size = 6, .alignments = seed % 4 == 1, .pins = seed % 4 == 2});
    SCOPED_TRACE(::testing::Message() << "seed " << seed << "\n" << ProblemToText(problem));
    const std::int64_t load = testing::BuildValid(problem).lower_bound();
    for (std::int64_t capacity = load; capacity < load + 3; ++capacity) {
      const Verdict expected = FitAll(problem, capacity, {}).verdict;
      ASSERT_NE(expected, Verdict::kUndecided);
      for (unsigned bits = 0; bits < kRuleSets; ++bits) {
        const Found found = FitAll(problem, capacity, {.exact_rules = RulesOf(bits)});
        ASSERT_EQ(found.verdict, expected) << "capacity " << capacity << ", rules " << bits;
        if (expected == Verdict::kFits) {
          ASSERT_TRUE(testing::IsValidPlacement(problem, found.offsets)) << "rules " << bits;
        }
      }
    }
  }
}

TEST(Exact, FillsHolesUnderOverhangs) {
  const Problem problem = FromDrawing(
      "bbbb\n"
      "bbbb\n"
      "a.dd\n");
  EXPECT_EQ(FitAll(problem, 3, {}).verdict, Verdict::kFits);
}

TEST(Exact, SolvesATilingWithoutOneByteToSpare) {
  const Problem problem = FromDrawing(
      "eeeeefff\n"
      "ddggghhh\n"
      "ddggghhh\n"
      "aaaiihhh\n"
      "aaabbbcc\n"
      "aaabbbcc\n");
  const Found found = FitAll(problem, 6, {});
  ASSERT_EQ(found.verdict, Verdict::kFits);
  EXPECT_TRUE(testing::IsValidPlacement(problem, found.offsets));
}

TEST(Exact, ProvesThatSevenBuffersWithinFourLiveBytesNeedFive) {
  const Problem problem = {.buffers = {{.start = 4, .end = 9, .size = 1},
                                       {.start = 2, .end = 6, .size = 1},
                                       {.start = 0, .end = 3, .size = 2},
                                       {.start = 5, .end = 7, .size = 2},
                                       {.start = 0, .end = 2, .size = 1},
                                       {.start = 3, .end = 5, .size = 2},
                                       {.start = 7, .end = 9, .size = 3}}};
  const std::optional<Solution> best = BruteForce(problem, 9);
  ASSERT_TRUE(best.has_value());
  EXPECT_EQ(FitAll(problem, best->peak, {}).verdict, Verdict::kFits);
  EXPECT_EQ(FitAll(problem, best->peak - 1, {}).verdict, Verdict::kExhausted);
}

TEST(Exact, KnowsThatAlignmentCanCostWhatTheLoadDoesNotShow) {
  const Problem problem = {.buffers = {{.start = 0, .end = 2, .size = 40, .alignment = 64},
                                       {.start = 0, .end = 2, .size = 40, .alignment = 64},
                                       {.start = 0, .end = 2, .size = 40, .alignment = 64}}};
  EXPECT_EQ(FitAll(problem, 160, {}).verdict, Verdict::kExhausted);
  EXPECT_EQ(FitAll(problem, 168, {}).verdict, Verdict::kFits);
}

TEST(Exact, FillsAroundPins) {
  // The pins leave [0, 3) and [5, 8) in every section.
  Problem problem = {.buffers = {{.start = 0, .end = 4, .size = 2, .fixed_offset = 3}}};
  for (std::int64_t start = 0; start < 4; start += 2) {
    for (const std::int64_t size : {3, 1, 2}) {
      problem.buffers.push_back({.start = start, .end = start + 2, .size = size});
    }
  }
  const Found found = FitAll(problem, 8, {});
  ASSERT_EQ(found.verdict, Verdict::kFits);
  EXPECT_TRUE(testing::IsValidPlacement(problem, found.offsets));
  EXPECT_EQ(FitAll(problem, 7, {}).verdict, Verdict::kExhausted);
}

TEST(Exact, HoldsOffsetsNearTheEndOfTheRange) {
  constexpr std::int64_t kHalf = std::numeric_limits<std::int64_t>::max() / 2;
  const Problem problem = {.buffers = {{.start = 0, .end = 2, .size = kHalf},
                                       {.start = 1, .end = 3, .size = kHalf},
                                       {.start = 2, .end = 4, .size = kHalf}}};
  for (const std::int64_t capacity : {2 * kHalf, std::numeric_limits<std::int64_t>::max()}) {
    const Found found = FitAll(problem, capacity, {});
    ASSERT_EQ(found.verdict, Verdict::kFits);
    EXPECT_TRUE(testing::IsValidPlacement(problem, found.offsets));
  }
  EXPECT_EQ(FitAll(problem, 2 * kHalf - 1, {}).verdict, Verdict::kExhausted);
}

TEST(Exact, RefusesUnitsThatAreNotOneRectangle) {
  const Problem problem = {.buffers = {{.start = 0, .end = 9, .size = 4, .gaps = {{.start = 3, .end = 5}}},
                                       {.start = 2, .end = 6, .size = 4}}};
  const Timeline timeline = testing::BuildValid(problem);
  ASSERT_EQ(timeline.partitions().size(), 1);
  EXPECT_FALSE(ExactSearch::Accepts(timeline, timeline.partitions()[0]));
}

// A partition that takes more than a few slices to decide.
struct Hard {
  Problem problem = RandomProblem(7, {.buffers = 60, .ticks = 30, .max_size = 40});
  Timeline timeline = testing::BuildValid(problem);
};

TEST(Exact, ComesToTheSameEndInSlices) {
  const Hard hard;
  const std::int64_t capacity = hard.timeline.lower_bound();
  Budget budget;
  SolveStats whole_stats;
  ExactSearch whole(hard.timeline, hard.timeline.partitions()[0], capacity, {});
  const SearchVerdict expected = whole.Run(100'000, budget, whole_stats);
  SolveStats stats;
  ExactSearch sliced(hard.timeline, hard.timeline.partitions()[0], capacity, {});
  SearchVerdict verdict = SearchVerdict::kStopped;
  while (verdict == SearchVerdict::kStopped && stats.nodes < 100'000) {
    verdict = sliced.Run(std::min<std::int64_t>(7, 100'000 - stats.nodes), budget, stats);
  }
  EXPECT_EQ(verdict, expected);
  EXPECT_EQ(stats.nodes, whole_stats.nodes);
  if (expected == SearchVerdict::kSolved) {
    EXPECT_EQ(sliced.placement().offsets, whole.placement().offsets);
  }
}

TEST(Exact, StopsWithinOnePollOnceTheBudgetIsUsedUp) {
  const Hard hard;
  bool stop = false;
  Budget budget(std::nullopt, std::nullopt, [&] { return stop; });
  SolveStats stats;
  ExactSearch search(hard.timeline, hard.timeline.partitions()[0], hard.timeline.lower_bound(), {});
  if (search.Run(20, budget, stats) != SearchVerdict::kStopped) FAIL() << "not hard";
  stop = true;
  EXPECT_EQ(search.Run(1'000'000, budget, stats), SearchVerdict::kStopped);
  EXPECT_LT(stats.nodes, 1000);
}

}  // namespace
}  // namespace telamalloc

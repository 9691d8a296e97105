#include "search/telamalloc.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "core/search/heuristics_support.h"
#include "search/strategy.h"
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
using testing::RandomProblem;
using testing::RandomProblemOptions;

constexpr SearchRules kPaper = {
    .section_sums = false, .tail_sums = false, .symmetry = false, .complete = false, .restarts = false};

// Every combination of the rules.
std::vector<SearchRules> AllRules() {
  std::vector<SearchRules> all;
  for (unsigned bits = 0; bits < 32; ++bits) {
    all.push_back({.section_sums = (bits & 1) != 0,
                   .tail_sums = (bits & 2) != 0,
                   .symmetry = (bits & 4) != 0,
                   .complete = (bits & 8) != 0,
                   .restarts = (bits & 16) != 0});
  }
  return all;
}

struct Found {
  bool fits = true;        // every partition was solved
  bool exhausted = false;  // some partition was proven not to fit
  std::vector<std::int64_t> offsets;
  SolveStats stats;
};

// Fits every partition of `problem` within `capacity`.
Found FitAll(const Problem& problem, std::int64_t capacity, const SearchOptions& options,
             std::int64_t nodes = 2000) {
  Budget budget;
  const Timeline timeline = testing::BuildValid(problem);
  Found found;
  std::vector<std::int64_t> unit_offsets;
  for (const Partition& partition : timeline.partitions()) {
    TelamallocSearch search(timeline, partition, capacity, options);
    const SearchVerdict verdict = search.Run(nodes, budget, found.stats);
    found.exhausted = found.exhausted || verdict == SearchVerdict::kExhausted;
    found.fits = found.fits && verdict == SearchVerdict::kSolved;
    if (!found.fits) continue;
    const PartitionPlacement placement = search.placement();
    unit_offsets.insert(unit_offsets.end(), placement.offsets.begin(), placement.offsets.end());
  }
  if (!found.fits) return found;
  found.offsets = testing::BufferOffsets(problem, timeline, unit_offsets);
  return found;
}

// Against brute force, at the least peak and one below it: what is found is valid, what is proven is true.
void CheckAgainstBruteForce(const Problem& problem, const SearchRules& rules) {
  const std::optional<Solution> best = BruteForce(problem, testing::StackedBytes(problem));
  ASSERT_TRUE(best.has_value());
  const Found at_best = FitAll(problem, best->peak, {.rules = rules});
  EXPECT_FALSE(at_best.exhausted) << "a wrong proof of infeasibility at " << best->peak;
  if (at_best.fits) {
    EXPECT_TRUE(testing::IsValidPlacement(problem, at_best.offsets));
    EXPECT_LE(testing::PeakOf(problem, at_best.offsets), best->peak);
  }
  if (best->peak == 0) return;
  EXPECT_FALSE(FitAll(problem, best->peak - 1, {.rules = rules}).fits) << "below the least peak";
}

TEST(Telamalloc, AgreesWithBruteForceUnderEveryCombinationOfRules) {
  const std::vector<SearchRules> all = AllRules();
  for (std::uint64_t seed = 0; seed < 320; ++seed) {
    RandomProblemOptions options = testing::AllFeatures();
    options.buffers = 5;
    options.max_size = 4;
    if (seed % 2 == 0) options = {.buffers = 6, .ticks = 6, .max_size = 4};
    const Problem problem = RandomProblem(seed, options);
    SCOPED_TRACE(::testing::Message() << "seed " << seed << "\n" << ProblemToText(problem));
    CheckAgainstBruteForce(problem, all[seed % all.size()]);
    CheckAgainstBruteForce(problem, {});
    if (HasFailure()) return;
  }
}

TEST(Telamalloc, DecidesEveryFlatProblemWithAllRules) {
  for (std::uint64_t seed = 1000; seed < 1200; ++seed) {
    const Problem problem =
        RandomProblem(seed, {.buffers = 5, .ticks = 6, .max_size = 4, .alignments = true, .pins = true});
    SCOPED_TRACE(::testing::Message() << "seed " << seed << "\n" << ProblemToText(problem));
    const std::optional<Solution> best = BruteForce(problem, 40);
    ASSERT_TRUE(best.has_value());
    EXPECT_TRUE(FitAll(problem, best->peak, {}).fits);
    if (best->peak > 0) {
      EXPECT_TRUE(FitAll(problem, best->peak - 1, {}).exhausted);
    }
  }
}

TEST(Telamalloc, UsesHolesUnderOverhangs) {
  // d fits only below b's overhang.
  const Problem problem = FromDrawing(
      "bbbb\n"
      "bbbb\n"
      "a.dd\n");
  const Found found = FitAll(problem, 3, {.rules = kPaper});
  EXPECT_TRUE(found.fits);
}

TEST(Telamalloc, ProvesThatSevenBuffersWithinFourLiveBytesNeedFive) {
  const Problem problem = {.buffers = {{.start = 4, .end = 9, .size = 1},
                                       {.start = 2, .end = 6, .size = 1},
                                       {.start = 0, .end = 3, .size = 2},
                                       {.start = 5, .end = 7, .size = 2},
                                       {.start = 0, .end = 2, .size = 1},
                                       {.start = 3, .end = 5, .size = 2},
                                       {.start = 7, .end = 9, .size = 3}}};
  const std::optional<Solution> best = BruteForce(problem, 9);
  ASSERT_TRUE(best.has_value());
  EXPECT_TRUE(FitAll(problem, best->peak, {}).fits);
  EXPECT_TRUE(FitAll(problem, best->peak - 1, {}).exhausted);
}

TEST(Telamalloc, GivesUpWithoutAClaimWhenTheRulesThatProveAreOff) {
  // Sum 120 within 160, yet alignment 64 leaves no room for the third: only exhaustion can tell.
  const Problem problem = {.buffers = {{.start = 0, .end = 2, .size = 40, .alignment = 64},
                                       {.start = 0, .end = 2, .size = 40, .alignment = 64},
                                       {.start = 0, .end = 2, .size = 40, .alignment = 64}}};
  const Found paper = FitAll(problem, 160, {.rules = kPaper});
  EXPECT_FALSE(paper.fits);
  EXPECT_FALSE(paper.exhausted && !paper.stats.major_backtracks);
  EXPECT_TRUE(FitAll(problem, 160, {}).exhausted);
}

// A partition that no run within the nodes below decides, so that slices matter.
Problem Hard() { return RandomProblem(7, {.buffers = 60, .ticks = 30, .max_size = 40}); }

TEST(Telamalloc, SlicesDoNotChangeTheSearch) {
  const Problem problem = Hard();
  Budget budget;
  const Timeline timeline = testing::BuildValid(problem);
  const Partition& partition = timeline.partitions()[0];
  const std::int64_t capacity = partition.lower_bound;
  SolveStats whole;
  TelamallocSearch one(timeline, partition, capacity, {});
  const SearchVerdict verdict = one.Run(3000, budget, whole);
  SolveStats sliced;
  TelamallocSearch many(timeline, partition, capacity, {});
  SearchVerdict last = SearchVerdict::kStopped;
  while (last == SearchVerdict::kStopped && sliced.nodes < whole.nodes) {
    last = many.Run(std::min<std::int64_t>(100, whole.nodes - sliced.nodes), budget, sliced);
  }
  EXPECT_EQ(last, verdict);
  EXPECT_EQ(sliced.nodes, whole.nodes);
  EXPECT_EQ(sliced.minor_backtracks, whole.minor_backtracks);
}

TEST(Telamalloc, StopsAtTheBudgetsNodes) {
  const Problem problem = Hard();
  const Timeline timeline = testing::BuildValid(problem);
  const Partition& partition = timeline.partitions()[0];
  TelamallocSearch search(timeline, partition, partition.lower_bound, {});
  Budget budget(std::nullopt, 10, nullptr);
  SolveStats stats;
  EXPECT_EQ(search.Run(std::numeric_limits<std::int64_t>::max(), budget, stats), SearchVerdict::kStopped);
  EXPECT_EQ(stats.nodes, 10);
  EXPECT_EQ(budget.cause(), Budget::Cause::kNodes);
}

}  // namespace
}  // namespace telamalloc

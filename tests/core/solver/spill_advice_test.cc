// Spill advice against brute force: what it keeps fits, what it spills cannot be returned, and the first set
// is close to the cheapest there is.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "support/brute_force.h"
#include "support/naive.h"
#include "support/problem_text.h"
#include "support/random_problem.h"
#include "telamalloc/solver.h"

namespace telamalloc {
namespace {

using testing::BruteForce;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::ProblemToText;
using testing::Random;
using testing::RandomProblem;
using ::testing::SizeIs;

constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();

SolveResult SolveAt(Problem problem, std::int64_t capacity, const SolveOptions& options) {
  problem.capacity = capacity;
  absl::StatusOr<SolveResult> result = Solve(*PreparedProblem::Create(std::move(problem)), options);
  EXPECT_TRUE(result.ok()) << result.status().message();
  return *std::move(result);
}

bool SameGroup(const Buffer& a, const Buffer& b) {
  return !a.colocation_group.empty() && a.colocation_group == b.colocation_group;
}

double CostOf(const Problem& problem, const SolveOptions& options, std::size_t b) {
  const Buffer& buffer = problem.buffers[b];
  return options.spill_costs.empty()
             ? static_cast<double>(buffer.size) * static_cast<double>(buffer.end - buffer.start)
             : options.spill_costs[b];
}

// The problem without buffer b for every set bit.
Problem Without(const Problem& problem, unsigned spilled) {
  Problem kept;
  for (std::size_t b = 0; b < problem.buffers.size(); ++b) {
    if (((spilled >> b) & 1U) == 0) kept.buffers.push_back(problem.buffers[b]);
  }
  return kept;
}

unsigned BitsOf(std::span<const std::size_t> buffers) {
  unsigned bits = 0;
  for (const std::size_t b : buffers) bits |= 1U << b;
  return bits;
}

bool Fits(const Problem& problem, unsigned spilled, std::int64_t capacity) {
  return BruteForce(Without(problem, spilled), capacity).has_value();
}

// Whether no group is torn apart.
bool WholeGroups(const Problem& problem, unsigned spilled) {
  for (std::size_t a = 0; a < problem.buffers.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      if (SameGroup(problem.buffers[a], problem.buffers[b]) && (spilled >> a & 1U) != (spilled >> b & 1U)) {
        return false;
      }
    }
  }
  return true;
}

// What the rules of SpillSet promise.
void CheckSet(const Problem& problem, std::int64_t capacity, const SolveOptions& options,
              const SpillSet& set) {
  const unsigned spilled = BitsOf(set.buffers);
  EXPECT_TRUE(std::ranges::is_sorted(set.buffers));
  EXPECT_TRUE(WholeGroups(problem, spilled));
  ASSERT_EQ(set.offsets.size(), problem.buffers.size());
  std::vector<std::int64_t> kept_offsets;
  double cost = 0;
  std::int64_t bytes = 0;
  for (std::size_t b = 0; b < problem.buffers.size(); ++b) {
    EXPECT_EQ(set.offsets[b] == kSpilled, ((spilled >> b) & 1U) != 0);
    if (set.offsets[b] != kSpilled) {
      kept_offsets.push_back(set.offsets[b]);
      continue;
    }
    cost += CostOf(problem, options, b);
    bytes += problem.buffers[b].size;
  }
  EXPECT_DOUBLE_EQ(set.cost, cost);
  EXPECT_EQ(set.bytes, bytes);
  const Problem kept = Without(problem, spilled);
  EXPECT_TRUE(testing::IsValidPlacement(kept, kept_offsets));
  EXPECT_EQ(testing::PeakOf(kept, kept_offsets), set.peak);
  EXPECT_LE(set.peak, capacity);
  if (!set.minimal) return;
  for (const std::size_t b : set.buffers) {
    unsigned fewer = spilled;
    for (std::size_t other = 0; other < problem.buffers.size(); ++other) {
      if (other == b || SameGroup(problem.buffers[b], problem.buffers[other])) fewer &= ~(1U << other);
    }
    EXPECT_FALSE(Fits(problem, fewer, capacity)) << "buffer " << b << " can be returned";
  }
}

// Of all sets whose removal lets the rest fit.
double LeastCost(const Problem& problem, std::int64_t capacity, const SolveOptions& options) {
  double least = std::numeric_limits<double>::infinity();
  for (unsigned spilled = 0; spilled < 1U << problem.buffers.size(); ++spilled) {
    double cost = 0;
    for (std::size_t b = 0; b < problem.buffers.size(); ++b) {
      if (((spilled >> b) & 1U) != 0) cost += CostOf(problem, options, b);
    }
    if (cost < least && WholeGroups(problem, spilled) && Fits(problem, spilled, capacity)) least = cost;
  }
  return least;
}

struct Tally {
  int problems = 0;
  int minimal = 0;
  int optimal = 0;
  int alternatives = 0;
};

void CheckAdvice(const Problem& problem, std::int64_t capacity, const SolveOptions& options, Tally& tally) {
  const SolveResult result = SolveAt(problem, capacity, options);
  if (result.outcome != Outcome::kInfeasible) return;  // windows can leave it open
  const std::vector<SpillSet>& advice = result.spill_advice;
  ASSERT_FALSE(advice.empty());
  EXPECT_LE(advice.size(), static_cast<std::size_t>(options.spill_advice));
  for (const SpillSet& set : advice) CheckSet(problem, capacity, options, set);
  EXPECT_TRUE(std::ranges::is_sorted(advice, {}, &SpillSet::cost));
  for (const SpillSet& a : advice) {
    EXPECT_EQ(std::ranges::count_if(
                  advice, [&](const SpillSet& b) { return std::ranges::includes(b.buffers, a.buffers); }),
              1);
  }
  const double least = LeastCost(problem, capacity, options);
  EXPECT_GE(advice[0].cost, least * (1 - 1e-12));
  ++tally.problems;
  tally.minimal += advice[0].minimal ? 1 : 0;
  tally.optimal += advice[0].cost <= least * (1 + 1e-12) ? 1 : 0;
  tally.alternatives += advice.size() > 1 ? 1 : 0;
}

Problem Small(std::uint64_t seed) {
  if (seed % 2 == 0) return RandomProblem(seed, {.buffers = 7, .ticks = 8, .max_size = 3});
  testing::RandomProblemOptions options = testing::AllFeatures();
  options.buffers = 5;
  options.max_size = 4;
  return RandomProblem(seed, options);
}

TEST(SpillAdvice, HoldsByBruteForce) {
  Tally tally;
  Random random(7);
  for (std::uint64_t seed = 0; seed < 120; ++seed) {
    const Problem problem = Small(seed);
    SCOPED_TRACE(::testing::Message() << "seed " << seed << "\n" << ProblemToText(problem));
    const std::int64_t least = BruteForce(problem, testing::StackedBytes(problem))->peak;
    SolveOptions options = {.spill_advice = 3};
    if (seed % 4 >= 2) {
      for (std::size_t b = 0; b < problem.buffers.size(); ++b) {
        options.spill_costs.push_back(static_cast<double>(random.Uniform(0, 9)));
      }
    }
    for (std::int64_t capacity = std::max<std::int64_t>(0, least - 3); capacity < least; ++capacity) {
      SCOPED_TRACE(::testing::Message() << "capacity " << capacity);
      CheckAdvice(problem, capacity, options, tally);
    }
    if (HasFailure()) return;
  }
  EXPECT_GT(tally.problems, 200);
  EXPECT_GE(tally.minimal, tally.problems * 95 / 100);
  EXPECT_GE(tally.optimal, tally.problems * 90 / 100);
  EXPECT_GE(tally.alternatives, tally.problems / 2);
  RecordProperty("optimal", tally.optimal);
  RecordProperty("problems", tally.problems);
}

Problem TwoOverloads() {
  return {.buffers = {{.start = 0, .end = 4, .size = 6, .id = "a"},
                      {.start = 0, .end = 4, .size = 6, .id = "b"},
                      {.start = 10, .end = 20, .size = 4, .id = "c"},
                      {.start = 10, .end = 20, .size = 5, .id = "d"},
                      {.start = 10, .end = 12, .size = 3, .id = "e"}}};
}

TEST(SpillAdvice, IsOffUnlessAskedFor) {
  EXPECT_THAT(SolveAt(TwoOverloads(), 8, {}).spill_advice, IsEmpty());
}

TEST(SpillAdvice, IsEmptyWhenTheProblemFits) {
  EXPECT_THAT(SolveAt(TwoOverloads(), 12, {.spill_advice = 2}).spill_advice, IsEmpty());
}

TEST(SpillAdvice, CombinesThePartitions) {
  // d alone is not enough for [10, 12) where 12 are live, 4 too many: c; d; or nothing smaller than 4.
  const SolveResult result = SolveAt(TwoOverloads(), 8, {.spill_advice = 8});
  ASSERT_THAT(result.spill_advice, SizeIs(4));
  EXPECT_THAT(result.spill_advice[0].cost, 24 + 40);
  EXPECT_THAT(result.spill_advice[1].cost, 24 + 40);
  EXPECT_THAT(result.spill_advice[2].cost, 24 + 50);
  EXPECT_THAT(result.spill_advice[3].cost, 24 + 50);
  for (const SpillSet& set : result.spill_advice) {
    EXPECT_TRUE(set.minimal);
    CheckSet(TwoOverloads(), 8, {}, set);
  }
}

TEST(SpillAdvice, FollowsTheCallersCosts) {
  const SolveResult result =
      SolveAt(TwoOverloads(), 8, {.spill_advice = 1, .spill_costs = {7, 0, 100, 1, 5}});
  ASSERT_THAT(result.spill_advice, SizeIs(1));
  EXPECT_THAT(result.spill_advice[0].buffers, ElementsAre(1, 3));
  EXPECT_EQ(result.spill_advice[0].cost, 1);
  EXPECT_EQ(result.spill_advice[0].bytes, 11);
}

TEST(SpillAdvice, SpillsAPinThatCannotStay) {
  const SolveResult result = SolveAt({.buffers = {{.start = 0, .end = 4, .size = 32},
                                                  {.start = 0, .end = 4, .size = 64, .fixed_offset = 96}}},
                                     128, {.spill_advice = 2});
  ASSERT_THAT(result.spill_advice, SizeIs(1));
  EXPECT_THAT(result.spill_advice[0].buffers, ElementsAre(1));
  EXPECT_TRUE(result.spill_advice[0].minimal);
}

TEST(SpillAdvice, SpillsAGroupAsAWhole) {
  const Problem problem = {.buffers = {{.start = 0, .end = 2, .size = 4, .colocation_group = "g"},
                                       {.start = 0, .end = 9, .size = 60},
                                       {.start = 1, .end = 3, .size = 0, .colocation_group = "g"},
                                       {.start = 5, .end = 9, .size = 6, .colocation_group = "g"}}};
  const SolveResult result = SolveAt(problem, 64, {.spill_advice = 1});
  ASSERT_THAT(result.spill_advice, SizeIs(1));
  EXPECT_THAT(result.spill_advice[0].buffers, ElementsAre(0, 2, 3));
  EXPECT_THAT(result.spill_advice[0].offsets, ElementsAre(kSpilled, 0, kSpilled, kSpilled));
  EXPECT_EQ(result.spill_advice[0].bytes, 10);
}

TEST(SpillAdvice, OfASearchProof) {
  // At most 4 bytes live, yet 5 are needed.
  const Problem problem = {.buffers = {{.start = 0, .end = 1, .size = 2},
                                       {.start = 0, .end = 2, .size = 2},
                                       {.start = 1, .end = 3, .size = 1},
                                       {.start = 1, .end = 4, .size = 1},
                                       {.start = 2, .end = 4, .size = 1},
                                       {.start = 3, .end = 5, .size = 2},
                                       {.start = 4, .end = 6, .size = 2}}};
  Tally tally;
  CheckAdvice(problem, 4, {.spill_advice = 4}, tally);
  EXPECT_EQ(tally.problems, 1);
  EXPECT_EQ(tally.minimal, 1);
  EXPECT_EQ(tally.optimal, 1);
  EXPECT_EQ(tally.alternatives, 1);
}

TEST(SpillAdvice, HoldsTheLargestCostsAndSizes) {
  constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();
  const Problem problem = {.buffers = {{.start = kMin, .end = kMax, .size = kMax / 2},
                                       {.start = kMin, .end = kMax, .size = kMax / 2},
                                       {.start = kMin, .end = kMax, .size = 1}}};
  const SolveResult plain = SolveAt(problem, 2, {.spill_advice = 1});
  ASSERT_THAT(plain.spill_advice, SizeIs(1));
  EXPECT_THAT(plain.spill_advice[0].buffers, ElementsAre(0, 1));
  EXPECT_EQ(plain.spill_advice[0].bytes, kMax / 2 * 2);
  EXPECT_NEAR(plain.spill_advice[0].cost / (0x1p63 * 0x1p64), 1, 1e-9);
  constexpr double kMost = std::numeric_limits<double>::max();
  const SolveResult most = SolveAt(problem, 2, {.spill_advice = 1, .spill_costs = {kMost, kMost, kMost}});
  ASSERT_THAT(most.spill_advice, SizeIs(1));
  EXPECT_EQ(most.spill_advice[0].cost, kMost);
}

TEST(SpillAdvice, BytesOfAGroupSaturate) {
  const Problem problem = {.buffers = {{.start = 0, .end = 1, .size = kMax, .colocation_group = "g"},
                                       {.start = 1, .end = 2, .size = kMax, .colocation_group = "g"}}};
  const SolveResult result = SolveAt(problem, 2, {.spill_advice = 1});
  ASSERT_THAT(result.spill_advice, SizeIs(1));
  EXPECT_EQ(result.spill_advice[0].bytes, kMax);
  EXPECT_EQ(result.spill_advice[0].peak, 0);
}

TEST(SpillAdvice, WithoutNodesIsStillVerified) {
  const Problem problem = RandomProblem(5, {.buffers = 60, .ticks = 30, .max_size = 50});
  const std::int64_t bound = PreparedProblem::Create(problem)->lower_bound();
  const SolveResult result = SolveAt(problem, bound / 2, {.max_nodes = 0, .spill_advice = 2});
  EXPECT_EQ(result.stats.nodes, 0);
  ASSERT_FALSE(result.spill_advice.empty());
  EXPECT_LE(result.spill_advice[0].peak, bound / 2);
}

TEST(SpillAdvice, IsTheSameAgainAndWithinTheNodes) {
  const Problem problem = RandomProblem(6, {.buffers = 60, .ticks = 30, .max_size = 50});
  const std::int64_t bound = PreparedProblem::Create(problem)->lower_bound();
  for (const std::int64_t nodes : {0, 100, 10'000}) {
    const SolveOptions options = {.max_nodes = nodes, .spill_advice = 3};
    const SolveResult first = SolveAt(problem, bound - bound / 8, options);
    const SolveResult second = SolveAt(problem, bound - bound / 8, options);
    EXPECT_LE(first.stats.nodes, nodes);
    ASSERT_EQ(first.spill_advice.size(), second.spill_advice.size());
    for (std::size_t k = 0; k < first.spill_advice.size(); ++k) {
      EXPECT_EQ(first.spill_advice[k].buffers, second.spill_advice[k].buffers);
      EXPECT_EQ(first.spill_advice[k].offsets, second.spill_advice[k].offsets);
    }
  }
}

// However early it is stopped: no set, or sets that hold.
TEST(SpillAdvice, StoppedEarlyKeepsWhatHolds) {
  const Problem problem = RandomProblem(8, {.buffers = 12, .ticks = 12, .max_size = 9});
  const std::int64_t capacity = PreparedProblem::Create(problem)->lower_bound() * 2 / 3;
  int sets = 0;
  for (int asked_before = 1; asked_before < 200; asked_before += 3) {
    int asked = 0;
    const SolveOptions options = {.spill_advice = 2, .stop = [&] { return ++asked >= asked_before; }};
    const SolveResult result = SolveAt(problem, capacity, options);
    EXPECT_EQ(result.outcome, Outcome::kInfeasible);
    for (SpillSet set : result.spill_advice) {
      set.minimal = false;  // too many for brute force
      CheckSet(problem, capacity, options, set);
      ++sets;
    }
  }
  EXPECT_GT(sets, 50);
}

TEST(SpillAdvice, BadOptionsAreRefused) {
  const auto message = [](const SolveOptions& options) {
    Problem problem = TwoOverloads();
    problem.capacity = 8;
    const absl::Status status = Solve(*PreparedProblem::Create(std::move(problem)), options).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    return std::string(status.message());
  };
  EXPECT_THAT(message({.spill_advice = -1}), HasSubstr("spill_advice: must be 0 to 64, got -1"));
  EXPECT_THAT(message({.spill_advice = 65}), HasSubstr("spill_advice: must be 0 to 64, got 65"));
  EXPECT_THAT(message({.spill_costs = {1, 2}}), HasSubstr("got 2 for 5 buffers"));
  EXPECT_THAT(message({.spill_costs = {1, 2, -3, 4, 5}}), HasSubstr("spill_costs[2]"));
  EXPECT_THAT(message({.spill_costs = {1, 2, 3, NAN, 5}}), HasSubstr("spill_costs[3]"));
  EXPECT_THAT(message({.spill_costs = {1, 2, 3, 4, INFINITY}}), HasSubstr("spill_costs[4]"));
  EXPECT_THAT(message({.max_explain_nodes = -1}), HasSubstr("max_explain_nodes"));
}

}  // namespace
}  // namespace telamalloc

// Solve against brute force on small problems with the whole model, and the invariances of the contract.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>

#include "support/brute_force.h"
#include "support/naive.h"
#include "support/problem_text.h"
#include "support/random_problem.h"
#include "telamalloc/solver.h"

namespace telamalloc {
namespace {

using testing::BruteForce;
using testing::ProblemToText;
using testing::Random;
using testing::RandomProblem;
using testing::RandomProblemOptions;

Problem Small(std::uint64_t seed) {
  if (seed % 3 == 0) return RandomProblem(seed, {.buffers = 6, .ticks = 6, .max_size = 4});
  RandomProblemOptions options = testing::AllFeatures();
  options.buffers = 5;
  options.max_size = 4;
  return RandomProblem(seed, options);
}

SolveResult SolveWith(const Problem& problem, const SolveOptions& options) {
  const absl::StatusOr<PreparedProblem> prepared = PreparedProblem::Create(problem);
  EXPECT_TRUE(prepared.ok()) << prepared.status().message();
  absl::StatusOr<SolveResult> result = Solve(*prepared, options);
  EXPECT_TRUE(result.ok()) << result.status().message();
  return *std::move(result);
}

// Windows leave the least peak unproven at times; then only claims are checked.
void CheckMinimise(const Problem& problem, std::int64_t least) {
  const SolveResult result = SolveWith(problem, {.objective = Objective::kMinimize, .max_nodes = 20'000});
  ASSERT_TRUE(result.solution.has_value());
  EXPECT_TRUE(testing::IsValidPlacement(problem, result.solution->offsets));
  EXPECT_EQ(testing::PeakOf(problem, result.solution->offsets), result.solution->peak);
  EXPECT_GE(result.solution->peak, least);
  EXPECT_LE(result.lower_bound, least) << "a bound that does not hold";
  if (result.outcome == Outcome::kOptimal) {
    EXPECT_EQ(result.solution->peak, least);
  }
}

void CheckFit(Problem problem, std::int64_t capacity, std::int64_t least, const std::string& solver) {
  problem.capacity = capacity;
  const SolveResult result = SolveWith(problem, {.solver = solver, .max_nodes = 20'000});
  if (capacity < least) {
    EXPECT_NE(result.outcome, Outcome::kFeasible);
  } else {
    EXPECT_NE(result.outcome, Outcome::kInfeasible) << "a wrong proof";
  }
  if (!result.solution) return;
  EXPECT_TRUE(testing::IsValidPlacement(problem, result.solution->offsets));
  EXPECT_EQ(result.solution->peak <= capacity, result.outcome == Outcome::kFeasible);
}

TEST(SolveProperty, AgreesWithBruteForce) {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const Problem problem = Small(seed);
    SCOPED_TRACE(::testing::Message() << "seed " << seed << "\n" << ProblemToText(problem));
    const std::optional<Solution> best = BruteForce(problem, testing::StackedBytes(problem));
    ASSERT_TRUE(best.has_value());
    CheckMinimise(problem, best->peak);
    for (const absl::string_view solver : SolverNames()) {
      CheckFit(problem, best->peak, best->peak, std::string(solver));
      if (best->peak > 0) CheckFit(problem, best->peak - 1, best->peak, std::string(solver));
    }
    if (HasFailure()) return;
  }
}

TEST(SolveProperty, ProvesTheLeastPeakOfPlainProblems) {
  for (std::uint64_t seed = 5000; seed < 5200; ++seed) {
    const Problem problem =
        RandomProblem(seed, {.buffers = 6, .ticks = 6, .max_size = 4, .alignments = true, .gaps = true});
    SCOPED_TRACE(::testing::Message() << "seed " << seed << "\n" << ProblemToText(problem));
    const SolveResult result = SolveWith(problem, {.objective = Objective::kMinimize});
    EXPECT_EQ(result.outcome, Outcome::kOptimal);
    EXPECT_EQ(result.solution->peak, BruteForce(problem, testing::StackedBytes(problem))->peak);
  }
}

// Two problems one after the other, so that there are partitions that are innocent.
Problem TwoIslands(std::uint64_t seed) {
  const RandomProblemOptions options = {
      .buffers = 5, .ticks = 5, .max_size = 4, .alignments = true, .ids = false};
  Problem problem = RandomProblem(seed, options);
  for (Buffer& buffer : RandomProblem(seed + 1'000'000, options).buffers) {
    buffer.start += 100;
    buffer.end += 100;
    problem.buffers.push_back(buffer);
  }
  return problem;
}

// The buffers named by an infeasible answer cannot be placed even without all others.
void CheckExplanation(Problem problem, std::int64_t capacity, const SolveOptions& options) {
  problem.capacity = capacity;
  const SolveResult result = SolveWith(problem, options);
  if (result.outcome != Outcome::kInfeasible) return;
  Problem named;
  for (const std::size_t b : result.infeasibility->buffers) named.buffers.push_back(problem.buffers[b]);
  EXPECT_FALSE(BruteForce(named, capacity).has_value()) << result.infeasibility->explanation;
}

TEST(SolveProperty, AnInfeasibleAnswerNamesBuffersThatCannotBePlaced) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Problem problem = TwoIslands(seed);
    SCOPED_TRACE(::testing::Message() << "seed " << seed << "\n" << ProblemToText(problem));
    const std::int64_t bound = PreparedProblem::Create(problem)->lower_bound();
    for (std::int64_t capacity = std::max<std::int64_t>(bound - 1, 0); capacity < bound + 4; ++capacity) {
      CheckExplanation(problem, capacity, {});
      for (const std::int64_t nodes : {10, 100, 1000}) {
        CheckExplanation(problem, capacity, {.objective = Objective::kMinimize, .max_nodes = nodes});
      }
    }
    if (HasFailure()) return;
  }
}

TEST(SolveProperty, RowOrderChangesNeitherVerdictNorPeak) {
  Random random(1);
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Problem problem = RandomProblem(seed, {.buffers = 24, .ticks = 12, .max_size = 9});
    const SolveOptions options = {.objective = Objective::kMinimize, .max_nodes = 2000};
    const SolveResult first = SolveWith(problem, options);
    const SolveResult second = SolveWith(Shuffled(problem, random), options);
    SCOPED_TRACE(::testing::Message() << "seed " << seed << "\n" << ProblemToText(problem));
    EXPECT_EQ(first.outcome, second.outcome);
    EXPECT_EQ(first.solution->peak, second.solution->peak);
    EXPECT_EQ(first.lower_bound, second.lower_bound);
  }
}

TEST(SolveProperty, ScalingSizesScalesThePeak) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Problem problem = RandomProblem(seed, {.buffers = 24, .ticks = 12, .max_size = 9});
    Problem scaled = problem;
    for (Buffer& buffer : scaled.buffers) buffer.size *= 10;
    const SolveOptions options = {.objective = Objective::kMinimize, .max_nodes = 2000};
    EXPECT_EQ(10 * SolveWith(problem, options).solution->peak, SolveWith(scaled, options).solution->peak)
        << "seed " << seed << "\n"
        << ProblemToText(problem);
  }
}

}  // namespace
}  // namespace telamalloc

// Verify against the pairwise check, on placements good and bad of random problems.
#include <cstddef>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "support/naive.h"
#include "support/problem_text.h"
#include "support/random_problem.h"
#include "telamalloc/solution.h"

namespace telamalloc::testing {
namespace {

using Rule = PlacementViolation::Rule;

// Offsets that are often right: pins and groups are mostly kept, alignments too.
std::vector<std::int64_t> RandomOffsets(const Problem& problem, std::int64_t highest, Random& random) {
  std::vector<std::int64_t> offsets;
  for (std::size_t b = 0; b < problem.buffers.size(); ++b) {
    const Buffer& buffer = problem.buffers[b];
    std::int64_t offset = random.Uniform(0, highest);
    if (!random.OneIn(20)) offset -= offset % buffer.alignment;
    for (std::size_t a = 0; a < b && !buffer.colocation_group.empty() && !random.OneIn(20); ++a) {
      if (problem.buffers[a].colocation_group == buffer.colocation_group) offset = offsets[a];
    }
    if (!random.OneIn(20)) offset = buffer.fixed_offset.value_or(offset);
    offsets.push_back(offset);
  }
  return offsets;
}

// Places units one by one, each at a random offset that goes with those before; empty if one finds no place.
std::vector<std::int64_t> ValidOffsets(const Problem& problem, Random& random) {
  std::vector<std::int64_t> offsets;
  Problem placed;
  for (const Buffer& buffer : problem.buffers) {
    placed.buffers.push_back(buffer);
    offsets.push_back(0);
    bool found = false;
    for (int attempt = 0; attempt < 60 && !found; ++attempt) {
      offsets.back() = random.Uniform(0, 60);
      for (std::size_t a = 0; a + 1 < placed.buffers.size(); ++a) {
        const bool same_group = placed.buffers[a].colocation_group == buffer.colocation_group;
        if (same_group && !buffer.colocation_group.empty()) offsets.back() = offsets[a];
      }
      offsets.back() = buffer.fixed_offset.value_or(offsets.back() - offsets.back() % buffer.alignment);
      found = IsValidPlacement(placed, offsets);
    }
    if (!found) return {};
  }
  return offsets;
}

TEST(VerifyProperty, AgreesWithThePairwiseCheckOnRandomOffsets) {
  int valid_count = 0;
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    Random random(seed);
    RandomProblemOptions options = AllFeatures();
    options.buffers = random.Uniform(1, 7);
    const Problem problem = RandomProblem(seed, options);
    const std::vector<std::int64_t> offsets = RandomOffsets(problem, 30, random);
    const bool valid = IsValidPlacement(problem, offsets);
    valid_count += valid ? 1 : 0;
    const VerifyReport report = Verify(problem, offsets);
    EXPECT_EQ(report.ok(), valid) << "seed " << seed << "\n"
                                  << PlacementToText(problem, offsets)
                                  << (report.ok() ? "" : report.violations[0].description);
    EXPECT_EQ(report.peak, PeakOf(problem, offsets)) << "seed " << seed;
  }
  EXPECT_GT(valid_count, 400);
  EXPECT_LT(valid_count, 3600);
}

TEST(VerifyProperty, AcceptsValidPlacementsAndWhatBreaksWhenOneBufferMoves) {
  int moved_valid = 0;
  int moved_invalid = 0;
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    Random random(seed);
    RandomProblemOptions options = AllFeatures();
    options.buffers = 10;
    const Problem problem = RandomProblem(seed, options);
    std::vector<std::int64_t> offsets = ValidOffsets(problem, random);
    if (offsets.empty()) continue;
    EXPECT_TRUE(Verify(problem, offsets).ok()) << "seed " << seed << "\n"
                                               << PlacementToText(problem, offsets);
    offsets[random.Uniform(0, 9)] += random.Uniform(-2, 2);
    const bool valid = IsValidPlacement(problem, offsets);
    (valid ? moved_valid : moved_invalid) += 1;
    EXPECT_EQ(Verify(problem, offsets).ok(), valid) << "seed " << seed << "\n"
                                                    << PlacementToText(problem, offsets);
  }
  EXPECT_GT(moved_valid, 100);
  EXPECT_GT(moved_invalid, 100);
}

TEST(VerifyProperty, ReportsOverlapsOnlyWhereThereAreSome) {
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    Random random(seed);
    const Problem problem = RandomProblem(seed, AllFeatures());
    const std::vector<std::int64_t> offsets = RandomOffsets(problem, 12, random);
    for (const PlacementViolation& violation : Verify(problem, offsets).violations) {
      if (violation.rule != Rule::kOverlap) continue;
      EXPECT_FALSE(Compatible(problem.buffers[violation.buffer], offsets[violation.buffer],
                              problem.buffers[violation.other], offsets[violation.other]))
          << "seed " << seed << "\n"
          << PlacementToText(problem, offsets) << violation.description;
    }
  }
}

}  // namespace
}  // namespace telamalloc::testing

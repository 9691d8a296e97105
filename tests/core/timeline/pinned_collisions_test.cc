#include "absl/status/status.h"
#include "core/timeline/build.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "support/naive.h"
#include "support/problem_text.h"
#include "support/random_problem.h"

namespace telamalloc::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

TEST(PinnedCollisions, NamePositionsWhereThereAreNoIds) {
  const absl::Status status = BuildError({.buffers = {{.start = 2, .end = 6, .size = 4, .fixed_offset = 6},
                                                      {.start = 0, .end = 3, .size = 8, .fixed_offset = 0}}});
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(
      FieldViolationsOf(status),
      ElementsAre(FieldViolation{"buffers[1].fixed_offset",
                                 "pinned buffers buffers[0] and buffers[1] share 2 bytes [6, 8) during "
                                 "ticks [2, 3), got 0"}));
}

TEST(PinnedCollisions, AreNoneAtTheSameAddressAtDifferentTimes) {
  EXPECT_TRUE(BuildError({.buffers = {{.start = 0, .end = 2, .size = 4, .fixed_offset = 6},
                                      {.start = 2, .end = 3, .size = 8, .fixed_offset = 6}}})
                  .ok());
}

TEST(PinnedCollisions, AreNoneInAGap) {
  const Buffer with_gap{
      .start = 0, .end = 9, .size = 8, .fixed_offset = 0, .gaps = {{2, 4, AddressWindow{0, 3}}}};
  EXPECT_TRUE(BuildError({.buffers = {with_gap, {.start = 2, .end = 4, .size = 5, .fixed_offset = 3}}}).ok());
  EXPECT_FALSE(
      BuildError({.buffers = {with_gap, {.start = 2, .end = 4, .size = 6, .fixed_offset = 2}}}).ok());
  EXPECT_FALSE(
      BuildError({.buffers = {with_gap, {.start = 3, .end = 5, .size = 5, .fixed_offset = 3}}}).ok());
}

TEST(PinnedCollisions, AreNoneWithinAGroup) {
  const Buffer member{.start = 0, .end = 9, .size = 8, .fixed_offset = 4, .colocation_group = "g"};
  EXPECT_TRUE(BuildError({.buffers = {member, member}}).ok());
}

TEST(PinnedCollisions, ReportEveryOneInTheWay) {
  const absl::Status status = BuildError({.buffers = {{.start = 0, .end = 4, .size = 2, .fixed_offset = 0},
                                                      {.start = 0, .end = 4, .size = 2, .fixed_offset = 2},
                                                      {.start = 1, .end = 3, .size = 2, .fixed_offset = 1}}});
  EXPECT_THAT(FieldViolationsOf(status), SizeIs(2));
}

TEST(PinnedCollisions, AgreeWithThePairwiseCheck) {
  int collisions = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    Random random(seed);
    Problem problem = RandomProblem(seed, {.buffers = 5, .gaps = true, .windows = true, .zero_sizes = true});
    std::vector<std::int64_t> offsets;
    for (Buffer& buffer : problem.buffers) {
      buffer.fixed_offset = random.Uniform(0, 16);
      offsets.push_back(*buffer.fixed_offset);
    }
    const bool valid = IsValidPlacement(problem, offsets);
    collisions += valid ? 0 : 1;
    EXPECT_EQ(BuildError(problem).ok(), valid) << "seed " << seed << "\n" << ProblemToText(problem);
  }
  EXPECT_GT(collisions, 50);
  EXPECT_LT(collisions, 350);
}

}  // namespace
}  // namespace telamalloc::testing

// Each rule: what breaks it, and what just keeps it.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "support/drawing.h"
#include "support/random_problem.h"
#include "telamalloc/solution.h"

namespace telamalloc::testing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using Rule = PlacementViolation::Rule;

constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();

auto Broken(Rule rule, std::ptrdiff_t buffer, std::ptrdiff_t other, const std::string& description) {
  return AllOf(Field("rule", &PlacementViolation::rule, rule),
               Field("buffer", &PlacementViolation::buffer, buffer),
               Field("other", &PlacementViolation::other, other),
               Field("description", &PlacementViolation::description, description));
}

VerifyReport Check(const Problem& problem, const std::vector<std::int64_t>& offsets) {
  return Verify(problem, offsets);
}

TEST(Verify, AcceptsWhatADrawingShows) {
  constexpr char kPicture[] =
      "aab.ee\n"
      "ccb.ff\n"
      "cddd.f\n"
      "ggggg.\n";
  const VerifyReport report = Check(FromDrawing(kPicture), DrawnOffsets(kPicture));
  EXPECT_THAT(report.violations, IsEmpty());
  EXPECT_EQ(report.peak, 4);
}

TEST(Verify, AcceptsNothing) {
  const VerifyReport report = Check({.capacity = 0}, {});
  EXPECT_TRUE(report.ok());
  EXPECT_EQ(report.peak, 0);
}

TEST(Verify, RejectsAnotherNumberOfOffsets) {
  EXPECT_THAT(
      Check(FromDrawing("ab"), {0}).violations,
      ElementsAre(Broken(Rule::kCount, -1, -1, "there must be one offset per buffer: 2 buffers, 1 offsets")));
  EXPECT_THAT(Check({}, {0}).violations, SizeIs(1));
}

TEST(Verify, RejectsNegativeOffsets) {
  EXPECT_THAT(Check(FromDrawing("a"), {-1}).violations,
              ElementsAre(Broken(Rule::kNegative, 0, -1, "\"a\" has the negative offset -1")));
}

TEST(Verify, RejectsTopsBeyond64Bits) {
  const Problem problem{.buffers = {{.start = 0, .end = 1, .size = 8}}};
  EXPECT_THAT(
      Check(problem, {kMax - 7}).violations,
      ElementsAre(Broken(Rule::kRange, 0, -1,
                         "buffers[0] at offset 9223372036854775800 with size 8 ends beyond 64 bits")));
  EXPECT_TRUE(Check(problem, {kMax - 8}).ok());
  EXPECT_EQ(Check(problem, {kMax - 8}).peak, kMax);
}

TEST(Verify, RejectsBrokenAlignment) {
  const Problem problem{.buffers = {{.start = 0, .end = 1, .size = 8, .alignment = 12, .id = "a"}}};
  EXPECT_THAT(Check(problem, {18}).violations,
              ElementsAre(Broken(Rule::kAlignment, 0, -1, "\"a\" at offset 18 breaks its alignment 12")));
  EXPECT_TRUE(Check(problem, {24}).ok());
}

TEST(Verify, RejectsMovedPins) {
  const Problem problem{.buffers = {{.start = 0, .end = 1, .size = 8, .fixed_offset = 4, .id = "a"}}};
  EXPECT_THAT(
      Check(problem, {0}).violations,
      ElementsAre(Broken(Rule::kFixedOffset, 0, -1, "\"a\" at offset 0 was moved from its fixed offset 4")));
  EXPECT_TRUE(Check(problem, {4}).ok());
}

TEST(Verify, NeverAsksForHints) {
  EXPECT_TRUE(Check({.buffers = {{.start = 0, .end = 1, .size = 8, .offset_hint = 4}}}, {0}).ok());
}

TEST(Verify, RejectsOverlapInTimeAndSpace) {
  const Problem problem{.buffers = {{.start = 0, .end = 4, .size = 1151872, .id = "circular_buffers"},
                                    {.start = 2, .end = 6, .size = 65536, .id = "l1_tensor"}}};
  EXPECT_THAT(Check(problem, {0, 1149952}).violations,
              ElementsAre(Broken(Rule::kOverlap, 0, 1,
                                 "\"circular_buffers\" and \"l1_tensor\" share 1920 bytes [1149952, 1151872) "
                                 "during ticks [2, 4)")));
}

TEST(Verify, AcceptsWhatOnlyTouches) {
  EXPECT_TRUE(
      Check({.buffers = {{.start = 0, .end = 4, .size = 8}, {.start = 4, .end = 8, .size = 8}}}, {0, 0}).ok())
      << "in time";
  EXPECT_TRUE(
      Check({.buffers = {{.start = 0, .end = 4, .size = 8}, {.start = 0, .end = 4, .size = 8}}}, {8, 0}).ok())
      << "in space";
}

TEST(Verify, AcceptsOneInPlaceOfSeveralThatEnded) {
  constexpr char kPicture[] =
      "aa.eeef\n"
      "b.ceeef\n"
      "dddeeef\n";
  const Problem problem = FromDrawing(kPicture);
  EXPECT_THAT(Check(problem, DrawnOffsets(kPicture)).violations, IsEmpty());
  // One of them ends a tick later.
  Problem longer = problem;
  longer.buffers[2].end += 1;
  EXPECT_THAT(
      Check(longer, DrawnOffsets(kPicture)).violations,
      ElementsAre(Broken(Rule::kOverlap, 2, 4, "\"c\" and \"e\" share 1 byte [1, 2) during ticks [3, 4)")));
}

TEST(Verify, FindsTheOneThatMovedAmongThousandsOfShuffledRows) {
  constexpr std::int64_t kBuffers = 6000;
  for (const std::int64_t stride : {std::int64_t{1}, std::int64_t{1} << 40}) {
    Problem ordered;
    for (std::int64_t b = 0; b < kBuffers; ++b) {
      ordered.buffers.push_back({.start = b * stride, .end = (b + 3) * stride, .size = 10});
    }
    Random random(static_cast<std::uint64_t>(stride));
    const Problem problem = Shuffled(ordered, random);
    std::vector<std::int64_t> offsets;
    for (const Buffer& buffer : problem.buffers) offsets.push_back(buffer.start / stride % 3 * 10);
    EXPECT_TRUE(Check(problem, offsets).ok());
    const std::ptrdiff_t moved = std::ranges::find(offsets, 10) - offsets.begin();
    offsets[moved] += 1;
    const VerifyReport report = Check(problem, offsets);
    ASSERT_FALSE(report.ok());
    for (const PlacementViolation& violation : report.violations) {
      EXPECT_TRUE(violation.buffer == moved || violation.other == moved) << violation.description;
    }
  }
}

TEST(Verify, RejectsABufferInsideAnother) {
  const Problem problem{.buffers = {{.start = 0, .end = 9, .size = 9}, {.start = 3, .end = 4, .size = 1}}};
  EXPECT_THAT(Check(problem, {0, 4}).violations, SizeIs(1));
  EXPECT_THAT(Check(problem, {0, 9}).violations, IsEmpty());
}

TEST(Verify, ReportsABufferWithEachInItsWay) {
  const Problem problem{.buffers = {{.start = 0, .end = 9, .size = 2},
                                    {.start = 0, .end = 9, .size = 2},
                                    {.start = 1, .end = 2, .size = 2}}};
  EXPECT_THAT(Check(problem, {0, 2, 1}).violations, SizeIs(2));
}

TEST(Verify, LetsOthersUseGapsButNotWindows) {
  const Problem problem{.buffers = {{.start = 0, .end = 9, .size = 8, .gaps = {{2, 4, AddressWindow{2, 5}}}},
                                    {.start = 2, .end = 4, .size = 2},
                                    {.start = 2, .end = 4, .size = 3}}};
  EXPECT_TRUE(Check(problem, {0, 0, 5}).ok());
  EXPECT_THAT(Check(problem, {0, 1, 5}).violations, SizeIs(1));
  EXPECT_THAT(Check(problem, {0, 0, 4}).violations, SizeIs(1));
}

TEST(Verify, LetsSizeZeroLieAnywhere) {
  const Problem problem{.buffers = {{.start = 0, .end = 9, .size = 8}, {.start = 2, .end = 4, .size = 0}},
                        .capacity = 8};
  EXPECT_TRUE(Check(problem, {0, 3}).ok());
  const VerifyReport report = Check(problem, {0, 100});
  EXPECT_TRUE(report.ok());
  EXPECT_EQ(report.peak, 8);
}

TEST(Verify, RejectsMembersOfAGroupApart) {
  const Problem problem{.buffers = {{.start = 0, .end = 2, .size = 8, .id = "a", .colocation_group = "g"},
                                    {.start = 5, .end = 6, .size = 0, .id = "b", .colocation_group = "g"}}};
  EXPECT_THAT(
      Check(problem, {8, 0}).violations,
      ElementsAre(Broken(Rule::kColocation, 1, 0,
                         "\"b\" at offset 0 must share the offset 8 of \"a\", as both are in colocation "
                         "group \"g\"")));
  EXPECT_TRUE(Check(problem, {8, 8}).ok());
}

TEST(Verify, LetsMembersOfAGroupOverlapEachOtherOnly) {
  const Problem problem{.buffers = {{.start = 0, .end = 4, .size = 8, .colocation_group = "g"},
                                    {.start = 2, .end = 6, .size = 4, .colocation_group = "g"},
                                    {.start = 4, .end = 6, .size = 4, .id = "x"}}};
  EXPECT_TRUE(Check(problem, {0, 0, 4}).ok());
  EXPECT_THAT(Check(problem, {0, 0, 3}).violations,
              ElementsAre(Broken(Rule::kOverlap, 1, 2,
                                 "buffers[1] and \"x\" share 1 byte [3, 4) during ticks [4, 6)")));
}

TEST(Verify, AppliesTheCapacityUnlessToldNotTo) {
  const Problem problem{.buffers = {{.start = 0, .end = 4, .size = 8, .id = "a"}}, .capacity = 9};
  EXPECT_TRUE(Check(problem, {1}).ok());
  const VerifyReport report = Check(problem, {2});
  EXPECT_THAT(report.violations, ElementsAre(Broken(Rule::kCapacity, 0, -1,
                                                    "\"a\" occupies bytes [2, 10), above the capacity 9")));
  EXPECT_EQ(report.peak, 10);
  EXPECT_TRUE(Verify(problem, std::vector<std::int64_t>{2}, CapacityRule::kIgnored).ok());
}

TEST(Verify, ReportsAtMostTwenty) {
  Problem problem;
  for (int b = 0; b < 100; ++b) problem.buffers.push_back({.start = 0, .end = 1, .size = 1});
  EXPECT_THAT(Check(problem, std::vector<std::int64_t>(100, 0)).violations, SizeIs(kMaxReportedViolations));
  EXPECT_THAT(Check(problem, std::vector<std::int64_t>(100, -1)).violations, SizeIs(kMaxReportedViolations));
}

TEST(Verify, SurvivesExtremeOffsets) {
  const Problem problem{.buffers = {{.start = kMin, .end = kMax, .size = kMax},
                                    {.start = kMin, .end = kMax, .size = kMax, .alignment = kMax}}};
  for (const std::int64_t a : {kMin, kMin + 1, std::int64_t{-1}, std::int64_t{0}, std::int64_t{1}, kMax}) {
    for (const std::int64_t b : {kMin, std::int64_t{-1}, std::int64_t{0}, kMax}) {
      EXPECT_FALSE(Check(problem, {a, b}).ok()) << a << " " << b;
    }
  }
}

// Verify promises nothing for such problems but to come back.
TEST(Verify, SurvivesInvalidProblems) {
  const std::vector<std::int64_t> extremes = {kMin, -1, 0, 1, 5, kMax};
  for (const std::int64_t x : extremes) {
    for (const std::int64_t y : extremes) {
      const Problem problem{
          .buffers = {{.start = x, .end = y, .size = y, .alignment = x, .fixed_offset = y},
                      {.start = 0, .end = 9, .size = x, .gaps = {{x, y, AddressWindow{y, x}}}},
                      {.start = 0, .end = 9, .size = 5, .gaps = {{x, y, AddressWindow{x, y}}}},
                      {.start = 0, .end = 9, .size = 5, .gaps = {{y, 7}, {x, 3}, {2, y}}},
                      {.start = y, .end = x, .size = 5, .colocation_group = "g"},
                      {.start = x, .end = y, .size = y, .colocation_group = "g"}},
          .capacity = y};
      EXPECT_LE(Check(problem, {x, y, x, y, x, y}).violations.size(), kMaxReportedViolations);
    }
  }
}

}  // namespace
}  // namespace telamalloc::testing

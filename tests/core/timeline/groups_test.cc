#include <cstdint>
#include <limits>

#include "absl/status/status.h"
#include "core/timeline/build.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace telamalloc::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();

TEST(Groups, AreOneUnitWithTheUnionOfTheirLifetimes) {
  const Timeline timeline =
      BuildValid({.buffers = {{.start = 0, .end = 4, .size = 2, .alignment = 4, .colocation_group = "g"},
                              {.start = 1, .end = 3, .size = 9},
                              {.start = 2, .end = 6, .size = 3, .alignment = 6, .colocation_group = "g"}}});
  ASSERT_THAT(timeline.units(), SizeIs(2));
  EXPECT_THAT(timeline.unit_of_buffer(), ElementsAre(0, 1, 0));
  const Unit& group = timeline.units()[0];
  EXPECT_EQ(group.size, 3);
  EXPECT_EQ(group.alignment, 12);
  EXPECT_THAT(timeline.pieces_of(group), SizeIs(2));
  EXPECT_THAT(timeline.section_ticks(), ElementsAre(0, 1, 2, 3, 6));
  EXPECT_THAT(timeline.contention(), ElementsAre(2, 11, 12, 3)) << "shared bytes count once";
}

TEST(Groups, OfTouchingEqualMembersHaveNoSeam) {
  const Timeline timeline =
      BuildValid({.buffers = {{.start = 4, .end = 8, .size = 2, .colocation_group = "g"},
                              {.start = 0, .end = 4, .size = 2, .colocation_group = "g"}}});
  EXPECT_THAT(timeline.section_ticks(), ElementsAre(0, 8));
  EXPECT_THAT(timeline.pieces(), SizeIs(1));
}

TEST(Groups, TakePinAndLeastHintFromAnyMember) {
  const Timeline timeline =
      BuildValid({.buffers = {{.start = 0, .end = 1, .size = 2, .offset_hint = 9, .colocation_group = "g"},
                              {.start = 2, .end = 3, .size = 0, .fixed_offset = 6, .colocation_group = "g"},
                              {.start = 4, .end = 5, .size = 1, .offset_hint = 5, .colocation_group = "g"}}});
  ASSERT_THAT(timeline.units(), SizeIs(1));
  EXPECT_EQ(timeline.units()[0].fixed_offset, 6);
  EXPECT_EQ(timeline.units()[0].offset_hint, 5);
  EXPECT_THAT(timeline.unit_of_buffer(), ElementsAre(0, 0, 0)) << "size 0 shares the offset too";
  EXPECT_EQ(timeline.lower_bound(), 8);
}

TEST(Groups, WithoutBytesAreNoUnits) {
  const Timeline timeline =
      BuildValid({.buffers = {{.start = 0, .end = 1, .size = 0, .colocation_group = "g"},
                              {.start = 0, .end = 1, .size = 0, .fixed_offset = 1}}});
  EXPECT_THAT(timeline.units(), SizeIs(0));
  EXPECT_THAT(timeline.unit_of_buffer(), ElementsAre(kNoUnit, kNoUnit));
}

TEST(Groups, RefuseDifferentPins) {
  const absl::Status status = BuildError(
      {.buffers = {{.start = 0, .end = 1, .size = 2, .fixed_offset = 8, .id = "a", .colocation_group = "g"},
                   {.start = 2, .end = 3, .size = 1, .fixed_offset = 6, .colocation_group = "g"}}});
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(FieldViolationsOf(status),
              ElementsAre(FieldViolation{"buffers[1].fixed_offset",
                                         "must equal that of \"a\" in group \"g\", 8, got 6"}));
}

TEST(Groups, RefuseAPinThatBreaksTheAlignmentOfAnotherMember) {
  const absl::Status status =
      BuildError({.buffers = {{.start = 0, .end = 1, .size = 2, .fixed_offset = 8, .colocation_group = "g"},
                              {.start = 2, .end = 3, .size = 1, .alignment = 4, .colocation_group = "g"},
                              {.start = 2, .end = 3, .size = 1, .alignment = 3, .colocation_group = "g"}}});
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(
      FieldViolationsOf(status),
      ElementsAre(FieldViolation{"buffers[2].alignment",
                                 "must divide the fixed offset 8 of buffers[0] in group \"g\", got 3"}));
}

TEST(Groups, RefuseACommonAlignmentBeyond64Bits) {
  const std::int64_t big = std::int64_t{1} << 62;
  const absl::Status status =
      BuildError({.buffers = {{.start = 0, .end = 1, .size = 2, .alignment = big, .colocation_group = "g"},
                              {.start = 2, .end = 3, .size = 1, .alignment = 3, .colocation_group = "g"}}});
  EXPECT_EQ(status.code(), absl::StatusCode::kOutOfRange);
  EXPECT_THAT(FieldViolationsOf(status), SizeIs(1));
}

TEST(Groups, RefuseAPinnedTopBeyond64Bits) {
  const absl::Status status = BuildError(
      {.buffers = {{.start = 0, .end = 1, .size = 1, .fixed_offset = kMax - 1, .colocation_group = "g"},
                   {.start = 2, .end = 3, .size = 2, .colocation_group = "g"}}});
  EXPECT_EQ(status.code(), absl::StatusCode::kOutOfRange);
  EXPECT_THAT(FieldViolationsOf(status), SizeIs(1));
}

}  // namespace
}  // namespace telamalloc::testing

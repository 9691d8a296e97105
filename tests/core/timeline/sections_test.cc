#include <cstdint>
#include <limits>

#include "core/timeline/build.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "support/drawing.h"

namespace telamalloc::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();

TEST(Sections, AreMaximalIntervalsWithOneLiveSet) {
  const Timeline timeline =
      BuildValid(FromDrawing("aaaabb..\n"
                             "ccccbb..\n"
                             "cccc....\n"));
  EXPECT_THAT(timeline.section_ticks(), ElementsAre(0, 4, 6));
  EXPECT_THAT(timeline.contention(), ElementsAre(3, 2));
}

TEST(Sections, SplitWhereTheLiveSetChangesAtEqualContention) {
  const Timeline timeline = BuildValid(FromDrawing("aabb\n"));
  EXPECT_THAT(timeline.section_ticks(), ElementsAre(0, 2, 4));
  EXPECT_THAT(timeline.contention(), ElementsAre(1, 1));
}

TEST(Sections, SpanTheWholeRangeOfTicks) {
  const Timeline timeline =
      BuildValid({.buffers = {{.start = kMin, .end = kMax, .size = 1}, {.start = -1, .end = 1, .size = 2}}});
  EXPECT_THAT(timeline.section_ticks(), ElementsAre(kMin, -1, 1, kMax));
  EXPECT_THAT(timeline.contention(), ElementsAre(1, 3, 1));
}

// Far apart and close together take different ways to the same ranks.
TEST(Sections, DependOnTheOrderOfTicksOnly) {
  Problem problem;
  for (std::int64_t b = 0; b < 300; ++b) {
    problem.buffers.push_back({.start = b * 7 % 40, .end = b * 7 % 40 + 1 + b % 5, .size = 1 + b % 3});
  }
  Problem stretched = problem;
  for (Buffer& buffer : stretched.buffers) {
    buffer.start = (buffer.start - 20) * 123'456'789'012'345'678 / 3;
    buffer.end = (buffer.end - 20) * 123'456'789'012'345'678 / 3;
  }
  const Timeline timeline = BuildValid(problem);
  const Timeline far = BuildValid(stretched);
  EXPECT_THAT(far.contention(), ::testing::ElementsAreArray(timeline.contention()));
  EXPECT_THAT(far.unit_of_buffer(), ::testing::ElementsAreArray(timeline.unit_of_buffer()));
}

TEST(Pieces, LeaveOutGapsAndKeepWindows) {
  const Timeline timeline = BuildValid(
      {.buffers = {{.start = 0, .end = 8, .size = 64, .gaps = {{6, 7, AddressWindow{0, 32}}, {3, 5}}}}});
  EXPECT_THAT(timeline.section_ticks(), ElementsAre(0, 3, 5, 6, 7, 8));
  EXPECT_THAT(timeline.contention(), ElementsAre(64, 0, 64, 32, 64));
  const auto pieces = timeline.pieces();
  ASSERT_THAT(pieces, SizeIs(4));
  EXPECT_EQ(pieces[2].section_begin, 3);
  EXPECT_EQ(pieces[2].lower, 0);
  EXPECT_EQ(pieces[2].upper, 32);
}

TEST(Pieces, JoinGapsThatKeepTheSameBytes) {
  const AddressWindow window{8, 16};
  const Timeline timeline =
      BuildValid({.buffers = {{.start = 0,
                               .end = 8,
                               .size = 64,
                               .gaps = {{0, 2, window}, {2, 4, window}, {5, 6, AddressWindow{0, 64}}}}}});
  EXPECT_THAT(timeline.section_ticks(), ElementsAre(0, 4, 8));
  EXPECT_THAT(timeline.contention(), ElementsAre(8, 64));
}

TEST(Pieces, GiveAHullWithoutTheGapsAtItsEnds) {
  const Timeline timeline =
      BuildValid({.buffers = {{.start = 0, .end = 8, .size = 4, .gaps = {{0, 2}, {6, 8}}}}});
  EXPECT_THAT(timeline.section_ticks(), ElementsAre(2, 6));
}

TEST(Pieces, AreNoneWhereGapsLeaveNothing) {
  const Timeline timeline = BuildValid(
      {.buffers = {{.start = 2, .end = 8, .size = 64, .gaps = {{2, 8}}}, {.start = 0, .end = 4, .size = 8}}});
  EXPECT_THAT(timeline.section_ticks(), ElementsAre(0, 2, 4, 8));
  EXPECT_THAT(timeline.contention(), ElementsAre(8, 8, 0));
  const Unit& hollow = timeline.units()[timeline.unit_of_buffer()[0]];
  EXPECT_THAT(timeline.pieces_of(hollow), IsEmpty());
  EXPECT_EQ(hollow.section_begin, 1);
  EXPECT_EQ(hollow.section_end, 3);
  EXPECT_EQ(timeline.lower_bound(), 64) << "its top counts towards the peak even so";
}

}  // namespace
}  // namespace telamalloc::testing

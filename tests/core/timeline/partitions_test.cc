#include "core/timeline/build.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "support/drawing.h"

namespace telamalloc::testing {
namespace {

using ::testing::SizeIs;

TEST(Partitions, SplitWhereNothingCrosses) {
  const Timeline timeline =
      BuildValid(FromDrawing("aab..dd.\n"
                             ".cc..eee\n"));
  const auto partitions = timeline.partitions();
  ASSERT_THAT(partitions, SizeIs(2));
  EXPECT_EQ(partitions[0].unit_begin, 0);
  EXPECT_EQ(partitions[0].unit_end, 3);
  EXPECT_EQ(partitions[1].unit_begin, 3);
  EXPECT_EQ(partitions[1].unit_end, 5);
  EXPECT_EQ(timeline.section_ticks()[partitions[0].section_end], 3);
  EXPECT_EQ(timeline.section_ticks()[partitions[1].section_begin], 5) << "an empty section lies between";
}

TEST(Partitions, AreHeldTogetherByAGap) {
  EXPECT_THAT(BuildValid(FromDrawing("abba\n")).partitions(), SizeIs(1));
  EXPECT_THAT(BuildValid(FromDrawing("abbc\n")).partitions(), SizeIs(3));
}

TEST(Partitions, HaveBoundsOfTheirOwn) {
  const Timeline timeline = BuildValid(
      {.buffers = {{.start = 0, .end = 2, .size = 5},
                   {.start = 1, .end = 2, .size = 6},
                   {.start = 2, .end = 3, .size = 3, .fixed_offset = 7},
                   {.start = 4, .end = 6, .size = 9, .gaps = {{4, 5}, {5, 6, AddressWindow{0, 1}}}}}});
  const auto partitions = timeline.partitions();
  ASSERT_THAT(partitions, SizeIs(3));
  EXPECT_EQ(partitions[0].lower_bound, 11) << "contention";
  EXPECT_EQ(partitions[1].lower_bound, 10) << "pinned top";
  EXPECT_EQ(partitions[2].lower_bound, 9) << "size";
  EXPECT_EQ(timeline.lower_bound(), 11);
}

}  // namespace
}  // namespace telamalloc::testing

#include "support/drawing.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace telamalloc::testing {
namespace {

using ::testing::ElementsAre;

TEST(Drawing, ReadsRowsAsBytesAndColumnsAsTicks) {
  const Problem problem = FromDrawing(
      "aab\n"
      "ccb\n");
  EXPECT_THAT(problem.buffers, ElementsAre(Buffer{.start = 0, .end = 2, .size = 1, .id = "a"},
                                           Buffer{.start = 2, .end = 3, .size = 2, .id = "b"},
                                           Buffer{.start = 0, .end = 2, .size = 1, .id = "c"}));
  EXPECT_EQ(problem.capacity, 2);
}

TEST(Drawing, ReadsHolesAsGapsAndPartsAsWindows) {
  const Problem problem = FromDrawing(
      "aa.a..a\n"
      "aa.aaaa\n");
  EXPECT_THAT(problem.buffers,
              ElementsAre(Buffer{
                  .start = 0,
                  .end = 7,
                  .size = 2,
                  .gaps = {{.start = 2, .end = 3}, {.start = 4, .end = 6, .window = AddressWindow{0, 1}}},
                  .id = "a"}));
}

TEST(Drawing, ShowsOffsetsFromTheBottom) {
  EXPECT_THAT(DrawnOffsets("aab\n"
                           ".cb\n"
                           "ddb\n"),
              ElementsAre(2, 0, 1, 0));
}

}  // namespace
}  // namespace telamalloc::testing

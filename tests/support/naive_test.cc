#include "support/naive.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "support/drawing.h"

namespace telamalloc::testing {
namespace {

TEST(Naive, AcceptsWhatADrawingShows) {
  constexpr char kPicture[] =
      "aab.e\n"
      "ccb.e\n"
      "cddd.\n";
  const Problem problem = FromDrawing(kPicture);
  EXPECT_TRUE(IsValidPlacement(problem, DrawnOffsets(kPicture)));
  EXPECT_EQ(PeakOf(problem, DrawnOffsets(kPicture)), 3);
}

TEST(Naive, RefusesSharedBytesWhileBothAreLive) {
  const Buffer a{.start = 0, .end = 4, .size = 4};
  EXPECT_FALSE(Compatible(a, 0, Buffer{.start = 3, .end = 5, .size = 4}, 3));
  EXPECT_TRUE(Compatible(a, 0, Buffer{.start = 3, .end = 5, .size = 4}, 4));
  EXPECT_TRUE(Compatible(a, 0, Buffer{.start = 4, .end = 5, .size = 4}, 3));
}

TEST(Naive, CountsSharedBytesOfAGroupOnce) {
  const Problem problem{.buffers = {{.start = 0, .end = 2, .size = 5, .colocation_group = "g"},
                                    {.start = 1, .end = 3, .size = 7, .colocation_group = "g"},
                                    {.start = 1, .end = 2, .size = 1}}};
  EXPECT_EQ(ContentionAt(problem, 0), 5);
  EXPECT_EQ(ContentionAt(problem, 1), 8);
  EXPECT_EQ(ContentionAt(problem, 2), 7);
  EXPECT_EQ(ContentionAt(problem, 3), 0);
}

TEST(Naive, HoldsAGroupTogetherUnlessItHasNoBytes) {
  Problem problem{.buffers = {{.start = 0, .end = 2, .size = 5, .colocation_group = "g"},
                              {.start = 4, .end = 5, .size = 0, .colocation_group = "g"}}};
  EXPECT_FALSE(IsValidPlacement(problem, std::vector<std::int64_t>{4, 0}));
  EXPECT_TRUE(IsValidPlacement(problem, std::vector<std::int64_t>{4, 4}));
  problem.buffers[0].size = 0;
  EXPECT_TRUE(IsValidPlacement(problem, std::vector<std::int64_t>{4, 0}));
}

}  // namespace
}  // namespace telamalloc::testing

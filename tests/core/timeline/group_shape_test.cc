#include "timeline/group_shape.h"

#include <set>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "support/random_problem.h"

namespace telamalloc::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<TickRect> United(const std::vector<TickRect>& rects) {
  Budget unlimited;
  std::vector<TickRect> out;
  EXPECT_EQ(UniteRects(rects, 1'000'000, out, unlimited), Unite::kDone);
  return out;
}

TEST(UniteRects, CountsSharedBytesOnce) {
  EXPECT_THAT(United({{0, 4, 0, 2}, {2, 6, 0, 3}}), ElementsAre(TickRect{0, 2, 0, 2}, TickRect{2, 6, 0, 3}));
}

TEST(UniteRects, JoinsWhatTouches) {
  EXPECT_THAT(United({{0, 4, 0, 2}, {0, 4, 2, 5}, {4, 6, 0, 5}}), ElementsAre(TickRect{0, 6, 0, 5}));
}

TEST(UniteRects, IgnoresWhatHasNoBytes) { EXPECT_THAT(United({{0, 4, 3, 3}}), IsEmpty()); }

TEST(UniteRects, StopsAtTheLimit) {
  Budget unlimited;
  std::vector<TickRect> out;
  EXPECT_EQ(UniteRects(std::vector<TickRect>{{0, 1, 0, 1}, {2, 3, 0, 1}}, 1, out, unlimited),
            Unite::kTooMany);
}

TEST(UniteRects, CoversTheSameCellsWithoutOverlap) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Random random(seed);
    std::vector<TickRect> rects;
    std::set<std::pair<std::int64_t, std::int64_t>> cells;
    for (int r = 0; r < 6; ++r) {
      TickRect rect;
      rect.start = random.Uniform(0, 7);
      rect.end = random.Uniform(rect.start + 1, 8);
      rect.lower = random.Uniform(0, 7);
      rect.upper = random.Uniform(rect.lower, 8);
      rects.push_back(rect);
      for (std::int64_t tick = rect.start; tick < rect.end; ++tick) {
        for (std::int64_t byte = rect.lower; byte < rect.upper; ++byte) cells.emplace(tick, byte);
      }
    }
    for (const TickRect& rect : United(rects)) {
      EXPECT_LT(rect.start, rect.end);
      EXPECT_LT(rect.lower, rect.upper);
      for (std::int64_t tick = rect.start; tick < rect.end; ++tick) {
        for (std::int64_t byte = rect.lower; byte < rect.upper; ++byte) {
          EXPECT_EQ(cells.erase({tick, byte}), 1) << "seed " << seed << ": twice or not at all";
        }
      }
    }
    EXPECT_THAT(cells, IsEmpty()) << "seed " << seed;
  }
}

}  // namespace
}  // namespace telamalloc::testing

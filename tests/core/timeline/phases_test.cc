#include "timeline/phases.h"

#include <limits>

#include "core/timeline/build.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "support/drawing.h"

namespace telamalloc::testing {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;

// The phases by buffer. REQUIRES: one partition, and every buffer is a unit.
std::vector<std::int32_t> PhasesByBuffer(const Problem& problem, std::int64_t capacity) {
  const Timeline timeline = BuildValid(problem);
  const std::vector<std::int32_t> phases = ComputePhases(timeline, timeline.partitions()[0], capacity);
  std::vector<std::int32_t> by_buffer;
  for (const std::int32_t unit : timeline.unit_of_buffer()) by_buffer.push_back(phases[unit]);
  return by_buffer;
}

TEST(Phases, GoByFallingContention) {
  EXPECT_THAT(
      PhasesByBuffer({.buffers = {{.start = 0, .end = 2, .size = 100},    // 100 %
                                  {.start = 1, .end = 3, .size = 0 + 1},  // live in the same region
                                  {.start = 2, .end = 4, .size = 88},     // 89 %: region of 80
                                  {.start = 3, .end = 6, .size = 19}}},   // 19 %, but live in that of 100
                     100),
      ElementsAre(0, 0, 1, 1));
}

TEST(Phases, GoFromLeftToRightAtOnePercentage) {
  EXPECT_THAT(PhasesByBuffer(FromDrawing("aa.bb\n"
                                         "ccccc\n"),
                             2),
              ElementsAre(0, 1, 0));
}

TEST(Phases, EndWithWhatIsLeft) {
  EXPECT_THAT(PhasesByBuffer({.buffers = {{.start = 0, .end = 2, .size = 100},
                                          {.start = 1, .end = 4, .size = 1},
                                          {.start = 3, .end = 6, .size = 15}}},
                             100),
              ElementsAre(0, 0, 1));
}

TEST(Phases, CountASectionExactlyAtTheThreshold) {
  EXPECT_THAT(PhasesByBuffer({.buffers = {{.start = 0, .end = 2, .size = 99},
                                          {.start = 0, .end = 9, .size = 1},   // holds the partition together
                                          {.start = 3, .end = 5, .size = 88},  // 89 %: region of 80
                                          {.start = 6, .end = 8, .size = 89}}},  // 90 %: region of 90
                             100),
              ElementsAre(0, 0, 2, 1));
}

TEST(Phases, AreOneBelowTwentyPercent) {
  EXPECT_THAT(PhasesByBuffer({.buffers = {{.start = 0, .end = 2, .size = 99},
                                          {.start = 0, .end = 9, .size = 1},
                                          {.start = 3, .end = 5, .size = 18},
                                          {.start = 6, .end = 8, .size = 10}}},
                             100),
              ElementsAre(0, 0, 1, 1));
}

TEST(Phases, JoinThroughPiecesNotThroughGaps) {
  // The gap of c lies over the busy a: it joins where it is live.
  EXPECT_THAT(PhasesByBuffer(FromDrawing("ccaacc\n"
                                         "..aa..\n"),
                             2),
              ElementsAre(0, 1));
}

TEST(Phases, AreOneWithoutCapacity) { EXPECT_THAT(PhasesByBuffer(FromDrawing("aabb\n.cc.\n"), 0), Each(0)); }

TEST(Phases, DoNotOverflow) {
  constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
  EXPECT_THAT(PhasesByBuffer({.buffers = {{.start = 0, .end = 2, .size = kMax - 1},
                                          {.start = 1, .end = 4, .size = 1},
                                          {.start = 3, .end = 5, .size = kMax / 2}}},
                             kMax),
              ElementsAre(0, 0, 1));
}

}  // namespace
}  // namespace telamalloc::testing

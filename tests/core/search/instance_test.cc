#include "search/instance.h"

#include <gtest/gtest.h>

#include "core/timeline/build.h"
#include "telamalloc/problem.h"
#include "timeline/timeline.h"

namespace telamalloc {
namespace {

using testing::BuildValid;

TEST(Instance, KeepsOnlyMaximalLiveSets) {
  // {a}, {a,b}, {b}, {c}: the first and third are part of the second.
  const Problem problem = {.buffers = {{.start = 0, .end = 4, .size = 2},
                                       {.start = 2, .end = 6, .size = 4},
                                       {.start = 0, .end = 9, .size = 6},
                                       {.start = 6, .end = 9, .size = 2}}};
  const Timeline timeline = BuildValid(problem);
  ASSERT_EQ(timeline.partitions().size(), 1);
  const SearchInstance instance = BuildInstance(timeline, timeline.partitions()[0]);
  ASSERT_EQ(instance.section_count(), 2);
  EXPECT_EQ(instance.scale, 2);
  EXPECT_EQ(instance.contention[0], (2 + 4 + 6) / 2);
  EXPECT_EQ(instance.contention[1], (6 + 2) / 2);
  EXPECT_EQ(CountIncidences(timeline, timeline.partitions()[0]), 3 + 2);
}

TEST(Instance, ScaleDividesPinsAlignmentsAndWindows) {
  const Problem problem = {
      .buffers = {{.start = 0, .end = 4, .size = 24, .fixed_offset = 36},
                  {.start = 0, .end = 4, .size = 48, .alignment = 6},
                  {.start = 0, .end = 4, .size = 12, .gaps = {{.start = 1, .end = 2, .window = {{3, 9}}}}}}};
  const Timeline timeline = BuildValid(problem);
  const SearchInstance instance = BuildInstance(timeline, timeline.partitions()[0]);
  EXPECT_EQ(instance.scale, 3);
  EXPECT_FALSE(instance.flat_bottoms);
}

TEST(Instance, UnitsAlikeShareTheirFirst) {
  const Problem problem = {.buffers = {{.start = 0, .end = 4, .size = 2},
                                       {.start = 0, .end = 4, .size = 3},
                                       {.start = 0, .end = 4, .size = 2},
                                       {.start = 0, .end = 4, .size = 2, .fixed_offset = 9}}};
  const Timeline timeline = BuildValid(problem);
  const SearchInstance instance = BuildInstance(timeline, timeline.partitions()[0]);
  int alike = 0;
  for (std::int32_t u = 0; u < instance.unit_count(); ++u) alike += instance.units[u].alike != u ? 1 : 0;
  EXPECT_EQ(alike, 1);  // the pinned one stands for itself
}

}  // namespace
}  // namespace telamalloc

#include "verify/boxes.h"

#include <set>
#include <span>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "support/random_problem.h"

namespace telamalloc::verify {
namespace {

using ::testing::SizeIs;

using Cells = std::multiset<std::pair<std::int64_t, std::int64_t>>;

Cells CellsOf(std::span<const Box> boxes) {
  Cells cells;
  for (const Box& box : boxes) {
    for (std::int64_t tick = box.start; tick < box.end; ++tick) {
      for (std::int64_t byte = box.lower; byte < box.upper; ++byte) cells.emplace(tick, byte);
    }
  }
  return cells;
}

TEST(AppendUnion, CoversTheSameCellsOnce) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    testing::Random random(seed);
    std::vector<Box> members;
    for (std::int32_t b = 0; b < 6; ++b) {
      Box box{.buffer = b, .group = 0};
      box.start = random.Uniform(0, 7);
      box.end = random.Uniform(box.start + 1, 8);
      box.lower = random.Uniform(-3, 3);
      box.upper = random.Uniform(box.lower + 1, 4);
      members.push_back(box);
    }
    Boxes united;
    AppendUnion(members, united);
    const Cells members_cells = CellsOf(members);
    const std::set<Cells::value_type> once(members_cells.begin(), members_cells.end());
    EXPECT_EQ(CellsOf(united), Cells(once.begin(), once.end())) << "seed " << seed;
  }
}

TEST(AppendUnion, NamesAMemberThatIsLive) {
  Boxes united;
  AppendUnion(std::vector<Box>{{.start = 0, .end = 4, .lower = 0, .upper = 8, .buffer = 3, .group = 0},
                               {.start = 2, .end = 6, .lower = 0, .upper = 4, .buffer = 5, .group = 0}},
              united);
  ASSERT_THAT(united, SizeIs(3));
  EXPECT_EQ(united[0].buffer, 3);
  EXPECT_EQ(united[1].buffer, 3);
  EXPECT_EQ(united[2].buffer, 5);
}

}  // namespace
}  // namespace telamalloc::verify

#include "support/random_problem.h"

#include <algorithm>

#include "gtest/gtest.h"
#include "support/naive.h"
#include "support/problem_text.h"
#include "telamalloc/csv.h"

namespace telamalloc::testing {
namespace {

TEST(RandomProblem, IsTheSameForASeed) {
  EXPECT_EQ(RandomProblem(7, AllFeatures()), RandomProblem(7, AllFeatures()));
  EXPECT_NE(RandomProblem(7, AllFeatures()), RandomProblem(8, AllFeatures()));
}

TEST(RandomProblem, UsesOnlyWhatIsSwitchedOn) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    for (const Buffer& buffer : RandomProblem(seed, {}).buffers) {
      EXPECT_EQ(buffer,
                (Buffer{.start = buffer.start, .end = buffer.end, .size = buffer.size, .id = buffer.id}));
      EXPECT_LT(buffer.start, buffer.end);
      EXPECT_GT(buffer.size, 0);
    }
  }
}

TEST(RandomProblem, UsesEverythingThatIsSwitchedOn) {
  bool pin = false;
  bool window = false;
  bool group = false;
  bool zero = false;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    for (const Buffer& buffer : RandomProblem(seed, AllFeatures()).buffers) {
      pin = pin || buffer.fixed_offset;
      window =
          window || std::ranges::any_of(buffer.gaps, [](const Gap& gap) { return gap.window.has_value(); });
      group = group || !buffer.colocation_group.empty();
      zero = zero || buffer.size == 0;
    }
  }
  EXPECT_TRUE(pin && window && group && zero);
}

TEST(RandomProblem, ShufflesWithoutLoss) {
  Random random(3);
  const Problem problem = RandomProblem(3, AllFeatures());
  Problem shuffled = Shuffled(problem, random);
  EXPECT_NE(shuffled, problem);
  std::ranges::sort(shuffled.buffers, {}, &Buffer::id);
  EXPECT_EQ(shuffled, problem);
}

TEST(ProblemToText, CanBeReadBack) {
  const Problem problem = RandomProblem(5, AllFeatures());
  const std::string text = ProblemToText(problem);
  EXPECT_EQ(text.substr(0, 15), "capacity unset\n");
  const absl::StatusOr<Problem> read = ReadProblemCsv(text.substr(15));
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(*read, problem);
}

}  // namespace
}  // namespace telamalloc::testing

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "support/random_problem.h"
#include "telamalloc/csv.h"

namespace telamalloc::testing {
namespace {

TEST(WriteCsv, WritesOnlyColumnsInUse) {
  EXPECT_EQ(WriteProblemCsv({}), "lower,upper,size\n");
  EXPECT_EQ(WriteProblemCsv({.buffers = {{.start = 0, .end = 2, .size = 8, .id = "a"}}}),
            "id,lower,upper,size\na,0,2,8\n");
  EXPECT_EQ(WriteProblemCsv({.buffers = {{.start = 0, .end = 2, .size = 8, .alignment = 4},
                                         {.start = 1, .end = 2, .size = 8, .fixed_offset = 0}}}),
            "lower,upper,size,alignment,offset\n0,2,8,4,\n1,2,8,1,0\n");
}

TEST(WriteCsv, WritesPlacementsIntoTheOffsetColumn) {
  const Problem problem{.buffers = {{.start = 0, .end = 2, .size = 8, .id = "a"},
                                    {.start = 0, .end = 2, .size = 8, .id = "b"}}};
  EXPECT_EQ(WritePlacementCsv(problem, std::vector<std::int64_t>{8, 0}),
            "id,lower,upper,size,offset\na,0,2,8,8\nb,0,2,8,0\n");
}

TEST(WriteCsv, IsReadBackAsTheSameProblem) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    RandomProblemOptions options = AllFeatures();
    options.ids = seed % 2 == 0;
    const Problem problem = RandomProblem(seed, options);
    const std::string text = WriteProblemCsv(problem);
    const absl::StatusOr<Problem> read = ReadProblemCsv(text);
    ASSERT_TRUE(read.ok()) << read.status() << "\n" << text;
    EXPECT_EQ(*read, problem) << text;
  }
}

TEST(WriteCsv, IsReadBackWhateverIsInTheIds) {
  constexpr char kBytes[] = {'a', ',', '"', '\n', '\r', ' ', '\0', '\xFF', '\xEF', '-'};
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    Random random(seed);
    const auto text = [&] {
      std::string bytes;
      for (std::int64_t length = random.Uniform(0, 5); length > 0; --length) {
        bytes += kBytes[random.Uniform(0, std::size(kBytes) - 1)];
      }
      return bytes;
    };
    Problem problem = RandomProblem(seed, {.buffers = 3});
    for (Buffer& buffer : problem.buffers) {
      buffer.id = text();
      buffer.colocation_group = text();
    }
    const std::string csv = WriteProblemCsv(problem);
    const absl::StatusOr<Problem> read = ReadProblemCsv(csv);
    ASSERT_TRUE(read.ok()) << read.status() << "\n" << csv;
    EXPECT_EQ(*read, problem) << csv;
  }
}

}  // namespace
}  // namespace telamalloc::testing

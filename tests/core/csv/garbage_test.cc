// Whatever the text, the reader comes back: with a problem that can be written and read again, or with an
// error that says where.
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "support/random_problem.h"
#include "telamalloc/csv.h"

namespace telamalloc::testing {
namespace {

void ExpectProblemOrPlace(const std::string& text) {
  const absl::StatusOr<Problem> problem = ReadProblemCsv(text, {.ends = CsvEnds::kInclusive});
  if (!problem.ok()) {
    EXPECT_THAT(FieldViolationsOf(problem.status()), ::testing::Not(::testing::IsEmpty())) << text;
    EXPECT_THAT(std::string(problem.status().message()), ::testing::StartsWith("row ")) << text;
    return;
  }
  const absl::StatusOr<Problem> again = ReadProblemCsv(WriteProblemCsv(*problem));
  ASSERT_TRUE(again.ok()) << again.status() << "\n" << text;
  EXPECT_EQ(*again, *problem) << text;
}

TEST(ReadCsv, ComesBackFromEveryTruncation) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Problem problem = RandomProblem(seed, AllFeatures());
    problem.buffers[0].id = "quo\"ted,\r\n";
    const std::string text = WriteProblemCsv(problem);
    for (std::size_t length = 0; length < text.size(); ++length) ExpectProblemOrPlace(text.substr(0, length));
  }
}

TEST(ReadCsv, ComesBackFromGarbledText) {
  constexpr char kBytes[] = {',', '"', '\n', '\r', '-', '@', ':', ' ', '0', '9', '\0', '\xEF', 'x'};
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    Random random(seed);
    std::string text = WriteProblemCsv(RandomProblem(seed, AllFeatures()));
    for (std::int64_t change = random.Uniform(1, 5); change > 0; --change) {
      const std::size_t at = random.Uniform(0, static_cast<std::int64_t>(text.size()) - 1);
      const char byte = kBytes[random.Uniform(0, std::size(kBytes) - 1)];
      switch (random.Uniform(0, 2)) {
        case 0:
          text[at] = byte;
          break;
        case 1:
          text.insert(at, 1, byte);
          break;
        default:
          text.erase(at, 1);
          break;
      }
    }
    ExpectProblemOrPlace(text);
  }
}

}  // namespace
}  // namespace telamalloc::testing

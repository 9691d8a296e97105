#include "csv/cells.h"

#include <limits>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace telamalloc::csv {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();

Parse Try(absl::string_view text) {
  std::int64_t value = 0;
  return ParseInt64(text, value);
}

std::int64_t Value(absl::string_view text) {
  std::int64_t value = 0;
  EXPECT_EQ(ParseInt64(text, value), Parse::kOk) << text;
  return value;
}

TEST(ParseInt64, ReadsEveryInteger) {
  EXPECT_EQ(Value("0"), 0);
  EXPECT_EQ(Value("-0"), 0);
  EXPECT_EQ(Value("007"), 7);
  EXPECT_EQ(Value("-42"), -42);
  EXPECT_EQ(Value("9223372036854775807"), kMax);
  EXPECT_EQ(Value("-9223372036854775808"), kMin);
}

TEST(ParseInt64, RefusesWhatDoesNotFit) {
  EXPECT_EQ(Try("9223372036854775808"), Parse::kOverflow);
  EXPECT_EQ(Try("-9223372036854775809"), Parse::kOverflow);
  EXPECT_EQ(Try("18446744073709551616"), Parse::kOverflow);
  EXPECT_EQ(Try("340282366920938463463374607431768211456"), Parse::kOverflow);
}

TEST(ParseInt64, RefusesEverythingElse) {
  for (const absl::string_view text : {"", "-", "+1", " 1", "1 ", "--1", "1.0", "1e3", "0x10", "1_000", "1,0",
                                       "a", "9223372036854775808x"}) {
    EXPECT_EQ(Try(text), Parse::kMalformed) << text;
  }
  EXPECT_EQ(Try(absl::string_view("1\0", 2)), Parse::kMalformed);
}

TEST(ParseGaps, ReadsTicksAndWindows) {
  EXPECT_THAT(*ParseGaps("3-5 6-7@0:32"), ElementsAre(Gap{3, 5}, Gap{6, 7, AddressWindow{0, 32}}));
  EXPECT_THAT(*ParseGaps("-5--3"), ElementsAre(Gap{-5, -3}));
  EXPECT_THAT(*ParseGaps("-5-3"), ElementsAre(Gap{-5, 3}));
  EXPECT_THAT(*ParseGaps("  1-2   3-4 "), ElementsAre(Gap{1, 2}, Gap{3, 4}));
  EXPECT_THAT(*ParseGaps(""), IsEmpty());
}

TEST(ParseGaps, LeavesRulesOfTheModelToOthers) {
  EXPECT_THAT(*ParseGaps("5-3@9:-1"), ElementsAre(Gap{5, 3, AddressWindow{9, -1}}));
}

TEST(ParseGaps, RefusesWhatIsMalformed) {
  for (const absl::string_view text :
       {"3", "3-", "-3", "3-5@", "3-5@1", "3-5@1:", "3-5@:2", "3-5@1:2x", "3-5,6-7", "3 - 5", "3-5\t6-7",
        "3-5@1:2@3:4", "3-9223372036854775808", "a-b", "--"}) {
    EXPECT_FALSE(ParseGaps(text).has_value()) << text;
  }
}

TEST(FormatGaps, IsReadBack) {
  const std::vector<Gap> gaps = {{-5, -3}, {kMin, kMax, AddressWindow{0, kMax}}, {1, 2}};
  EXPECT_EQ(FormatGaps({{-5, -3}, {6, 7, AddressWindow{0, 32}}}), "-5--3 6-7@0:32");
  EXPECT_EQ(*ParseGaps(FormatGaps(gaps)), gaps);
}

TEST(AppendCell, QuotesOnlyWhereItMust) {
  const auto cell = [](absl::string_view text) {
    std::string out;
    AppendCell(text, out);
    return out;
  };
  EXPECT_EQ(cell("kv cache"), "kv cache");
  EXPECT_EQ(cell("a,b"), "\"a,b\"");
  EXPECT_EQ(cell("say \"hi\""), "\"say \"\"hi\"\"\"");
  EXPECT_EQ(cell("two\nlines"), "\"two\nlines\"");
}

}  // namespace
}  // namespace telamalloc::csv

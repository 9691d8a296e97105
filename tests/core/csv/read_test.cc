#include <ostream>
#include <string>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "telamalloc/csv.h"

namespace telamalloc::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::vector<Buffer> Read(absl::string_view text, const CsvOptions& options = {}) {
  const absl::StatusOr<Problem> problem = ReadProblemCsv(text, options);
  EXPECT_TRUE(problem.ok()) << problem.status() << "\n" << text;
  return problem.ok() ? problem->buffers : std::vector<Buffer>();
}

const Buffer kA{.start = 0, .end = 2, .size = 8, .id = "a"};
const Buffer kB{.start = 0, .end = 2, .size = 4, .id = "b"};

TEST(ReadCsv, ReadsEveryColumn) {
  EXPECT_THAT(Read("id,lower,upper,size,alignment,offset,hint,gaps,group\n"
                   "kv,0,8,64,16,32,128,3-5 6-7@0:32,g\n"),
              ElementsAre(Buffer{.start = 0,
                                 .end = 8,
                                 .size = 64,
                                 .alignment = 16,
                                 .fixed_offset = 32,
                                 .offset_hint = 128,
                                 .gaps = {{3, 5}, {6, 7, AddressWindow{0, 32}}},
                                 .id = "kv",
                                 .colocation_group = "g"}));
}

TEST(ReadCsv, TakesAnEmptyCellAsUnset) {
  EXPECT_THAT(Read("id,lower,upper,size,alignment,offset,hint,gaps,group\na,0,2,8,,,,,\n"), ElementsAre(kA));
}

TEST(ReadCsv, GoesByColumnNamesNotTheirOrder) {
  EXPECT_THAT(Read("size,upper,id,lower\n8,2,a,0\n"), ElementsAre(kA));
}

TEST(ReadCsv, DoesWithoutIds) {
  EXPECT_THAT(Read("lower,upper,size\n0,2,8\n"), ElementsAre(Buffer{.start = 0, .end = 2, .size = 8}));
}

TEST(ReadCsv, ReadsAHeaderAloneAsNoBuffers) {
  EXPECT_THAT(Read("id,lower,upper,size\n"), IsEmpty());
  EXPECT_THAT(Read("id,lower,upper,size"), IsEmpty());
  EXPECT_FALSE(ReadProblemCsv("id,lower,upper,size\n")->capacity.has_value());
}

TEST(ReadCsv, ReadsCrlfByteOrderMarkBlankLinesAndAMissingLastBreak) {
  EXPECT_THAT(Read("id,lower,upper,size\r\na,0,2,8\r\nb,0,2,4\r\n"), ElementsAre(kA, kB));
  EXPECT_THAT(Read("\xEF\xBB\xBFid,lower,upper,size\na,0,2,8\nb,0,2,4\n"), ElementsAre(kA, kB));
  EXPECT_THAT(Read("\n\r\nid,lower,upper,size\n\na,0,2,8\n  \nb,0,2,4\n\n"), ElementsAre(kA, kB));
  EXPECT_THAT(Read("id,lower,upper,size\na,0,2,8\nb,0,2,4"), ElementsAre(kA, kB));
  EXPECT_THAT(Read("id,lower,upper,size\r\na,0,2,8\r"), ElementsAre(kA));
}

TEST(ReadCsv, ReadsQuotedCells) {
  const auto id = [](absl::string_view cell) {
    std::string text = "id,lower,upper,size\n";
    text.append(cell.data(), cell.size());
    const std::vector<Buffer> buffers = Read(text + ",0,2,8\r\n");
    return buffers.size() == 1 ? buffers[0].id : "not one buffer";
  };
  EXPECT_EQ(id("\"a,b\""), "a,b");
  EXPECT_EQ(id("\"say \"\"hi\"\"\""), "say \"hi\"");
  EXPECT_EQ(id("\"two\r\nlines\""), "two\r\nlines");
  EXPECT_EQ(id("\"\""), "");
  EXPECT_EQ(id("in\"side"), "in\"side") << "a quote inside an unquoted cell is a character";
  EXPECT_THAT(Read("\"id\",\"lower\",\"upper\",\"size\"\r\n\"a\",\"0\",\"2\",\"8\"\r\n"), ElementsAre(kA));
}

TEST(ReadCsv, KeepsIdsByteForByte) {
  EXPECT_EQ(Read(absl::string_view("id,lower,upper,size\n \xFF\0 ,0,2,8\n", 31))[0].id,
            std::string(" \xFF\0 ", 4));
}

TEST(ReadCsv, ReadsStartEndOnlyWhenToldWhatEndMeans) {
  constexpr absl::string_view kText = "id,start,end,size\na,0,2,8\n";
  EXPECT_EQ(Read(kText, {.ends = CsvEnds::kExclusive})[0].end, 2);
  EXPECT_EQ(Read(kText, {.ends = CsvEnds::kInclusive})[0].end, 3);
  const absl::Status status = ReadProblemCsv(kText).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()), ::testing::HasSubstr("ends=inclusive"));
}

TEST(ReadCsv, LeavesHalfOpenFilesAloneWhateverEndsSays) {
  EXPECT_THAT(Read("id,lower,upper,size\na,0,2,8\n", {.ends = CsvEnds::kInclusive}), ElementsAre(kA));
}

TEST(ReadCsv, LeavesRulesOfTheModelToOthers) {
  EXPECT_THAT(
      Read("id,lower,upper,size,alignment,offset\nb,5,3,-16,0,-1\n"),
      ElementsAre(Buffer{.start = 5, .end = 3, .size = -16, .alignment = 0, .fixed_offset = -1, .id = "b"}));
}

struct Refused {
  const char* name;
  const char* text;
  FieldViolation violation;
  CsvOptions options = {};
};

void PrintTo(const Refused& refused, std::ostream* out) { *out << refused.name << "\n" << refused.text; }

class ReadCsvRefuses : public ::testing::TestWithParam<Refused> {};

TEST_P(ReadCsvRefuses, ByRowAndColumn) {
  const Refused& refused = GetParam();
  const absl::Status status = ReadProblemCsv(refused.text, refused.options).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(FieldViolationsOf(status), ElementsAre(refused.violation)) << status;
}

constexpr char kKnown[] =
    "must be one of id, lower, upper, size, alignment, offset, hint, gaps, group, start, end";

INSTANTIATE_TEST_SUITE_P(
    All, ReadCsvRefuses,
    ::testing::Values(
        Refused{"NoText", "", {"row 1", "must be a header such as id,lower,upper,size, got nothing"}},
        Refused{"BlankText", "\n \n", {"row 1", "must be a header such as id,lower,upper,size, got nothing"}},
        Refused{"MissingSize", "id,lower,upper\na,0,2\nb,1,3\n", {"row 1", "missing column size"}},
        Refused{"MissingUpper", "id,lower,size\n", {"row 1", "missing column upper"}},
        Refused{
            "MissingEnd", "id,start,size\n", {"row 1", "missing column end"}, {.ends = CsvEnds::kInclusive}},
        Refused{"UnknownColumn",
                "\nid,lower,upper,size,begin\n",
                {"row 2", std::string("unknown column \"begin\", ") + kKnown}},
        Refused{"ColumnTwice", "id,lower,upper,size,size\n", {"row 1", "column size must not occur twice"}},
        Refused{"BothNamings",
                "lower,upper,start,end,size\n",
                {"row 1", "must have lower,upper or start,end, not both"},
                {.ends = CsvEnds::kExclusive}},
        Refused{"ShortRow",
                "id,lower,upper,size\na,0,2,8\n\nb,0,2\n",
                {"row 4", "must have 4 cells as the header has, got 3"}},
        Refused{"LongRow",
                "id,lower,upper,size\na,0,2,8,\n",
                {"row 2", "must have 4 cells as the header has, got 5"}},
        Refused{"SizeOverInt64",
                "id,lower,upper,size\na,0,2,9223372036854775808\n",
                {"row 2, column size", "must fit in a signed 64-bit integer, got \"9223372036854775808\""}},
        Refused{"NoInteger",
                "id,lower,upper,size\na,0,2.5,8\n",
                {"row 2, column upper", "must be an integer, got \"2.5\""}},
        Refused{"BlankBeforeInteger",
                "id,lower,upper,size\na,0, 2,8\n",
                {"row 2, column upper", "must be an integer, got \" 2\""}},
        Refused{"EmptyLower",
                "id,lower,upper,size\na,,2,8\n",
                {"row 2, column lower", "must be an integer, got \"\""}},
        Refused{"BadAlignment",
                "lower,upper,size,alignment\n0,2,8,x\n",
                {"row 2, column alignment", "must be an integer, got \"x\""}},
        Refused{"BadGaps",
                "lower,upper,size,gaps\n0,2,8,3\n",
                {"row 2, column gaps", "must be gaps such as 3-5 or 6-7@0:32, apart by blanks, got \"3\""}},
        Refused{"InclusiveEndAtTheLastTick",
                "start,end,size\n0,9223372036854775807,8\n",
                {"row 2, column end",
                 "must be less than the largest 64-bit integer when ends are inclusive, got "
                 "\"9223372036854775807\""},
                {.ends = CsvEnds::kInclusive}},
        Refused{"OpenQuote",
                "id,lower,upper,size\n\"a,0,2,8\n",
                {"row 2", "a quoted cell must end with a quote before a comma or the end of the row"}},
        Refused{"TextBehindQuote",
                "id,lower,upper,size\n\"a\"b,0,2,8\nb,0,2,4\n",
                {"row 2", "a quoted cell must end with a quote before a comma or the end of the row"}}),
    [](const auto& test) { return test.param.name; });

TEST(ReadCsv, CountsLinesInsideQuotes) {
  const absl::Status status = ReadProblemCsv("id,lower,upper,size\n\"x\ny\",0,2,8\nb,0,2,x\n").status();
  EXPECT_THAT(FieldViolationsOf(status),
              ElementsAre(FieldViolation{"row 4, column size", "must be an integer, got \"x\""}));
}

TEST(ReadCsv, ReportsEveryOffenceUpToTwenty) {
  EXPECT_THAT(FieldViolationsOf(ReadProblemCsv("id,lower,upper,size\na,x,2,y\nb,0\n").status()), SizeIs(3));
  std::string text = "id,lower,upper,size\n";
  for (int row = 0; row < 30; ++row) text += "a,x,2,8\n";
  const absl::Status status = ReadProblemCsv(text).status();
  EXPECT_THAT(FieldViolationsOf(status), SizeIs(kMaxReportedViolations));
  EXPECT_THAT(std::string(status.message()), ::testing::EndsWith("; and 10 more"));
}

}  // namespace
}  // namespace telamalloc::testing

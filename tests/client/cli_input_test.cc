// What the command line reads, and how it refuses what it does not.
#include <ostream>
#include <string>
#include <vector>

#include "client/process.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "telamalloc/v1/allocation_service.pb.h"

namespace telamalloc {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

Finished Solve(const std::string& input, std::vector<std::string> flags) {
  flags.insert(flags.begin(), {"solve", "--input=-", "--objective=minimize"});
  return RunCli(flags, input);
}

TEST(CliInput, ReadsCrlfByteOrderMarkAndBlankLines) {
  const Finished run = Solve("\xEF\xBB\xBFid,lower,upper,size\r\na,0,2,8\r\n\r\nb,0,2,4\r\n", {"--json"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("\"peak\": 12"));
}

TEST(CliInput, StartEndNeedsAWordAboutItsEnds) {
  const std::string csv = "id,start,end,size\na,0,1,8\nb,1,2,8\n";
  const Finished unsaid = Solve(csv, {"--json"});
  EXPECT_EQ(unsaid.exit_code, 4);
  EXPECT_THAT(unsaid.err, HasSubstr("ends=inclusive"));
  EXPECT_THAT(Solve(csv, {"--json", "--ends=exclusive"}).out, HasSubstr("\"peak\": 8"));
  EXPECT_THAT(Solve(csv, {"--json", "--ends=inclusive"}).out, HasSubstr("\"peak\": 16"));
  // What is written says it by the names of its columns.
  EXPECT_THAT(Solve(csv, {"--ends=inclusive"}).out, StartsWith("id,lower,upper,size,offset\na,0,2,8,"));
}

TEST(CliInput, KeepsPinsAndOptionalColumns) {
  const Finished run =
      Solve("id,lower,upper,size,alignment,offset,hint,gaps\np,0,4,8,4,4,,\na,0,4,4,1,,0,1-3@0:2\n", {});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.out,
            "id,lower,upper,size,alignment,offset,hint,gaps\np,0,4,8,4,4,,\na,0,4,4,1,0,0,1-3@0:2\n");
}

struct BadInput {
  const char* what;
  const char* text;
  std::vector<std::string> flags;
  std::vector<const char*> messages;
};

void PrintTo(const BadInput& input, std::ostream* out) { *out << input.what; }

class CliBadInput : public ::testing::TestWithParam<BadInput> {};

TEST_P(CliBadInput, Exits4AndSaysWhere) {
  const Finished run = Solve(GetParam().text, GetParam().flags);
  EXPECT_EQ(run.exit_code, 4);
  EXPECT_THAT(run.out, IsEmpty());
  for (const char* message : GetParam().messages) EXPECT_THAT(run.err, HasSubstr(message));
}

INSTANTIATE_TEST_SUITE_P(
    , CliBadInput,
    ::testing::Values(
        BadInput{"not a number", "id,lower,upper,size\na,0,2,8\nb,0,x,8\n", {}, {"row 3, column upper"}},
        BadInput{"too large", "lower,upper,size\n0,2,9223372036854775808\n", {}, {"row 2, column size"}},
        BadInput{"short row", "id,lower,upper,size\na,0,2\n", {}, {"row 2", "4 cells"}},
        BadInput{"unknown column", "id,lower,upper,size,colour\na,0,2,1,x\n", {}, {"\"colour\""}},
        BadInput{"no size", "id,lower,upper\na,0,2\n", {}, {"missing column size"}},
        BadInput{"nothing", "", {}, {"standard input: row 1"}},
        BadInput{"ends before start",
                 "id,lower,upper,size\n\na,0,4,1\nb,5,3,1\n",
                 {},
                 {"row 4, column upper: ", "\"b\""}},
        BadInput{"two at once",
                 "lower,upper,size\n3,1,1\n0,1,-1\n",
                 {},
                 {"row 2, column upper: ", "row 3, column size: "}},
        BadInput{"duplicate",
                 "id,lower,upper,size\na,0,1,1\na,0,1,1\n",
                 {},
                 {"row 3, column id: must be unique, got \"a\" as in row 2"}},
        BadInput{"pins collide",
                 "id,lower,upper,size,offset\na,0,2,8,0\nb,1,3,8,4\n",
                 {},
                 {"row 3, column offset: pinned buffers \"a\" and \"b\" share 4 bytes"}},
        BadInput{"quoted line feed",
                 "id,lower,upper,size\n\"a\nb\",0,1,1\nc,1,0,1\n",
                 {},
                 {"row 4, column upper: "}},
        BadInput{"not UTF-8",
                 "id,lower,upper,size\na,0,2,8\nb\xFF,0,1,8\n",
                 {},
                 {"row 3, column id: must be UTF-8, got \"b\\xff\""}},
        BadInput{"row of another",
                 "id,lower,upper,size\n\nbuffers[1],0,1,8\n\nbuffers[1],0,1,8\n",
                 {},
                 {"row 5, column id: must be unique, got \"buffers[1]\" as in row 3\n"}},
        BadInput{"inclusive", "start,end,size\n3,1,8\n", {"--ends=inclusive"}, {"row 2, column end: "}},
        BadInput{"gaps",
                 "lower,upper,size,hint,gaps\n0,2,8,-1,1-2 5-6\n",
                 {},
                 {"row 2, column hint: ", "row 2, column gaps[1]: "}},
        BadInput{"unknown json field",
                 R"({"buffers": [{"start": 0, "end": 1}, {"colour": 1}]})",
                 {"--format=json"},
                 {"standard input: buffers[1].colour: unknown key"}},
        BadInput{"not json", "{", {"--format=json"}, {"not JSON: unexpected", "at byte 2"}},
        BadInput{"list in a list",
                 R"({"buffers": [[{"start": 0, "end": 2, "size": 8}]]})",
                 {"--format=json"},
                 {"buffers[0]: must be an object, got a list"}},
        BadInput{"empty list in a list",
                 R"({"buffers": [{"end": 1}, []]})",
                 {"--format=json"},
                 {"buffers[1]: must be an object, got a list"}},
        BadInput{"null in a list",
                 R"({"buffers": [null]})",
                 {"--format=json"},
                 {"buffers[0]: must be an object, got null"}},
        BadInput{"object for a list",
                 R"({"buffers": {"end": 1}})",
                 {"--format=json"},
                 {"buffers: must be a list, got an object"}},
        BadInput{"text for a list",
                 R"({"buffers": "x"})",
                 {"--format=json"},
                 {"buffers: must be a list, got a text"}},
        BadInput{"list for a value",
                 R"({"buffers": [{"end": 1, "gaps": [{}, {"start": [1]}]}]})",
                 {"--format=json"},
                 {"buffers[0].gaps[1].start: must be a single value, got a list"}},
        BadInput{"list at the top", "[]", {"--format=json"}, {"must be an object, got a list"}},
        BadInput{"null at the top", "null", {"--format=json"}, {"must be an object, got null"}},
        BadInput{"request for a problem",
                 R"({"problem": {"buffers": []}})",
                 {"--format=json"},
                 {"problem: unknown key"}},
        BadInput{"key twice",
                 R"({"buffers": [{"end": 1, "size": 1, "size": 2}]})",
                 {"--format=json"},
                 {"buffers[0].size: must not occur twice"}},
        BadInput{"two spellings",
                 R"({"buffers": [{"end": 1, "offsetHint": 1, "offset_hint": 2}]})",
                 {"--format=json"},
                 {"buffers[0].offset_hint: must not occur twice"}},
        BadInput{"single quotes", "{'buffers': []}", {"--format=json"}, {"not JSON"}},
        BadInput{"trailing comma", R"({"buffers": [],})", {"--format=json"}, {"not JSON"}},
        BadInput{
            "json value", R"({"buffers": [{"start": 2, "end": 1}]})", {"--format=json"}, {"buffers[0].end"}},
        BadInput{"textproto", "buffers {\n colour: 1 }", {"--format=textproto"}, {"line 2", "colour"}},
        BadInput{"not binary", "\x0A\xFF", {"--format=binpb"}, {"binary"}},
        BadInput{"unknown binary field", "\x0A\x03\x98\x06\x01", {"--format=binpb"}, {"buffers[0].", "99"}},
        BadInput{"format", "", {"--format=xml"}, {"must be one of csv|json|textproto|binpb"}}));

TEST(CliInput, ErrorsAreOnePrintableLine) {
  const Finished run = Solve("{\"buffers\": \x1b[31m\xFF}", {"--format=json"});
  EXPECT_EQ(run.exit_code, 4);
  EXPECT_EQ(run.err.find('\x1b'), std::string::npos);
  EXPECT_EQ(run.err.find('\xFF'), std::string::npos);
  EXPECT_EQ(run.err.find('\n'), run.err.size() - 1);
}

TEST(CliInput, JsonTakesIntegersAsNumbersAndAsText) {
  const Finished run = Solve(
      R"({"name": "n", "buffers": [{"id": "a", "start": "0", "end": 2, "size": "8"}], "capacity": "12"})",
      {"--format=json", "--json"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("\"peak\": 8, \"lower_bound\": 8, \"capacity\": 12"));
}

TEST(CliInput, JsonLeavesOutWhatIsNull) {
  const Finished run =
      Solve(R"({"name": null, "buffers": [{"end": 2, "size": 8, "gaps": null, "fixedOffset": null}]})",
            {"--format=json", "--json"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("\"peak\": 8, "));
}

TEST(CliInput, EndsAreForCsv) {
  const Finished run = Solve("{}", {"--format=json", "--ends=inclusive"});
  EXPECT_EQ(run.exit_code, 4);
  EXPECT_THAT(run.err, HasSubstr("--ends is for CSV"));
}

TEST(CliInput, SaysHowManyViolationsAreLeftOut) {
  std::string csv = "lower,upper,size\n";
  for (int b = 0; b < 30; ++b) csv += "1,1,1\n";
  const Finished run = Solve(csv, {});
  EXPECT_EQ(run.exit_code, 4);
  EXPECT_THAT(run.err, HasSubstr("row 21, column upper: "));
  EXPECT_THAT(run.err, HasSubstr("telamalloc solve: standard input: and 10 more\n"));
  std::string numbers = "lower,upper,size\n";
  for (int b = 0; b < 25; ++b) numbers += "x,1,1\n";
  EXPECT_THAT(Solve(numbers, {}).err, HasSubstr("telamalloc solve: standard input: and 5 more\n"));
}

TEST(CliInput, IsBounded) {
  const Finished device = RunShell("\"$CLI\" solve --input=/dev/zero --capacity=1");
  EXPECT_EQ(device.exit_code, 4);
  EXPECT_EQ(device.err, "telamalloc solve: /dev/zero: must have at most 256 MiB, has more\n");
  // The size of a file is known before it is read. This one has holes only.
  const TemporaryFolder folder;
  const Finished file = RunShell("truncate -s 300G '" + folder.Path("p.csv") +
                                 "' && \"$CLI\" solve --input='" + folder.Path("p.csv") + "' --capacity=1");
  EXPECT_EQ(file.exit_code, 4);
  EXPECT_THAT(file.err, HasSubstr("p.csv: must have at most 256 MiB"));
}

TEST(CliInput, ClosedStandardInputIsAnError) {
  const Finished run = RunShell("\"$CLI\" solve --input=- --capacity=1 <&-");
  EXPECT_EQ(run.exit_code, 4);
  EXPECT_EQ(run.err, "telamalloc solve: cannot read standard input: Bad file descriptor\n");
}

TEST(CliInput, ExtensionTellsTheFormat) {
  v1::Problem problem;
  v1::Buffer& buffer = *problem.add_buffers();
  buffer.set_id("a");
  buffer.set_end(2);
  buffer.set_size(8);
  const TemporaryFolder folder;
  const std::vector<std::string> paths = {
      folder.Write("p.json", R"({"buffers": [{"id": "a", "end": 2, "size": 8}]})"),
      folder.Write("p.textproto", "buffers { id: 'a' end: 2 size: 8 }"),
      folder.Write("p.binpb", problem.SerializeAsString()),
      folder.Write("p.csv", "id,lower,upper,size\na,0,2,8\n"),
      folder.Write("p.other", "id,lower,upper,size\na,0,2,8\n")};
  for (const std::string& path : paths) {
    const Finished run = RunCli({"solve", "--input=" + path, "--capacity=8"});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_EQ(run.out, "id,lower,upper,size,offset\na,0,2,8,0\n") << path;
  }
}

TEST(CliInput, FlagOverridesTheCapacityOfTheFile) {
  const char* json = R"({"buffers": [{"end": 2, "size": 8}], "capacity": 12})";
  EXPECT_EQ(RunCli({"solve", "--input=-", "--format=json"}, json).exit_code, 0);
  EXPECT_EQ(RunCli({"solve", "--input=-", "--format=json", "--capacity=4"}, json).exit_code, 2);
}

}  // namespace
}  // namespace telamalloc

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
        BadInput{
            "ends before start", "id,lower,upper,size\n\na,0,4,1\nb,5,3,1\n", {}, {"row 4, end", "\"b\""}},
        BadInput{"two at once", "lower,upper,size\n3,1,1\n0,1,-1\n", {}, {"row 2, end", "row 3, size"}},
        BadInput{"duplicate", "id,lower,upper,size\na,0,1,1\na,0,1,1\n", {}, {"row 3, id", "\"a\""}},
        BadInput{"pins collide", "id,lower,upper,size,offset\na,0,2,8,0\nb,1,3,8,4\n", {}, {"a", "b", "4"}},
        BadInput{"quoted line feed", "id,lower,upper,size\n\"a\nb\",0,1,1\nc,1,0,1\n", {}, {"row 4, end"}},
        BadInput{"unknown json field",
                 R"({"buffers": [{"start": 0, "end": 1}, {"colour": 1}]})",
                 {"--format=json"},
                 {"buffers[1]", "colour"}},
        BadInput{"not json", "{", {"--format=json"}, {"JSON"}},
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

// What is wrong with an input reads the same whether it is found in this process or on a server.
#include <ostream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "client/process.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "server/test_server.h"

namespace telamalloc {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

Finished SolveAt(server::TestServer& server, const std::string& input, std::vector<std::string> flags) {
  flags.insert(flags.begin(), {"solve", "--input=-", "--capacity=64",
                               absl::StrCat("--server=127.0.0.1:", server.server().port())});
  return RunCli(flags, input);
}

struct Wrong {
  const char* what;
  std::string input;
  const char* message;
  std::vector<std::string> flags = {};
};

void PrintTo(const Wrong& wrong, std::ostream* out) { *out << wrong.what; }

class CliSameErrors : public ::testing::TestWithParam<Wrong> {};

TEST_P(CliSameErrors, HereAndOnAServer) {
  server::TestServer server;
  std::vector<std::string> flags = GetParam().flags;
  const Finished there = SolveAt(server, GetParam().input, flags);
  flags.insert(flags.begin(), {"solve", "--input=-", "--capacity=64"});
  const Finished here = RunCli(flags, GetParam().input);
  EXPECT_EQ(here.exit_code, 4);
  EXPECT_EQ(there.exit_code, 4);
  EXPECT_THAT(here.err, HasSubstr(GetParam().message));
  EXPECT_EQ(there.err, here.err);
  EXPECT_THAT(there.out, IsEmpty());
}

std::string ManyWrongRows() {
  std::string csv = "id,lower,upper,size\n";
  for (int b = 0; b < 30; ++b) absl::StrAppend(&csv, std::string(100, 'x'), b, ",1,1,1\n");
  return csv;
}

INSTANTIATE_TEST_SUITE_P(
    , CliSameErrors,
    ::testing::Values(
        Wrong{"alignment 0", "id,lower,upper,size,alignment\n\na,0,2,16,0\nb,0,2,16,8\n",
              "standard input: row 3, column alignment: must be at least 1, got 0 (id \"a\")\n"},
        Wrong{"negative size", "id,lower,upper,size\na,0,2,-4\n", "row 2, column size: must not be negative"},
        Wrong{"duplicate", "id,lower,upper,size\na,0,2,1\nb,0,2,1\na,0,2,1\n",
              "row 4, column id: must be unique, got \"a\" as in row 2\n"},
        Wrong{"not UTF-8", "id,lower,upper,size\na,0,2,1\n\xFF,0,2,1\n",
              "row 3, column id: must be UTF-8, got \"\\xff\"\n"},
        Wrong{"pins collide", "lower,upper,size,offset\n0,2,8,0\n0,2,8,7\n",
              "row 3, column offset: pinned buffers row 2 and row 3 share 1 byte [7, 8)"},
        Wrong{"sums", "lower,upper,size\n0,2,9223372036854775807\n0,2,1\n",
              "standard input: buffers: the sizes live together must sum to at most"},
        Wrong{"fixed top", "lower,upper,size,offset\n0,2,9223372036854775807,1\n",
              "row 2, column offset: fixed_offset + size must fit in 64 bits"},
        Wrong{"many", ManyWrongRows(), "standard input: and 10 more\n"},
        Wrong{"group", "lower,upper,size,offset,group\n0,2,8,0,g\n0,2,8,8,g\n", "row 3, column offset: "},
        Wrong{"json",
              R"({"buffers": [{"end": 1, "size": 1}, {"start": 1, "end": 1, "size": 1}]})",
              "standard input: buffers[1].end: must be greater than start",
              {"--format=json"}}));

TEST(CliServerLimits, AProblemAboveThemIsBadInput) {
  server::Settings settings = server::QuietSettings();
  settings.max_buffers = 2;
  server::TestServer few(settings);
  const Finished buffers = SolveAt(few, "lower,upper,size\n0,1,1\n0,1,1\n0,1,1\n", {});
  EXPECT_EQ(buffers.exit_code, 4) << buffers.err;
  EXPECT_THAT(buffers.err, HasSubstr("at most 2"));

  settings = server::QuietSettings();
  settings.max_message_bytes = 1000;
  server::TestServer small(settings);
  const Finished bytes =
      SolveAt(small, absl::StrCat("id,lower,upper,size\n", std::string(2000, 'x'), ",0,1,1\n"), {});
  EXPECT_EQ(bytes.exit_code, 4) << bytes.err;
  EXPECT_THAT(bytes.err, HasSubstr("1000"));
}

TEST(CliServerOptions, AnUnknownSolverIsNamedAsItsFlag) {
  server::TestServer server;
  const Finished run = SolveAt(server, "lower,upper,size\n0,1,1\n", {"--solver=magic"});
  EXPECT_EQ(run.exit_code, 4);
  EXPECT_THAT(run.err, HasSubstr("telamalloc solve: --solver: unknown name \"magic\"; known: auto"));
}

}  // namespace
}  // namespace telamalloc

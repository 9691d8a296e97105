// telamalloc solve as scripts rely on it: exit codes, JSON keys, CSV out.
#include <string>
#include <vector>

#include "client/process.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace telamalloc {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::MatchesRegex;
using ::testing::Not;
using ::testing::StartsWith;

// Peak 12 at best: three live at once in every tick.
constexpr const char* kExample = "id,lower,upper,size\nb1,0,3,4\nb2,3,9,4\nb3,0,9,4\nb4,9,21,4\nb5,0,21,4\n";

// Never more than 4 bytes live, yet 5 are needed.
constexpr const char* kSeven =
    "id,lower,upper,size\na,0,1,2\nb,0,2,2\nc,1,3,1\nd,1,4,1\ne,2,4,1\nf,3,5,2\ng,4,6,2\n";

Finished Solve(const std::string& csv, std::vector<std::string> flags) {
  flags.insert(flags.begin(), {"solve", "--input=-"});
  return RunCli(flags, csv);
}

TEST(CliSolve, PrintsThePlacementAsCsvAndExits0) {
  const Finished run = Solve("id,lower,upper,size\na,0,2,8\nb,2,4,8\n", {"--capacity=8"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.out, "id,lower,upper,size,offset\na,0,2,8,0\nb,2,4,8,0\n");
  EXPECT_THAT(run.err, HasSubstr("FEASIBLE: peak 8 of 8 bytes"));
}

TEST(CliSolve, WhatItPrintsPassesVerify) {
  const TemporaryFolder folder;
  const std::string problem = folder.Write("p.csv", kExample);
  const std::string placement = folder.Path("placement.csv");
  const Finished solved = RunCli({"solve", "--input=" + problem, "--capacity=12", "--output=" + placement});
  EXPECT_EQ(solved.exit_code, 0) << solved.err;
  EXPECT_THAT(solved.out, IsEmpty());
  const Finished verified =
      RunCli({"verify", "--input=" + problem, "--placement=" + placement, "--capacity=12"});
  EXPECT_EQ(verified.exit_code, 0) << verified.out;
  EXPECT_THAT(verified.out, IsEmpty());
  // Solved again, every buffer is pinned where it was.
  const Finished again = RunCli({"solve", "--input=" + placement, "--capacity=12"});
  EXPECT_EQ(again.out, folder.Read("placement.csv"));
}

TEST(CliSolve, JsonHasExactlyTheseKeys) {
  const Finished run = Solve(kExample, {"--capacity=12", "--json"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(
      run.out,
      MatchesRegex("\\{\"outcome\": \"FEASIBLE\", \"method\": \"[A-Z_]+\", \"stop_reason\": \"COMPLETED\", "
                   "\"peak\": 12, \"lower_bound\": 12, \"capacity\": 12, \"over_capacity\": false, "
                   "\"buffers\": 5, \"nodes\": [0-9]+, \"minor_backtracks\": [0-9]+, "
                   "\"major_backtracks\": [0-9]+, \"solve_seconds\": [0-9.]+, "
                   "\"provenance\": \"SOLVED\"\\}\n"));
  EXPECT_THAT(run.err, IsEmpty());
}

TEST(CliSolve, SpillAdviceIsAKeyOfItsOwn) {
  const std::string csv = "id,lower,upper,size\na,0,4,6\nb,0,4,3\nc,9,10,8\n";
  const Finished asked = Solve(csv, {"--capacity=8", "--spill_advice=2", "--json"});
  EXPECT_EQ(asked.exit_code, 2) << asked.err;
  EXPECT_THAT(
      asked.out,
      HasSubstr("\"spill_advice\": [{\"buffers\": [1], \"cost\": 12, \"bytes\": 3, \"minimal\": true, "
                "\"peak\": 8, \"offsets\": [0, -1, 0]}, {\"buffers\": [0], \"cost\": 24, "));
  EXPECT_THAT(asked.err, HasSubstr("spill b (3 bytes): cost 12, 3 bytes; the rest has peak 8"));
  const Finished fits = Solve(csv, {"--capacity=9", "--spill_advice=2", "--json"});
  EXPECT_EQ(fits.exit_code, 0) << fits.err;
  EXPECT_THAT(fits.out, HasSubstr("\"spill_advice\": []}"));
  EXPECT_EQ(Solve(csv, {"--capacity=8", "--spill_advice=65"}).exit_code, 4);
}

TEST(CliSolve, MinimizesWithoutACapacity) {
  const Finished run = Solve(kSeven, {"--objective=minimize", "--json"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("\"outcome\": \"OPTIMAL\""));
  EXPECT_THAT(run.out,
              HasSubstr("\"peak\": 5, \"lower_bound\": 5, \"capacity\": null, \"over_capacity\": false"));
}

TEST(CliSolve, InfeasibleExits2AndSaysWhy) {
  const Finished run = Solve("id,lower,upper,size\na,0,6,400\nb,1,3,200\nc,2,8,500\nd,5,9,300\ne,7,9,100\n",
                             {"--capacity=1024"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_THAT(run.out, IsEmpty());
  EXPECT_THAT(run.err, HasSubstr("needed 1200 bytes, available 1024, excess 176"));
  EXPECT_THAT(run.err, HasSubstr("live together in [5, 6): a (400 bytes), c (500 bytes), d (300 bytes)\n"));
}

TEST(CliSolve, InfeasibleBySearchExits2) {
  const Finished run = Solve(kSeven, {"--capacity=4", "--json"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_THAT(run.out, StartsWith("{\"outcome\": \"INFEASIBLE\""));
}

TEST(CliSolve, PlacementOverCapacityIsWrittenOnlyWhenAskedFor) {
  const TemporaryFolder folder;
  const Finished run = Solve(kExample, {"--capacity=11", "--output=" + folder.Path("plan.csv")});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_THAT(run.err, HasSubstr("wrote the placement over the capacity to "));
  EXPECT_THAT(folder.Read("plan.csv"), StartsWith("id,lower,upper,size,offset\nb1,0,3,4,"));
}

TEST(CliSolve, NoSolutionWithinTheNodesExits3) {
  const Finished run = Solve(kSeven, {"--capacity=4", "--max_nodes=0", "--json"});
  EXPECT_EQ(run.exit_code, 3);
  EXPECT_THAT(run.out, StartsWith("{\"outcome\": \"NO_SOLUTION_FOUND\""));
  EXPECT_THAT(run.out, HasSubstr("\"stop_reason\": \"NODES\""));
}

TEST(CliSolve, UnreachableServerExits5) {
  const TemporaryFolder folder;
  // A name that nothing can listen at.
  const Finished run =
      Solve(kExample, {"--capacity=12", "--server=unix:" + folder.Path("nobody.sock"), "--timeout=5s"});
  EXPECT_EQ(run.exit_code, 5);
  EXPECT_THAT(run.err, HasSubstr("nobody.sock"));
}

TEST(CliSolve, ServerComesFromTheEnvironmentAndAnEmptyFlagOverridesIt) {
  const TemporaryFolder folder;
  const std::vector<std::string> environment = {"TELAMALLOC_SERVER=unix:" + folder.Path("nobody.sock")};
  EXPECT_EQ(RunCli({"solve", "--input=-", "--capacity=12"}, kExample, environment).exit_code, 5);
  EXPECT_EQ(RunCli({"solve", "--input=-", "--capacity=12", "--server="}, kExample, environment).exit_code, 0);
}

TEST(CliSolve, TimeOutBeforeAnyAnswerExits6) {
  std::string csv = "lower,upper,size\n";
  for (int b = 0; b < 20000; ++b)
    csv += "0," + std::to_string(b + 1) + "," + std::to_string(b % 7 + 1) + "\n";
  const Finished run = Solve(csv, {"--objective=minimize", "--timeout=1ns"});
  EXPECT_EQ(run.exit_code, 6) << run.err;
  EXPECT_THAT(run.out, IsEmpty());
}

struct BadUse {
  const char* what;
  std::vector<std::string> arguments;
  const char* message;
};

void PrintTo(const BadUse& use, std::ostream* out) { *out << use.what; }

class CliBadUse : public ::testing::TestWithParam<BadUse> {};

TEST_P(CliBadUse, Exits4AndNamesIt) {
  const Finished run = RunCli(GetParam().arguments, kExample);
  EXPECT_EQ(run.exit_code, 4);
  EXPECT_THAT(run.out, IsEmpty());
  EXPECT_THAT(run.err, HasSubstr(GetParam().message));
}

INSTANTIATE_TEST_SUITE_P(
    , CliBadUse,
    ::testing::Values(
        BadUse{"no command", {}, "telamalloc COMMAND"},
        BadUse{"unknown command", {"sovle"}, "unknown command \"sovle\""},
        BadUse{"unknown flag", {"solve", "--input=-", "--capcity=12"}, "did you mean --capacity?"},
        BadUse{"no value", {"solve", "--input=-", "--capacity"}, "--capacity needs a value"},
        BadUse{"capacity",
               {"solve", "--input=-", "--capacity=1k"},
               "--capacity: must be bytes from 0 to 2^63-1 such as"},
        BadUse{"negative", {"solve", "--input=-", "--capacity=-1"}, "--capacity: must be bytes from 0"},
        BadUse{
            "capacity overflows", {"solve", "--input=-", "--capacity=8589934592GiB"}, "--capacity: must be"},
        BadUse{"unit alone", {"solve", "--input=-", "--capacity=MiB"}, "--capacity: must be"},
        BadUse{"bench solver", {"bench", "p.csv", "--solver=magic"}, "--solver: unknown name"},
        BadUse{"two commands", {"help", "solve", "verify"}, "unexpected argument \"verify\""},
        BadUse{"version of what", {"version", "solve"}, "unexpected argument \"solve\""},
        BadUse{"no capacity", {"solve", "--input=-"}, "say --capacity=BYTES, or --objective=minimize"},
        BadUse{"objective", {"solve", "--input=-", "--objective=max"}, "must be one of fit|minimize"},
        BadUse{"timeout", {"solve", "--input=-", "--capacity=12", "--timeout=10"}, "such as 10s, 250ms"},
        BadUse{
            "threads", {"solve", "--input=-", "--capacity=12", "--threads=2"}, "--threads: must be 1, got"},
        BadUse{"solver",
               {"solve", "--input=-", "--capacity=12", "--solver=magic"},
               "--solver: unknown name \"magic\""},
        BadUse{"argument", {"solve", "p.csv", "--capacity=12"}, "unexpected argument \"p.csv\""},
        BadUse{"no input", {"solve", "--capacity=12"}, "say --input=FILE"},
        BadUse{"no file", {"solve", "--input=/nowhere/p.csv", "--capacity=12"}, "cannot open /nowhere/p.csv"},
        BadUse{"two on stdout", {"solve", "--input=-", "--capacity=12", "--json", "--picture"}, "choose one"},
        BadUse{
            "server list", {"solve", "--input=-", "--capacity=12", "--server=a:1,"}, "host:port[,host:port]"},
        BadUse{"no port", {"solve", "--input=-", "--capacity=12", "--server=host"}, "has no port"},
        BadUse{"port", {"capabilities", "--server=host:65536"}, "the port 1 to 65535, got \"65536\""},
        BadUse{"after the port", {"capabilities", "--server=127.0.0.1:1x"}, "got \"1x\""},
        BadUse{"repeat", {"bench", "p.csv", "--repeat=1000000"}, "--repeat: must be 1 to 10000"},
        BadUse{"repeat 0", {"bench", "p.csv", "--repeat=0"}, "--repeat: must be 1 to 10000"},
        BadUse{"one file twice",
               {"solve", "--input=-", "--capacity=12", "--output=o.csv", "--svg=o.csv"},
               "--output and --svg must differ"},
        BadUse{"output",
               {"solve", "--input=-", "--capacity=12", "--output=/nowhere/o.csv"},
               "cannot write /nowhere/o.csv: "}));

TEST(CliSolve, SwitchesTakeValuesAndFlagsTakeTheNextArgument) {
  const Finished run =
      RunCli({"solve", "--input", "-", "--capacity", "12", "--json=false", "--threads=1"}, kExample);
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, StartsWith("id,lower,upper,size,offset\n"));
}

TEST(CliSolve, CapacityTakesUnits) {
  for (const char* capacity : {"--capacity=2048", "--capacity=2KiB"}) {
    const Finished run = Solve(kExample, {capacity, "--json"});
    EXPECT_THAT(run.out, HasSubstr("\"capacity\": 2048, ")) << run.err;
  }
  EXPECT_THAT(Solve(kExample, {"--capacity=3GiB", "--json"}).out, HasSubstr("\"capacity\": 3221225472, "));
}

TEST(CliSolve, SameSeedSameOffsets) {
  const Finished first = Solve(kSeven, {"--capacity=5", "--seed=7"});
  EXPECT_EQ(first.exit_code, 0);
  EXPECT_EQ(first.out, Solve(kSeven, {"--capacity=5", "--seed=7"}).out);
}

TEST(CliSolve, PictureFitsEightyColumns) {
  const Finished run = Solve(kExample, {"--capacity=12", "--picture"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, AllOf(HasSubstr("┌"), HasSubstr("b4"), HasSubstr("5 buffers, peak 12 of 12 bytes")));
  std::size_t width = 0;
  for (const char c : run.out) {
    // Continuation bytes of UTF-8 take no column.
    if ((static_cast<unsigned char>(c) & 0xC0) != 0x80) ++width;
    if (c == '\n') {
      EXPECT_LE(width, 81U);
      width = 0;
    }
  }
}

TEST(CliSolve, SvgEscapesIds) {
  const Finished run =
      Solve("id,lower,upper,size\n<&>,0,2,8\n\x1b[31m,0,2,4\n", {"--capacity=12", "--svg=-"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, AllOf(StartsWith("<svg "), HasSubstr("<title>&lt;&amp;&gt;\nlifetime [0, 2)"),
                             Not(HasSubstr("<&")), Not(HasSubstr("\x1b"))));
}

TEST(CliSolve, EmptyProblemIsSolved) {
  const Finished run = Solve("id,lower,upper,size\n", {"--capacity=0", "--picture"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("0 buffers, peak 0 of 0 bytes"));
}

TEST(Cli, HelpOfEveryCommandShowsExamples) {
  const Finished help = RunCli({"help"});
  EXPECT_EQ(help.exit_code, 0);
  for (const char* command : {"solve", "verify", "bench", "capabilities"}) {
    EXPECT_THAT(help.out, HasSubstr(command));
    const Finished run = RunCli({command, "--help"});
    EXPECT_EQ(run.exit_code, 0);
    EXPECT_THAT(run.out, HasSubstr(std::string("  telamalloc ") + command));
    EXPECT_EQ(run.out, RunCli({"help", command}).out);
  }
}

}  // namespace
}  // namespace telamalloc

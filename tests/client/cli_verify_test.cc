// telamalloc verify and bench.
#include <algorithm>
#include <string>

#include "client/process.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace telamalloc {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr const char* kProblem = "id,lower,upper,size\na,0,2,8\nb,1,3,4\n";

// The problem in a file, the placement on stdin.
Finished Verify(const std::string& problem, const std::string& placement, const std::string& capacity) {
  const TemporaryFolder folder;
  return RunCli(
      {"verify", "--input=" + folder.Write("p.csv", problem), "--placement=-", "--capacity=" + capacity},
      placement);
}

TEST(CliVerify, AcceptsAValidPlacementQuietly) {
  const Finished run = Verify(kProblem, "id,lower,upper,size,offset\na,0,2,8,0\nb,1,3,4,8\n", "12");
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_THAT(run.out, IsEmpty());
  EXPECT_THAT(run.err, HasSubstr("valid: 2 buffers, peak 12 of 12 bytes"));
}

TEST(CliVerify, SaysWhenItHadNoCapacityToCheck) {
  const TemporaryFolder folder;
  const Finished run = RunCli({"verify", "--input=" + folder.Write("p.csv", kProblem), "--placement=-"},
                              "id,lower,upper,size,offset\na,0,2,8,0\nb,1,3,4,8\n");
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.err, "valid: 2 buffers, peak 12 bytes; checked without a capacity: say --capacity=BYTES\n");
}

TEST(CliVerify, PrintsEachViolationOnALineAndExits1) {
  const Finished run = Verify(kProblem, "id,lower,upper,size,offset\na,0,2,8,8\nb,1,3,4,10\n", "12");
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_EQ(std::count(run.out.begin(), run.out.end(), '\n'), 3) << run.out;  // overlap, and both too high
}

TEST(CliVerify, MatchesRowsById) {
  const Finished run = Verify(kProblem, "id,lower,upper,size,offset\nb,1,3,4,8\na,0,2,8,0\n", "12");
  EXPECT_EQ(run.exit_code, 0) << run.out;
}

TEST(CliVerify, MatchesRowsByPositionWithoutIds) {
  const std::string problem = "lower,upper,size\n0,2,8\n1,3,4\n";
  EXPECT_EQ(Verify(problem, "lower,upper,size,offset\n0,2,8,0\n1,3,4,8\n", "12").exit_code, 0);
  const Finished swapped = Verify(problem, "lower,upper,size,offset\n1,3,4,8\n0,2,8,0\n", "12");
  EXPECT_EQ(swapped.exit_code, 1) << "8 bytes at 8 end above 12";
}

TEST(CliVerify, MissingAndForeignRowsAreViolations) {
  const Finished run = Verify(kProblem, "id,lower,upper,size,offset\na,0,2,8,0\nz,1,3,4,8\n", "12");
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_THAT(run.out, AllOf(HasSubstr("buffer b has no offset"), HasSubstr("buffer z of the placement")));
  EXPECT_EQ(Verify(kProblem, "id,lower,upper,size,offset\na,0,2,8,0\nb,1,3,4,\n", "12").exit_code, 1);
  EXPECT_EQ(Verify("lower,upper,size\n0,1,1\n0,1,1\n", "lower,upper,size,offset\n0,1,1,0\n", "12").exit_code,
            1);
}

TEST(CliVerify, MovedPinsAndNegativeOffsetsAreViolations) {
  EXPECT_EQ(Verify("id,lower,upper,size,offset\na,0,2,8,4\n", "id,lower,upper,size,offset\na,0,2,8,0\n", "12")
                .exit_code,
            1);
  EXPECT_EQ(Verify(kProblem, "id,lower,upper,size,offset\na,0,2,8,0\nb,1,3,4,-4\n", "12").exit_code, 1);
}

TEST(CliVerify, BadInputExits4) {
  EXPECT_EQ(
      Verify("id,lower,upper,size\na,2,0,8\n", "id,lower,upper,size,offset\na,2,0,8,0\n", "12").exit_code, 4);
  EXPECT_EQ(Verify(kProblem, "id,lower,upper,size,offset\na,0,2,8,zero\n", "12").exit_code, 4);
  EXPECT_EQ(RunCli({"verify", "--input=-", "--placement=-"}, kProblem).exit_code, 4);
  EXPECT_EQ(RunCli({"verify", "--input=-"}, kProblem).exit_code, 4);
}

TEST(CliBench, TakesTheCapacityFromTheNameAndAddsUp) {
  const TemporaryFolder folder;
  const std::string fit = folder.Write("x.12.csv", kProblem);
  const std::string tight = folder.Write("y_cap11.csv", kProblem);
  const std::string least = folder.Write("z.csv", kProblem);
  const Finished run = RunCli({"bench", "--json", "--repeat=3", fit, tight, least});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out,
              HasSubstr("{\"name\": \"x.12.csv\", \"buffers\": 2, \"capacity\": 12, \"lower_bound\": 12, "
                        "\"peak\": 12, \"outcome\": \"FEASIBLE\", \"method\": \"GREEDY\", \"nodes\": 0, "
                        "\"solve_seconds\": "));
  EXPECT_THAT(run.out,
              HasSubstr("{\"name\": \"y_cap11.csv\", \"buffers\": 2, \"capacity\": 11, \"lower_bound\": 12, "
                        "\"peak\": 12, \"outcome\": \"INFEASIBLE\", \"method\": \"LOAD_BOUND\""));
  EXPECT_THAT(run.out,
              HasSubstr("{\"name\": \"z.csv\", \"buffers\": 2, \"capacity\": null, \"lower_bound\": 12, "
                        "\"peak\": 12, \"outcome\": \"OPTIMAL\""));
  EXPECT_THAT(run.out, HasSubstr("{\"name\": \"sum\", \"instances\": 3, \"solved\": 2, "));
}

TEST(CliBench, RunsTheProblemsOfAFolderAsATable) {
  const TemporaryFolder folder;
  EXPECT_THAT(folder.Write("b.csv", kProblem), Not(IsEmpty()));
  EXPECT_THAT(folder.Write("a.12.csv", kProblem), Not(IsEmpty()));
  EXPECT_THAT(folder.Write("README.md", "no problem"), Not(IsEmpty()));
  const Finished run = RunCli({"bench", folder.Path("")});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_LT(run.out.find("a.12.csv"), run.out.find("b.csv"));
  EXPECT_THAT(run.out, AllOf(HasSubstr("2 of 2 solved"), Not(HasSubstr("README"))));
}

TEST(CliBench, GoesOnAfterAFileThatItCannotRead) {
  const TemporaryFolder folder;
  const Finished run = RunCli({"bench", folder.Path("none.csv"), folder.Write("b.csv", kProblem)});
  EXPECT_EQ(run.exit_code, 4);
  EXPECT_THAT(run.err, HasSubstr("none.csv"));
  EXPECT_THAT(run.out, HasSubstr("1 of 1 solved"));
  EXPECT_EQ(RunCli({"bench"}).exit_code, 4);
  const std::string path = folder.Path("b.csv");
  const Finished fit = RunCli({"bench", "--objective=fit", path});
  EXPECT_EQ(fit.exit_code, 4);
  EXPECT_THAT(fit.err, HasSubstr(path + ": no capacity: say --capacity=BYTES"));
}

}  // namespace
}  // namespace telamalloc

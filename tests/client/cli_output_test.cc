// What the command line writes: files replaced whole or not at all, streams that are closed or full, and
// nothing that a terminal would obey.
#include <sys/stat.h>

#include <filesystem>
#include <ostream>
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
using ::testing::StartsWith;

constexpr const char* kProblem = "id,lower,upper,size\na,0,2,8\nb,1,3,4\n";
constexpr const char* kPlacement = "id,lower,upper,size,offset\n";

Finished SolveTo(const std::string& output) {
  return RunCli({"solve", "--input=-", "--capacity=12", "--output=" + output}, kProblem);
}

std::vector<std::string> NamesIn(const TemporaryFolder& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder.Path("")))
    names.push_back(entry.path().filename());
  return names;
}

TEST(CliOutput, ReplacesAFileAndKeepsItsMode) {
  const TemporaryFolder folder;
  const std::string path = folder.Write("o.csv", "old");
  ASSERT_EQ(chmod(path.c_str(), 0640), 0);
  struct stat before = {};
  ASSERT_EQ(stat(path.c_str(), &before), 0);
  EXPECT_EQ(SolveTo(path).exit_code, 0);
  struct stat after = {};
  ASSERT_EQ(stat(path.c_str(), &after), 0);
  EXPECT_THAT(folder.Read("o.csv"), StartsWith(kPlacement));
  EXPECT_EQ(after.st_mode, before.st_mode);
  // Another file took its place: who had the old one open keeps it whole.
  EXPECT_NE(after.st_ino, before.st_ino);
  EXPECT_THAT(NamesIn(folder), ::testing::ElementsAre("o.csv"));
}

TEST(CliOutput, AFailedWriteLeavesTheOldFile) {
  const TemporaryFolder folder;
  static_cast<void>(folder.Write("p.csv", kProblem));
  static_cast<void>(folder.Write("o.csv", "old"));
  // No file may grow beyond 0 bytes; the messages go to a pipe, which has no such limit.
  const Finished run = RunShell(
      "cd '" + folder.Path("") +
      "' && { trap '' XFSZ; ulimit -f 0; \"$CLI\" solve --input=p.csv --capacity=12 --output=o.csv; } "
      "2>&1 | grep 'cannot write o.csv' | wc -l >/dev/stderr");
  EXPECT_EQ(folder.Read("o.csv"), "old");
  EXPECT_THAT(NamesIn(folder), ::testing::UnorderedElementsAre("o.csv", "p.csv"));
  EXPECT_EQ(run.err, "1\n");
}

TEST(CliOutput, WhatAKilledProcessLeftIsInNobodysWay) {
  const TemporaryFolder folder;
  static_cast<void>(folder.Write("p.csv", kProblem));
  const Finished run =
      RunShell("cd '" + folder.Path("") +
               "' && touch .o.csv.$$.0 && exec \"$CLI\" solve --input=p.csv --capacity=12 --output=o.csv");
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(folder.Read("o.csv"), StartsWith(kPlacement));
}

TEST(CliOutput, ALinkStaysALink) {
  const TemporaryFolder folder;
  static_cast<void>(folder.Write("o.csv", "old"));
  std::filesystem::create_symlink("o.csv", folder.Path("link.csv"));
  std::filesystem::create_symlink("new.csv", folder.Path("dangling.csv"));
  EXPECT_EQ(SolveTo(folder.Path("link.csv")).exit_code, 0);
  EXPECT_EQ(SolveTo(folder.Path("dangling.csv")).exit_code, 0);
  EXPECT_TRUE(std::filesystem::is_symlink(folder.Path("link.csv")));
  EXPECT_TRUE(std::filesystem::is_symlink(folder.Path("dangling.csv")));
  EXPECT_THAT(folder.Read("o.csv"), StartsWith(kPlacement));
  EXPECT_THAT(folder.Read("new.csv"), StartsWith(kPlacement));
}

TEST(CliOutput, AFolderIsRefused) {
  const TemporaryFolder folder;
  const Finished run = SolveTo(folder.Path(""));
  EXPECT_EQ(run.exit_code, 4);
  EXPECT_THAT(run.err, HasSubstr("Is a directory"));
}

TEST(CliOutput, WhatCannotBeWrittenIsSaidBeforeSolving) {
  EXPECT_EQ(SolveTo("/nowhere/o.csv").err,
            "telamalloc solve: cannot write /nowhere/o.csv: No such file or directory\n");
}

TEST(CliOutput, PipesAndDevicesAreWrittenAsTheyAre) {
  const TemporaryFolder folder;
  static_cast<void>(folder.Write("p.csv", kProblem));
  const std::string solve = "cd '" + folder.Path("") + "' && \"$CLI\" solve --input=p.csv --capacity=12 ";
  EXPECT_THAT(RunShell(solve + "--output=/dev/stdout | cat").out, StartsWith(kPlacement));
  EXPECT_THAT(RunShell(solve + "--output=/dev/fd/3 3>&1 | cat").out, StartsWith(kPlacement));
  EXPECT_THAT(RunShell(solve + "--output=/dev/null").out, IsEmpty());
  const Finished full = RunShell(solve + "--output=/dev/full");
  EXPECT_EQ(full.exit_code, 4);
  EXPECT_THAT(full.err, HasSubstr("cannot write /dev/full: No space left on device"));
}

class CliNoStandardOutput : public ::testing::TestWithParam<const char*> {};

TEST_P(CliNoStandardOutput, IsAnErrorWhenItIsClosedOrFull) {
  const TemporaryFolder folder;
  static_cast<void>(folder.Write("p.csv", kProblem));
  static_cast<void>(folder.Write("o.csv", "id,lower,upper,size,offset\na,0,2,8,4\nb,1,3,4,4\n"));
  const std::string command = "cd '" + folder.Path("") + "' && \"$CLI\" " + GetParam();
  for (const char* to : {" >&-", " >/dev/full"}) {
    const Finished run = RunShell(command + to);
    EXPECT_EQ(run.exit_code, 4) << to;
    EXPECT_THAT(run.err, HasSubstr("cannot write standard output: ")) << to;
  }
}

INSTANTIATE_TEST_SUITE_P(, CliNoStandardOutput,
                         ::testing::Values("solve --input=p.csv --capacity=12",
                                           "solve --input=p.csv --capacity=12 --json",
                                           "solve --input=p.csv --capacity=12 --picture",
                                           "verify --input=p.csv --placement=o.csv", "bench p.csv", "help",
                                           "solve --help", "version"));

TEST(CliOutput, AClosedStandardOutputDoesNotSpoilTheFile) {
  const TemporaryFolder folder;
  static_cast<void>(folder.Write("p.csv", kProblem));
  const Finished run =
      RunShell("cd '" + folder.Path("") +
               "' && \"$CLI\" solve --input=p.csv --capacity=12 --output=o.csv <&- >&- 2>&-");
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(folder.Read("o.csv").substr(0, 27), kPlacement);
}

// An id that would colour a terminal, turn the direction of writing, and begin a new line.
constexpr const char* kRude = "\"\x1b[31mred\xE2\x80\xAE\xC2\x9B\nX\"";
constexpr const char* kHarmless = "\\x1b[31mred\\xe2\\x80\\xae\\xc2\\x9b\\x0aX";

testing::AssertionResult IsHarmless(const std::string& text) {
  for (const char* rude : {"\x1b", "\xE2\x80\xAE", "\xC2\x9B", "\nX"}) {
    if (text.find(rude) != std::string::npos) return testing::AssertionFailure() << text;
  }
  return testing::AssertionSuccess();
}

std::string Rude(const std::string& rest) { return "id,lower,upper,size,offset\n" + (kRude + rest); }

TEST(CliOutput, IdsAreEscapedForPeople) {
  const std::string problem = Rude(",0,2,8,\nb,0,2,4,\n");
  const Finished infeasible = RunCli({"solve", "--input=-", "--capacity=8", "--spill_advice=1"}, problem);
  EXPECT_EQ(infeasible.exit_code, 2);
  EXPECT_TRUE(IsHarmless(infeasible.err));
  EXPECT_THAT(infeasible.err, HasSubstr(std::string("live together in [0, 2): ") + kHarmless + " (8 bytes)"));
  EXPECT_TRUE(IsHarmless(RunCli({"solve", "--input=-", "--capacity=12", "--picture"}, problem).out));
  EXPECT_TRUE(IsHarmless(RunCli({"solve", "--input=-", "--capacity=12"}, Rude(",0,0,8,\n")).err));
  EXPECT_TRUE(IsHarmless(RunCli({"solve", "--input=-", "--capacity=12"}, Rude(",x,0,8,\n")).err));

  const TemporaryFolder folder;
  const std::string path = folder.Write("p.csv", problem);
  const Finished overlap =
      RunCli({"verify", "--input=" + path, "--placement=-"}, Rude(",0,2,8,0\nb,0,2,4,0\n"));
  EXPECT_EQ(overlap.exit_code, 1);
  EXPECT_TRUE(IsHarmless(overlap.out));
  const Finished missing =
      RunCli({"verify", "--input=" + path, "--placement=-"}, "id,lower,upper,size,offset\n");
  EXPECT_EQ(missing.exit_code, 1);
  EXPECT_TRUE(IsHarmless(missing.out));
}

TEST(CliOutput, ArgumentsAndFileNamesAreEscaped) {
  const std::string rude = "\x1b[31m";
  EXPECT_TRUE(IsHarmless(RunCli({rude}).err));
  EXPECT_TRUE(IsHarmless(RunCli({"solve", "--" + rude}).err));
  EXPECT_TRUE(IsHarmless(RunCli({"solve", "--input=" + rude, "--capacity=1"}).err));
  EXPECT_TRUE(IsHarmless(RunCli({"capabilities", "--server=" + rude}).err));
  const TemporaryFolder folder;
  const std::string path = folder.Write(rude + "\xFF.csv", kProblem);
  const Finished table = RunCli({"bench", path});
  EXPECT_TRUE(IsHarmless(table.out));
  EXPECT_THAT(table.out, HasSubstr("\n\\x1b[31m\\xff.csv "));
  EXPECT_THAT(RunCli({"bench", "--json", path}).out, StartsWith("{\"name\": \"\\u001b[31m\\ufffd.csv\", "));
}

TEST(CliOutput, LettersOfAnyLanguageStay) {
  const Finished run =
      RunCli({"solve", "--input=-", "--capacity=1"}, "id,lower,upper,size\nGröße→層,0,2,8\n");
  EXPECT_THAT(run.err, HasSubstr("live together in [0, 2): Größe→層 (8 bytes)"));
}

TEST(CliOutput, CountsAgreeWithTheirNouns) {
  const Finished fits =
      RunCli({"solve", "--input=-", "--capacity=1", "--picture"}, "lower,upper,size\n0,2,1\n");
  EXPECT_THAT(fits.err, AllOf(HasSubstr("peak 1 of 1 byte, "), HasSubstr(", 1 buffer, ")));
  EXPECT_THAT(fits.out, HasSubstr("1 buffer, peak 1 of 1 byte\n"));
  const Finished none = RunCli({"solve", "--input=-", "--capacity=1"}, "lower,upper,size\n0,2,1\n0,2,1\n");
  EXPECT_THAT(none.err, AllOf(HasSubstr("#0 (1 byte), #1 (1 byte)"),
                              HasSubstr("the placement is 1 byte over the capacity")));
}

}  // namespace
}  // namespace telamalloc

// The checks are run on the project's tree, and each is shown to notice a planted violation.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "layering/rules.h"
#include "layering/source_tree.h"

namespace telamalloc::layering {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::vector<SourceFile>& Tree() {
  static const std::vector<SourceFile> files = ReadSourceTree(TELAMALLOC_SOURCE_DIR);
  return files;
}

// The violations of one file with one line, in a tree that also has a header in each layer.
std::vector<std::string> ViolationsOf(const std::string& path, const std::string& line) {
  std::vector<SourceFile> files;
  for (const char* header :
       {"core/include/telamalloc/problem.h", "core/problem/violations.h", "core/timeline/timeline.h",
        "core/search/strategy.h", "core/solver/fit.h", "client/include/telamalloc/client.h",
        "client/channel.h", "proto/convert/convert.h", "server/admission.h"}) {
    files.push_back({.path = header, .lines = {}});
  }
  files.push_back({.path = path, .lines = {line}});
  return CheckIncludes(files);
}

TEST(Layering, ReadsTheWholeTree) {
  std::vector<std::string> paths;
  for (const SourceFile& file : Tree()) paths.push_back(file.path);
  EXPECT_THAT(paths, ::testing::IsSupersetOf({"core/include/telamalloc/problem.h", "core/solver/solve.cc",
                                              "proto/telamalloc/v1/allocation_service.proto", "tests/run",
                                              "tests/layering/layering_test.cc"}));
}

TEST(Layering, IncludesOfTheTreePointOneWay) { EXPECT_THAT(CheckIncludes(Tree()), IsEmpty()); }
TEST(Layering, CoreDoesNotAskTheEnvironment) { EXPECT_THAT(CheckEnvironment(Tree()), IsEmpty()); }
TEST(Layering, NoFileIsTooLong) { EXPECT_THAT(CheckLengths(Tree()), IsEmpty()); }
TEST(Layering, NothingIsLeftForLater) { EXPECT_THAT(CheckLeftovers(Tree()), IsEmpty()); }

TEST(LayeringRules, NoticeAnIncludeAgainstTheArrows) {
  const struct {
    const char* path;
    const char* line;
  } planted[] = {
      {"core/include/telamalloc/solver.h", "#include \"timeline/timeline.h\""},
      {"core/timeline/timeline.cc", "#include \"search/strategy.h\""},
      {"core/search/greedy.cc", "#include \"solver/fit.h\""},
      {"core/verify/verify.cc", "#include \"timeline/timeline.h\""},
      {"core/csv/read.cc", "#include \"timeline/timeline.h\""},
      {"core/new_folder/new.cc", "#include \"timeline/timeline.h\""},
      {"core/solver/solve.cc", "#include \"telamalloc/client.h\""},
      {"core/solver/solve.cc", "#include \"telamalloc/v1/allocation_service.pb.h\""},
      {"core/solver/solve.cc", "#include <grpcpp/grpcpp.h>"},
      {"core/solver/solve.cc", "#  include <spdlog/spdlog.h>"},
      {"core/solver/solve.cc", "#include \"absl/flags/flag.h\""},
      {"core/solver/solve.cc", "#include <unistd.h>"},
      {"proto/convert/convert.cc", "#include \"timeline/timeline.h\""},
      {"server/admission.cc", "#include \"telamalloc/client.h\""},
      {"server/admission.cc", "#include \"timeline/timeline.h\""},
      {"server/admission.cc", "#include \"client/channel.h\""},
      {"client/channel.cc", "#include \"server/admission.h\""},
      {"client/include/telamalloc/client.h", "#include <grpcpp/grpcpp.h>"},
  };
  for (const auto& [path, line] : planted) {
    EXPECT_THAT(ViolationsOf(path, line), ElementsAre(HasSubstr(path))) << line;
  }
}

TEST(LayeringRules, LetIncludesAlongTheArrowsPass) {
  const struct {
    const char* path;
    const char* line;
  } planted[] = {
      {"core/solver/solve.cc", "#include \"search/strategy.h\""},
      {"core/solver/solve.cc", "#include \"fit.h\""},
      {"core/solver/solve.cc", "#include <vector>"},
      {"core/solver/solve.cc", "#include \"absl/strings/str_cat.h\""},
      {"core/solver/solve.cc", "// #include <grpcpp/grpcpp.h>"},
      {"server/main.cc", "#include <grpcpp/grpcpp.h>"},
      {"server/main.cc", "#include \"server/admission.h\""},
      {"server/main.cc", "#include \"telamalloc/v1/allocation_service.grpc.pb.h\""},
      {"client/cli/main.cc", "#include \"telamalloc/client.h\""},
      {"tests/core/search/greedy_test.cc", "#include \"search/strategy.h\""},
  };
  for (const auto& [path, line] : planted) EXPECT_THAT(ViolationsOf(path, line), IsEmpty()) << line;
}

TEST(LayeringRules, NoticeALookAtTheEnvironment) {
  const std::vector<SourceFile> files = {
      {.path = "core/solver/solve.cc", .lines = {"", "const char* home = std::getenv(\"HOME\");"}},
      {.path = "server/settings.cc", .lines = {"std::getenv(name);"}}};
  EXPECT_THAT(CheckEnvironment(files), ElementsAre(HasSubstr("core/solver/solve.cc:2")));
}

TEST(LayeringRules, NoticeALongFile) {
  const std::vector<SourceFile> files = {
      {.path = "a.cc", .lines = std::vector<std::string>(kMaxLinesPerFile)},
      {.path = "b.cc", .lines = std::vector<std::string>(kMaxLinesPerFile + 1)}};
  EXPECT_THAT(CheckLengths(files), ElementsAre(HasSubstr("b.cc:401")));
}

TEST(LayeringRules, NoticeWhatIsLeftForLater) {
  const std::vector<SourceFile> files = {{.path = "a.cc", .lines = {absl::StrCat("// TO", "DO: later")}},
                                         {.path = "b.h", .lines = {"", absl::StrCat("// FIX", "ME")}}};
  EXPECT_THAT(CheckLeftovers(files), ElementsAre(HasSubstr("a.cc:1"), HasSubstr("b.h:2")));
}

}  // namespace
}  // namespace telamalloc::layering

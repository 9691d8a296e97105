// An include line is resolved to a file of the tree by trying the include roots that the build uses; what
// none of them has is external. The layer of a file is the longest prefix of its path in the table below.
#include "layering/rules.h"

#include <algorithm>
#include <array>
#include <optional>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"

namespace telamalloc::layering {
namespace {

constexpr absl::string_view kPublic = "core/include/";
constexpr absl::string_view kProblem = "core/problem/";
constexpr absl::string_view kMemory = "core/memory/";
constexpr absl::string_view kTimeline = "core/timeline/";
constexpr absl::string_view kSearch = "core/search/";
constexpr absl::string_view kSolver = "core/solver/";
constexpr absl::string_view kVerify = "core/verify/";
constexpr absl::string_view kCsv = "core/csv/";
constexpr absl::string_view kConvert = "proto/convert/";
constexpr absl::string_view kClientPublic = "client/include/";
constexpr absl::string_view kClient = "client/";
constexpr absl::string_view kCli = "client/cli/";
constexpr absl::string_view kServer = "server/";
// Not in the tree: what protoc writes. Also the prefix under which it is included.
constexpr absl::string_view kGenerated = "telamalloc/v1/";

enum class Externals { kAny, kStandardAndAbseil, kSystem };  // kSystem: also what the kernel offers

struct Layer {
  absl::string_view folder;
  // Its own files are always allowed.
  std::array<absl::string_view, 5> may_include;
  Externals externals = Externals::kAny;
};

// A folder that is not listed (tests, bench) may include everything.
constexpr std::array kLayers = {
    Layer{kPublic, {}, Externals::kStandardAndAbseil},
    Layer{kProblem, {kPublic}, Externals::kStandardAndAbseil},
    Layer{kMemory, {}, Externals::kSystem},
    Layer{kTimeline, {kPublic, kProblem, kMemory}, Externals::kStandardAndAbseil},
    Layer{kSearch, {kPublic, kTimeline}, Externals::kStandardAndAbseil},
    Layer{kSolver, {kPublic, kProblem, kTimeline, kSearch}, Externals::kStandardAndAbseil},
    Layer{kVerify, {kPublic, kMemory}, Externals::kStandardAndAbseil},
    Layer{kCsv, {kPublic, kProblem}, Externals::kStandardAndAbseil},
    // A new folder of core gets a row of its own; until then it sees the public headers.
    Layer{"core/", {kPublic}, Externals::kStandardAndAbseil},
    Layer{kConvert, {kPublic, kGenerated}},
    Layer{kClientPublic, {kPublic}, Externals::kStandardAndAbseil},
    Layer{kClient, {kPublic, kClientPublic, kConvert, kGenerated}},
    Layer{kCli, {kPublic, kClientPublic, kConvert, kGenerated}},
    Layer{kServer, {kPublic, kConvert, kGenerated}},
};

// In the order in which the compiler would look.
constexpr std::array<absl::string_view, 5> kIncludeRoots = {"core/include/", "client/include/", "core/",
                                                            "proto/", ""};

const Layer* LayerOf(absl::string_view path) {
  const Layer* best = nullptr;
  for (const Layer& layer : kLayers) {
    if (!absl::StartsWith(path, layer.folder)) continue;
    if (best == nullptr || layer.folder.size() > best->folder.size()) best = &layer;
  }
  return best;
}

// What an include line names, without quotes or brackets.
std::optional<absl::string_view> IncludedName(absl::string_view line) {
  line = absl::StripLeadingAsciiWhitespace(line);
  if (!absl::ConsumePrefix(&line, "#")) return std::nullopt;
  line = absl::StripLeadingAsciiWhitespace(line);
  if (!absl::ConsumePrefix(&line, "include")) return std::nullopt;
  line = absl::StripLeadingAsciiWhitespace(line);
  if (line.empty() || (line[0] != '"' && line[0] != '<')) return std::nullopt;
  const std::size_t end = line.find(line[0] == '<' ? '>' : '"', 1);
  if (end == absl::string_view::npos) return std::nullopt;
  return line.substr(1, end - 1);
}

bool IsStandardOrAbseil(absl::string_view name) {
  if (absl::StartsWith(name, "absl/")) {
    return !absl::StartsWith(name, "absl/flags/") && !absl::StartsWith(name, "absl/log/");
  }
  return name.find_first_of("/.") == absl::string_view::npos;
}

class Includes {
 public:
  explicit Includes(std::span<const SourceFile> files) {
    for (const SourceFile& file : files) paths_.insert(file.path);
  }

  // Empty if `name` is not a file of the tree.
  [[nodiscard]] std::optional<std::string> Resolve(absl::string_view includer, absl::string_view name) const {
    const absl::string_view folder = includer.substr(0, includer.rfind('/') + 1);
    if (std::string beside = absl::StrCat(folder, name); paths_.contains(beside)) return beside;
    for (const absl::string_view root : kIncludeRoots) {
      if (std::string path = absl::StrCat(root, name); paths_.contains(path)) return path;
    }
    return std::nullopt;
  }

 private:
  absl::flat_hash_set<std::string> paths_;
};

bool MayInclude(const Layer& layer, absl::string_view path) {
  const Layer* included = LayerOf(path);
  const absl::string_view folder = included == nullptr ? path : included->folder;
  return folder == layer.folder || std::ranges::find(layer.may_include, folder) != layer.may_include.end();
}

bool Allowed(const Includes& includes, const Layer& layer, absl::string_view includer,
             absl::string_view name) {
  if (absl::StartsWith(name, kGenerated)) {
    return std::ranges::find(layer.may_include, kGenerated) != layer.may_include.end();
  }
  if (const std::optional<std::string> path = includes.Resolve(includer, name))
    return MayInclude(layer, *path);
  if (layer.externals == Externals::kSystem && absl::StartsWith(name, "sys/")) return true;
  return layer.externals == Externals::kAny || IsStandardOrAbseil(name);
}

bool IsCode(absl::string_view path) { return absl::EndsWith(path, ".cc") || absl::EndsWith(path, ".h"); }

// "path:line: message" for every line of `file` that holds one of `words`.
void FindWords(const SourceFile& file, std::span<const std::string> words,
               std::vector<std::string>& violations) {
  for (std::size_t line = 0; line < file.lines.size(); ++line) {
    for (const std::string& word : words) {
      if (absl::StrContains(file.lines[line], word)) {
        violations.push_back(absl::StrCat(file.path, ":", line + 1, ": has ", word));
      }
    }
  }
}

}  // namespace

std::vector<std::string> CheckIncludes(std::span<const SourceFile> files) {
  const Includes includes(files);
  std::vector<std::string> violations;
  for (const SourceFile& file : files) {
    const Layer* layer = LayerOf(file.path);
    if (layer == nullptr || !IsCode(file.path)) continue;
    for (std::size_t line = 0; line < file.lines.size(); ++line) {
      const std::optional<absl::string_view> name = IncludedName(file.lines[line]);
      if (!name || Allowed(includes, *layer, file.path, *name)) continue;
      violations.push_back(
          absl::StrCat(file.path, ":", line + 1, ": ", layer->folder, " may not include ", *name));
    }
  }
  return violations;
}

std::vector<std::string> CheckEnvironment(std::span<const SourceFile> files) {
  const std::array<std::string, 2> words = {"getenv", "environ["};
  std::vector<std::string> violations;
  for (const SourceFile& file : files) {
    if (absl::StartsWith(file.path, "core/")) FindWords(file, words, violations);
  }
  return violations;
}

std::vector<std::string> CheckLengths(std::span<const SourceFile> files) {
  std::vector<std::string> violations;
  for (const SourceFile& file : files) {
    if (file.lines.size() <= kMaxLinesPerFile) continue;
    violations.push_back(absl::StrCat(file.path, ":", file.lines.size(), ": more than ", kMaxLinesPerFile,
                                      " lines; which second thing lives there?"));
  }
  return violations;
}

std::vector<std::string> CheckLeftovers(std::span<const SourceFile> files) {
  // Put together here, so that this file may pass its own check.
  const std::array words = {absl::StrCat("TO", "DO"), absl::StrCat("FIX", "ME")};
  std::vector<std::string> violations;
  for (const SourceFile& file : files) FindWords(file, words, violations);
  return violations;
}

}  // namespace telamalloc::layering

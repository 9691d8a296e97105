// Walks the listed folders only: a checkout may hold any number of build trees and editor folders beside
// them.
#include "layering/source_tree.h"

#include <algorithm>
#include <array>
#include <fstream>

#include "absl/strings/match.h"
#include "absl/strings/string_view.h"

namespace telamalloc::layering {
namespace {

constexpr std::array<const char*, 9> kFolders = {"bench", "client", "cmake",  "core", "deploy",
                                                 "docs",  "proto",  "server", "tests"};
constexpr std::array<absl::string_view, 7> kEndings = {".cc", ".h",  ".proto",        ".cmake",
                                                       ".py", ".sh", "CMakeLists.txt"};

// Scripts without an ending, such as tests/run, say what they are in their first line.
bool StartsAsScript(const std::filesystem::path& file) {
  std::ifstream stream(file);
  std::string line;
  std::getline(stream, line);
  return absl::StartsWith(line, "#!");
}

bool IsWrittenByHand(const std::filesystem::path& file) {
  const std::string name = file.filename().string();
  return std::ranges::any_of(kEndings,
                             [&](absl::string_view ending) { return absl::EndsWith(name, ending); }) ||
         (!file.has_extension() && StartsAsScript(file));
}

std::vector<std::string> ReadLines(const std::filesystem::path& file) {
  std::ifstream stream(file);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

}  // namespace

std::vector<SourceFile> ReadSourceTree(const std::filesystem::path& root) {
  std::vector<SourceFile> files;
  for (const char* folder : kFolders) {
    const std::filesystem::path top = root / folder;
    if (!std::filesystem::exists(top)) continue;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(top)) {
      if (!entry.is_regular_file() || !IsWrittenByHand(entry.path())) continue;
      files.push_back({.path = std::filesystem::relative(entry.path(), root).generic_string(),
                       .lines = ReadLines(entry.path())});
    }
  }
  std::ranges::sort(files, {}, &SourceFile::path);
  return files;
}

}  // namespace telamalloc::layering

#include "client/cli/instances.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <system_error>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "client/cli/formats.h"

namespace telamalloc::cli {
namespace {

absl::StatusOr<std::vector<std::string>> ProblemsIn(const std::string& folder) {
  std::vector<std::string> paths;
  std::error_code error;
  for (std::filesystem::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    const std::string path = it->path().string();
    if (HasKnownExtension(path) && it->is_regular_file(error)) paths.push_back(path);
  }
  if (error) return absl::NotFoundError(absl::StrCat("cannot read ", folder, ": ", error.message()));
  std::ranges::sort(paths);
  return paths;
}

}  // namespace

absl::StatusOr<std::vector<std::string>> FindInstances(std::span<const std::string> arguments) {
  std::vector<std::string> paths;
  for (const std::string& argument : arguments) {
    std::error_code error;
    if (!std::filesystem::is_directory(argument, error)) {
      paths.push_back(argument);
      continue;
    }
    absl::StatusOr<std::vector<std::string>> inside = ProblemsIn(argument);
    if (!inside.ok()) return inside.status();
    std::ranges::move(*inside, std::back_inserter(paths));
  }
  if (paths.empty()) return absl::InvalidArgumentError("no problems: name files, or folders that hold some");
  return paths;
}

std::optional<std::int64_t> CapacityInName(const std::string& name) {
  const absl::string_view stem = absl::string_view(name).substr(0, name.rfind('.'));
  std::size_t digits = 0;
  while (digits < stem.size() &&
         absl::ascii_isdigit(static_cast<unsigned char>(stem[stem.size() - 1 - digits]))) {
    ++digits;
  }
  const absl::string_view before = stem.substr(0, stem.size() - digits);
  std::int64_t capacity = 0;
  const bool marked = (before.size() > 1 && before.back() == '.') ||
                      (before.size() >= 4 && before.substr(before.size() - 4) == "_cap");
  if (!marked || !absl::SimpleAtoi(stem.substr(before.size()), &capacity)) return std::nullopt;
  return capacity;
}

}  // namespace telamalloc::cli

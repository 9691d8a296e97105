// stdio rather than streams: it says why a file cannot be read, and reads a pipe like a file.
#include "client/cli/files.h"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"

namespace telamalloc::cli {
namespace {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

std::string Reason(const std::string& path) { return absl::StrCat(path, ": ", std::strerror(errno)); }

absl::StatusOr<std::string> ReadAll(std::FILE* file, const std::string& path) {
  std::string text;
  std::array<char, 1 << 16> chunk;
  std::size_t count = 0;
  while ((count = std::fread(chunk.data(), 1, chunk.size(), file)) > 0) text.append(chunk.data(), count);
  if (std::ferror(file) != 0) return absl::NotFoundError(absl::StrCat("cannot read ", Reason(path)));
  return text;
}

bool WriteAll(std::FILE* file, absl::string_view text) {
  return std::fwrite(text.data(), 1, text.size(), file) == text.size() && std::fflush(file) == 0;
}

}  // namespace

absl::StatusOr<std::string> ReadFile(const std::string& path) {
  if (path == "-") return ReadAll(stdin, "standard input");
  const File file(std::fopen(path.c_str(), "rb"));
  if (file == nullptr) return absl::NotFoundError(absl::StrCat("cannot open ", Reason(path)));
  return ReadAll(file.get(), path);
}

absl::Status WriteFile(const std::string& path, absl::string_view text) {
  if (path == "-") {
    if (WriteAll(stdout, text)) return absl::OkStatus();
    return absl::PermissionDeniedError(absl::StrCat("cannot write ", Reason("standard output")));
  }
  File file(std::fopen(path.c_str(), "wb"));
  if (file == nullptr) return absl::PermissionDeniedError(absl::StrCat("cannot create ", Reason(path)));
  const bool written = WriteAll(file.get(), text);
  // Closed by hand: a full disk may show only here.
  if (std::fclose(file.release()) != 0 || !written) {
    return absl::PermissionDeniedError(absl::StrCat("cannot write ", Reason(path)));
  }
  return absl::OkStatus();
}

std::string BaseName(const std::string& path) {
  if (path == "-") return "stdin";
  return path.substr(path.find_last_of('/') + 1);
}

}  // namespace telamalloc::cli

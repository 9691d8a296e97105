// stdio to read, since it reads a pipe like a file; system calls to write, since only they can make a file
// beside another and put it in its place:
//
//   p.csv -> .p.csv.4711.0 -> rename            a reader sees the old file or the new one, whole
//
// What is no regular file (a pipe, /dev/stdout) has no old contents to lose and is written directly.
#include "client/cli/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace telamalloc::cli {
namespace {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

std::string Reason(const std::string& path) { return absl::StrCat(path, ": ", std::strerror(errno)); }

absl::Status CannotWrite(const std::string& path) {
  return absl::PermissionDeniedError(absl::StrCat("cannot write ", Reason(path)));
}

absl::Status TooLarge(const std::string& path) {
  return absl::OutOfRangeError(
      absl::StrCat(path, ": must have at most ", kMaxInputBytes >> 20, " MiB, has more"));
}

absl::StatusOr<std::string> ReadAll(std::FILE* file, const std::string& path) {
  struct stat about = {};
  if (fstat(fileno(file), &about) == 0 && S_ISREG(about.st_mode) && about.st_size > kMaxInputBytes) {
    return TooLarge(path);
  }
  std::string text;
  std::array<char, 1 << 16> chunk;
  std::size_t count = 0;
  while ((count = std::fread(chunk.data(), 1, chunk.size(), file)) > 0) {
    if (static_cast<std::int64_t>(text.size() + count) > kMaxInputBytes) return TooLarge(path);
    text.append(chunk.data(), count);
  }
  if (std::ferror(file) != 0) return absl::NotFoundError(absl::StrCat("cannot read ", Reason(path)));
  return text;
}

bool WriteAll(std::FILE* file, absl::string_view text) {
  return std::fwrite(text.data(), 1, text.size(), file) == text.size() && std::fflush(file) == 0;
}

absl::Status WriteAndClose(File file, const std::string& path, absl::string_view text) {
  const bool written = WriteAll(file.get(), text);
  // Closed by hand: a full disk may show only here.
  if (std::fclose(file.release()) != 0 || !written) return CannotWrite(path);
  return absl::OkStatus();
}

absl::Status WriteDirectly(const std::string& path, absl::string_view text) {
  File file(std::fopen(path.c_str(), "wb"));
  if (file == nullptr) return CannotWrite(path);
  return WriteAndClose(std::move(file), path, text);
}

// The file that `path` names once symbolic links are followed, so that a link stays one.
std::string Resolved(const std::string& path) {
  struct FreeText {
    void operator()(char* text) const { std::free(text); }  // NOLINT(cppcoreguidelines-no-malloc)
  };
  const std::unique_ptr<char, FreeText> resolved(realpath(path.c_str(), nullptr));
  return resolved == nullptr ? path : std::string(resolved.get());
}

struct NewFile {
  std::string name;
  File file;  // open for writing; null with errno set
};

// A new file beside `path`. What a process that was killed left under such a name is in nobody's way.
NewFile CreateBeside(const std::string& path) {
  constexpr int kAttempts = 100;
  const std::size_t slash = path.rfind('/');
  const std::size_t base = slash == std::string::npos ? 0 : slash + 1;
  NewFile created;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    // The name of a file has at most 255 bytes.
    created.name =
        absl::StrCat(path.substr(0, base), ".", path.substr(base, 200), ".", getpid(), ".", attempt);
    const int descriptor = open(created.name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor >= 0) created.file = File(fdopen(descriptor, "wb"));
    if (descriptor >= 0 || errno != EEXIST) break;
  }
  return created;
}

// `old`: what is at `path` now, a regular file; unset: nothing.
absl::Status Replace(const std::string& path, const std::optional<struct stat>& old, absl::string_view text) {
  const std::string target = old ? Resolved(path) : path;
  // A file that must not be written must not be replaced either.
  if (old && access(target.c_str(), W_OK) != 0) return CannotWrite(path);
  NewFile beside = CreateBeside(target);
  if (beside.file == nullptr) return CannotWrite(path);
  if (old) {
    // Another's file becomes ours where it cannot stay theirs.
    if (fchown(fileno(beside.file.get()), old->st_uid, old->st_gid) != 0) errno = 0;
    if (fchmod(fileno(beside.file.get()), old->st_mode & 07777) != 0) errno = 0;
  }
  absl::Status status = WriteAndClose(std::move(beside.file), path, text);
  if (status.ok() && std::rename(beside.name.c_str(), target.c_str()) != 0) status = CannotWrite(path);
  if (!status.ok()) unlink(beside.name.c_str());
  return status;
}

}  // namespace

absl::StatusOr<std::string> ReadFile(const std::string& path) {
  if (path == "-") return ReadAll(stdin, "standard input");
  const File file(std::fopen(path.c_str(), "rb"));
  if (file == nullptr) return absl::NotFoundError(absl::StrCat("cannot open ", Reason(path)));
  return ReadAll(file.get(), path);
}

absl::Status WriteFile(const std::string& path, absl::string_view text) {
  if (path == "-") return WriteAll(stdout, text) ? absl::OkStatus() : CannotWrite("standard output");
  struct stat about = {};
  if (stat(path.c_str(), &about) != 0) {
    // A link to nothing is made something by opening it.
    if (errno != ENOENT || lstat(path.c_str(), &about) == 0) return WriteDirectly(path, text);
    return Replace(path, std::nullopt, text);
  }
  if (!S_ISREG(about.st_mode)) return WriteDirectly(path, text);  // which a folder refuses
  return Replace(path, about, text);
}

absl::Status CheckWritable(const std::string& path) {
  if (path.empty() || path == "-") return absl::OkStatus();
  struct stat about = {};
  if (stat(path.c_str(), &about) == 0) {
    if (S_ISDIR(about.st_mode)) errno = EISDIR;
    return S_ISDIR(about.st_mode) || access(path.c_str(), W_OK) != 0 ? CannotWrite(path) : absl::OkStatus();
  }
  const std::size_t slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
  return errno != ENOENT || access(folder.c_str(), W_OK) != 0 ? CannotWrite(path) : absl::OkStatus();
}

void HoldStandardStreams() {
  for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; ++descriptor) {
    if (fcntl(descriptor, F_GETFD) != -1) continue;
    // The lowest free one, hence this one.
    if (open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY) != descriptor) return;
  }
}

absl::Status FlushStandardOutput() {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return absl::OkStatus();
  return CannotWrite("standard output");
}

std::string BaseName(const std::string& path) {
  if (path == "-") return "stdin";
  return path.substr(path.find_last_of('/') + 1);
}

}  // namespace telamalloc::cli

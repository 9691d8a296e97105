// Whole files in and out; "-" is standard input or output.
#ifndef TELAMALLOC_CLIENT_CLI_FILES_H_
#define TELAMALLOC_CLIENT_CLI_FILES_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace telamalloc::cli {

// Bytes, about 5 million buffers in CSV: a pipe without end must not take all memory.
inline constexpr std::int64_t kMaxInputBytes = std::int64_t{256} << 20;

// Errors: kNotFound with the system's reason; kOutOfRange above kMaxInputBytes. The path is in the message.
absl::StatusOr<std::string> ReadFile(const std::string& path);

// Replaces a regular file in one step and keeps its mode; when that fails the old one stays as it is. Other
// files (pipes, devices) are written as they are.
// Errors: kPermissionDenied with the system's reason.
absl::Status WriteFile(const std::string& path, absl::string_view text);

// Whether WriteFile has a chance, to know before work is done; an empty path has.
absl::Status CheckWritable(const std::string& path);

// Puts something that can be neither read nor written where a standard stream is closed, so that no file that
// is opened later takes its place. To be called before anything opens files.
void HoldStandardStreams();

// Errors: kPermissionDenied if anything printed to standard output so far was not written.
absl::Status FlushStandardOutput();

// The part after the last slash; "stdin" for "-".
std::string BaseName(const std::string& path);

}  // namespace telamalloc::cli

#endif  // TELAMALLOC_CLIENT_CLI_FILES_H_

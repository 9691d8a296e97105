// Whole files in and out; "-" is standard input or output.
#ifndef TELAMALLOC_CLIENT_CLI_FILES_H_
#define TELAMALLOC_CLIENT_CLI_FILES_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace telamalloc::cli {

// Errors: kNotFound with the system's reason. The path is in the message.
absl::StatusOr<std::string> ReadFile(const std::string& path);

// Errors: kPermissionDenied with the system's reason.
absl::Status WriteFile(const std::string& path, absl::string_view text);

// The part after the last slash; "stdin" for "-".
std::string BaseName(const std::string& path);

}  // namespace telamalloc::cli

#endif  // TELAMALLOC_CLIENT_CLI_FILES_H_

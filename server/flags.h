// Settings from the command line, the environment and a file.
//
// The later wins: default, --config file (JSON, keys are the flags' names), environment TELAMALLOC_<FLAG> in
// upper case, command line.
#ifndef TELAMALLOC_SERVER_FLAGS_H_
#define TELAMALLOC_SERVER_FLAGS_H_

#include <functional>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "server/settings.h"

namespace telamalloc::server {

enum class Action { kServe, kPrintConfig, kValidateConfig };

struct Invocation {
  Action action = Action::kServe;
  Settings settings;
};

// Looks up an environment variable.
using Environment = std::function<std::optional<std::string>(const std::string& name)>;

// Sets the flags and reads them. Ends the process for --help, --version and flags that do not exist.
//
// Errors: kInvalidArgument for arguments that are not flags, values that do not parse or are out of range,
//   unknown keys; kNotFound if the file cannot be read.
absl::StatusOr<Invocation> ReadInvocation(int argc, char** argv, const Environment& environment);

// Sets the flags named in `json`. Errors: kInvalidArgument for anything but an object of known flags.
absl::Status ApplyConfig(const std::string& json);

// Sets the flags named in the environment. Errors: kInvalidArgument, naming the variable.
absl::Status ApplyEnvironment(const Environment& environment);

// The settings of the flags as they are. Errors: as Validate.
absl::StatusOr<Settings> SettingsFromFlags();

// Every setting as JSON that ApplyConfig takes.
std::string ConfigFromFlags();

}  // namespace telamalloc::server

#endif  // TELAMALLOC_SERVER_FLAGS_H_

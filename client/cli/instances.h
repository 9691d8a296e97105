// Which files a benchmark runs, and what their names tell.
#ifndef TELAMALLOC_CLIENT_CLI_INSTANCES_H_
#define TELAMALLOC_CLIENT_CLI_INSTANCES_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace telamalloc::cli {

// The files among `arguments` as they are, and for each folder the problems right in it, by name.
// Errors: kInvalidArgument when there are none; kNotFound for a folder that cannot be read.
absl::StatusOr<std::vector<std::string>> FindInstances(std::span<const std::string> arguments);

// "A.1048576.csv" and "small_cap13.csv" tell 1048576 and 13.
std::optional<std::int64_t> CapacityInName(const std::string& name);

}  // namespace telamalloc::cli

#endif  // TELAMALLOC_CLIENT_CLI_INSTANCES_H_

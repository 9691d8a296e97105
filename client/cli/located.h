// Where in a file a refused problem is wrong.
#ifndef TELAMALLOC_CLIENT_CLI_LOCATED_H_
#define TELAMALLOC_CLIENT_CLI_LOCATED_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace telamalloc::cli {

// Where a problem was read.
struct Source {
  std::string name;  // the path, or "standard input"
  // CSV: the line at which each buffer stands, header = 1. Else empty.
  std::vector<std::size_t> rows = {};
  // CSV: the lifetime is in columns start,end rather than lower,upper.
  bool has_start_end = false;
};

// `status`, which refuses the problem read from `source` or an option, as a person would look for it: a line
// for each violation, "p.csv: row 3, column upper: must be ..." for CSV, "p.json: buffers[1].end: must be
// ..." else, "--solver: ..." for an option; whether it was found here or by a server. A status without
// violations is none of the file's and stays as it is.
absl::Status Located(const absl::Status& status, const Source& source);

}  // namespace telamalloc::cli

#endif  // TELAMALLOC_CLIENT_CLI_LOCATED_H_

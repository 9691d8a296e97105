// A problem from a file: CSV, or telamalloc.v1.Problem as JSON, textproto or binary.
//
//   .csv  .json  .textproto .txtpb .pbtxt  .binpb .pb     tell the format; anything else is read as CSV
#ifndef TELAMALLOC_CLIENT_CLI_FORMATS_H_
#define TELAMALLOC_CLIENT_CLI_FORMATS_H_

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "client/cli/flags.h"
#include "telamalloc/csv.h"
#include "telamalloc/problem.h"

namespace telamalloc::cli {

enum class Format { kByExtension, kCsv, kJson, kTextproto, kBinary };

inline constexpr std::array kFormatNames = {
    NamedChoice<Format>{"csv", Format::kCsv}, NamedChoice<Format>{"json", Format::kJson},
    NamedChoice<Format>{"textproto", Format::kTextproto}, NamedChoice<Format>{"binpb", Format::kBinary}};
inline constexpr std::array kEndsNames = {NamedChoice<CsvEnds>{"inclusive", CsvEnds::kInclusive},
                                          NamedChoice<CsvEnds>{"exclusive", CsvEnds::kExclusive}};

struct InputOptions {
  Format format = Format::kByExtension;
  CsvEnds ends = CsvEnds::kUnset;
};

// A problem and where it was read.
struct Input {
  Problem problem;     // named after the file unless the file names it
  std::string source;  // the path, or "standard input"
  // CSV: the line at which each buffer stands, header = 1. Else empty.
  std::vector<std::size_t> rows;
};

// Reads the problem in `path` ("-": standard input). Its rules are not checked yet.
//
// Errors: kNotFound for a file that cannot be read; kInvalidArgument for what is in it, with the file and the
//   row and column, line or field path in the message. A field unknown to us is an error in every format.
absl::StatusOr<Input> ReadInput(const std::string& path, const InputOptions& options);

// Whether the extension of `path` tells a format.
bool HasKnownExtension(absl::string_view path);

// `status`, which refuses input.problem, with the file in its message and, for CSV, the row of each buffer
// in place of its position: "p.csv: row 3, end: must be ..."; a line for each violation. A status without
// violations is none of the file's and stays as it is.
absl::Status Located(const absl::Status& status, const Input& input);

}  // namespace telamalloc::cli

#endif  // TELAMALLOC_CLIENT_CLI_FORMATS_H_

// A problem from a file: CSV, or telamalloc.v1.Problem as JSON, textproto or binary.
//
//   .csv  .json  .textproto .txtpb .pbtxt  .binpb .pb     tell the format; anything else is read as CSV
#ifndef TELAMALLOC_CLIENT_CLI_FORMATS_H_
#define TELAMALLOC_CLIENT_CLI_FORMATS_H_

#include <array>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "client/cli/flags.h"
#include "client/cli/located.h"
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
  Problem problem;  // named after the file unless the file names it
  Source source;
};

// Reads the problem in `path` ("-": standard input). Its rules are not checked yet, but that its texts are
// UTF-8, so that every problem read can go to a server.
//
// Errors: those of ReadFile; kInvalidArgument for what is in the file, with its name and the row and column,
//   line or field path in the message. A field unknown to us is an error in every format.
absl::StatusOr<Input> ReadInput(const std::string& path, const InputOptions& options);

// How `path` is read.
Format FormatOf(const std::string& path, const InputOptions& options);

// Whether the extension of `path` tells a format.
bool HasKnownExtension(absl::string_view path);

}  // namespace telamalloc::cli

#endif  // TELAMALLOC_CLIENT_CLI_FORMATS_H_

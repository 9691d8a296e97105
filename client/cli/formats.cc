// Which format, then one reader for each; what a reader refuses gets the file's name in front.
#include "client/cli/formats.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "client/cli/files.h"
#include "client/cli/proto_formats.h"
#include "telamalloc/csv.h"
#include "telamalloc/problem.h"

namespace telamalloc::cli {
namespace {

constexpr std::array kExtensions = {NamedChoice<Format>{".csv", Format::kCsv},
                                    NamedChoice<Format>{".json", Format::kJson},
                                    NamedChoice<Format>{".textproto", Format::kTextproto},
                                    NamedChoice<Format>{".txtpb", Format::kTextproto},
                                    NamedChoice<Format>{".pbtxt", Format::kTextproto},
                                    NamedChoice<Format>{".binpb", Format::kBinary},
                                    NamedChoice<Format>{".pb", Format::kBinary}};

Format FormatOf(absl::string_view path) {
  for (const NamedChoice<Format>& extension : kExtensions) {
    if (absl::EndsWithIgnoreCase(path, extension.name)) return extension.value;
  }
  return Format::kByExtension;
}

// The line at which each record of a CSV text starts, the header's first; blank lines hold none. A quoted
// cell may span lines.
std::vector<std::size_t> RecordLines(absl::string_view text) {
  std::vector<std::size_t> lines;
  bool quoted = false;
  for (std::size_t line = 1; !text.empty(); ++line) {
    const absl::string_view content = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(content.size() + 1, text.size()));
    if (!quoted && !absl::StripAsciiWhitespace(content).empty()) lines.push_back(line);
    if (std::ranges::count(content, '"') % 2 != 0) quoted = !quoted;
  }
  return lines;
}

absl::StatusOr<Input> ReadCsv(const std::string& text, const InputOptions& options) {
  absl::StatusOr<Problem> problem = ReadProblemCsv(text, {.ends = options.ends});
  if (!problem.ok()) return problem.status();
  Input input = {.problem = *std::move(problem), .source = {}, .rows = RecordLines(text)};
  if (input.rows.size() == input.problem.buffers.size() + 1) {
    input.rows.erase(input.rows.begin());
  } else {
    input.rows.clear();  // better no row than a wrong one
  }
  return input;
}

absl::StatusOr<Input> ReadText(const std::string& text, Format format, const InputOptions& options) {
  if (format == Format::kCsv) return ReadCsv(text, options);
  absl::StatusOr<Problem> problem = format == Format::kJson        ? ProblemFromJson(text)
                                    : format == Format::kTextproto ? ProblemFromTextproto(text)
                                                                   : ProblemFromBinary(text);
  if (!problem.ok()) return problem.status();
  return Input{.problem = *std::move(problem), .source = {}, .rows = {}};
}

// "buffers[1].end" as "row 3, end".
std::string RowPath(const std::string& field, const std::vector<std::size_t>& rows) {
  absl::string_view rest = field;
  const std::size_t close = rest.find(']');
  std::size_t buffer = 0;
  if (!absl::ConsumePrefix(&rest, "buffers[") || close == absl::string_view::npos ||
      !absl::SimpleAtoi(rest.substr(0, rest.find(']')), &buffer) || buffer >= rows.size()) {
    return field;
  }
  rest = absl::string_view(field).substr(close + 1);
  absl::ConsumePrefix(&rest, ".");
  return absl::StrCat("row ", rows[buffer], rest.empty() ? "" : ", ", rest);
}

absl::Status WithSource(const absl::Status& status, const std::string& source) {
  return {status.code(), absl::StrCat(source, ": ", status.message())};
}

}  // namespace

bool HasKnownExtension(absl::string_view path) { return FormatOf(path) != Format::kByExtension; }

absl::StatusOr<Input> ReadInput(const std::string& path, const InputOptions& options) {
  if (path.empty()) return absl::InvalidArgumentError("no problem given: say --input=FILE, or - for stdin");
  const absl::StatusOr<std::string> text = ReadFile(path);
  if (!text.ok()) return text.status();
  Format format = options.format;
  if (format == Format::kByExtension) format = FormatOf(path);
  if (format == Format::kByExtension) format = Format::kCsv;

  const std::string source = path == "-" ? "standard input" : path;
  absl::StatusOr<Input> input = ReadText(*text, format, options);
  if (!input.ok()) return WithSource(input.status(), source);
  input->source = source;
  if (input->problem.name.empty()) input->problem.name = BaseName(path);
  return input;
}

absl::Status Located(const absl::Status& status, const Input& input) {
  const std::vector<FieldViolation> violations = FieldViolationsOf(status);
  if (violations.empty()) return status;  // not the file's fault
  if (input.rows.empty()) return WithSource(status, input.source);
  std::string message;
  for (const FieldViolation& violation : violations) {
    absl::StrAppend(&message, message.empty() ? "" : "\n", input.source, ": ",
                    RowPath(violation.field, input.rows), ": ", violation.description);
  }
  return {status.code(), message};
}

}  // namespace telamalloc::cli

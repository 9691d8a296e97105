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
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "client/cli/files.h"
#include "client/cli/located.h"
#include "client/cli/printable.h"
#include "client/cli/proto_formats.h"
#include "convert/convert.h"
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

Format ByExtension(absl::string_view path) {
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

// Of a CSV text whose header was read without an error; no other column has "start" in its name.
bool HasStartEnd(absl::string_view text) {
  text = absl::StripLeadingAsciiWhitespace(text);
  return absl::StrContains(text.substr(0, text.find('\n')), "start");
}

absl::StatusOr<Input> ReadCsv(const std::string& text, const InputOptions& options) {
  absl::StatusOr<Problem> problem = ReadProblemCsv(text, {.ends = options.ends});
  if (!problem.ok()) return problem.status();
  Source source = {.name = {}, .rows = RecordLines(text)};
  if (source.rows.size() == problem->buffers.size() + 1) {
    source.rows.erase(source.rows.begin());
  } else {
    source.rows.clear();  // better no row than a wrong one
  }
  source.has_start_end = HasStartEnd(text);
  return Input{.problem = *std::move(problem), .source = std::move(source)};
}

absl::StatusOr<Input> ReadText(const std::string& text, Format format, const InputOptions& options) {
  if (format == Format::kCsv) return ReadCsv(text, options);
  absl::StatusOr<Problem> problem = format == Format::kJson        ? ProblemFromJson(text)
                                    : format == Format::kTextproto ? ProblemFromTextproto(text)
                                                                   : ProblemFromBinary(text);
  if (!problem.ok()) return problem.status();
  return Input{.problem = *std::move(problem), .source = {}};
}

absl::Status WithSource(const absl::Status& status, const std::string& name) {
  if (!FieldViolationsOf(status).empty()) return Located(status, {.name = name});
  return {status.code(), absl::StrCat(name, ": ", status.message())};
}

}  // namespace

bool HasKnownExtension(absl::string_view path) { return ByExtension(path) != Format::kByExtension; }

Format FormatOf(const std::string& path, const InputOptions& options) {
  if (options.format != Format::kByExtension) return options.format;
  const Format format = ByExtension(path);
  return format == Format::kByExtension ? Format::kCsv : format;
}

absl::StatusOr<Input> ReadInput(const std::string& path, const InputOptions& options) {
  if (path.empty()) return absl::InvalidArgumentError("no problem given: say --input=FILE, or - for stdin");
  const absl::StatusOr<std::string> text = ReadFile(path);
  if (!text.ok()) return text.status();
  const std::string name = path == "-" ? "standard input" : path;
  absl::StatusOr<Input> input = ReadText(*text, FormatOf(path, options), options);
  if (!input.ok()) return WithSource(input.status(), name);
  input->source.name = name;
  if (absl::Status status = CheckTexts(input->problem); !status.ok()) return Located(status, input->source);
  if (input->problem.name.empty()) input->problem.name = Printable(BaseName(path));
  return input;
}

}  // namespace telamalloc::cli

// A violation's path is that of the model, with "problem." or "options." in front when a server found it:
//
//   problem.buffers[1].fixed_offset  ->  row 3, column offset
//
// Buffers that a description mentions get their rows too, but not what stands in quotes: that is an id.
#include "client/cli/located.h"

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "telamalloc/problem.h"

namespace telamalloc::cli {
namespace {

struct FieldColumn {
  absl::string_view field;
  absl::string_view column;
};

// Where field and column differ in name.
constexpr std::array kColumns = {FieldColumn{"start", "lower"}, FieldColumn{"end", "upper"},
                                 FieldColumn{"fixed_offset", "offset"}, FieldColumn{"offset_hint", "hint"},
                                 FieldColumn{"colocation_group", "group"}};

// "gaps[1].window" keeps what follows the name.
std::string ColumnOf(absl::string_view field, const Source& source) {
  const absl::string_view name = field.substr(0, field.find_first_of(".["));
  const absl::string_view rest = field.substr(name.size());
  const bool is_lifetime = name == "start" || name == "end";
  for (const FieldColumn& known : kColumns) {
    if (known.field != name || (is_lifetime && source.has_start_end)) continue;
    return absl::StrCat(known.column, rest);
  }
  return absl::StrCat(field);
}

// Takes "buffers[1]" off the front of `text`: the row of that buffer, if it is known.
std::optional<std::size_t> ConsumeBuffer(absl::string_view& text, const Source& source) {
  absl::string_view rest = text;
  std::size_t buffer = 0;
  if (!absl::ConsumePrefix(&rest, "buffers[")) return std::nullopt;
  const std::size_t close = rest.find(']');
  if (close == absl::string_view::npos || !absl::SimpleAtoi(rest.substr(0, close), &buffer) ||
      buffer >= source.rows.size()) {
    return std::nullopt;
  }
  text = rest.substr(close + 1);
  return source.rows[buffer];
}

std::string PathOf(absl::string_view field, const Source& source) {
  const std::optional<std::size_t> row = ConsumeBuffer(field, source);
  if (!row) return absl::StrCat(field);
  absl::ConsumePrefix(&field, ".");
  return field.empty() ? absl::StrCat("row ", *row)
                       : absl::StrCat("row ", *row, ", column ", ColumnOf(field, source));
}

std::string WithRows(absl::string_view description, const Source& source) {
  std::string text;
  bool quoted = false;
  while (!description.empty()) {
    const std::optional<std::size_t> row = quoted ? std::nullopt : ConsumeBuffer(description, source);
    if (row) {
      absl::StrAppend(&text, "row ", *row);
      continue;
    }
    // A quote inside quotes is escaped.
    const std::size_t length = quoted && description.front() == '\\' && description.size() > 1 ? 2 : 1;
    if (description.front() == '"') quoted = !quoted;
    absl::StrAppend(&text, description.substr(0, length));
    description.remove_prefix(length);
  }
  return text;
}

std::string Line(const FieldViolation& violation, const Source& source) {
  absl::string_view field = violation.field;
  if (absl::ConsumePrefix(&field, "options.")) {
    return absl::StrCat("--", field, ": ", violation.description);
  }
  absl::ConsumePrefix(&field, "problem.");
  return absl::StrCat(source.name, ": ", PathOf(field, source), ": ",
                      WithRows(violation.description, source));
}

}  // namespace

absl::Status Located(const absl::Status& status, const Source& source) {
  const std::vector<FieldViolation> violations = FieldViolationsOf(status);
  if (violations.empty()) return status;
  std::string message;
  for (const FieldViolation& violation : violations) {
    absl::StrAppend(&message, message.empty() ? "" : "\n", Line(violation, source));
  }
  const std::size_t unreported = UnreportedViolationsOf(status);
  if (unreported > 0) absl::StrAppend(&message, "\n", source.name, ": and ", unreported, " more");
  return {status.code(), message};
}

}  // namespace telamalloc::cli

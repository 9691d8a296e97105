// Nearly every row has no quotes: it is one line, cut at its commas, and its cells are views into the text.
// Only a row with a quote is read character by character, as its cells may hold commas and line breaks.
#include "csv/table.h"

#include <algorithm>
#include <utility>

#include "absl/strings/match.h"

namespace telamalloc::csv {
namespace {

constexpr absl::string_view kByteOrderMark = "\xEF\xBB\xBF";

bool IsBlank(absl::string_view line) { return line.find_first_not_of(" \t\r") == absl::string_view::npos; }

absl::string_view WithoutReturn(absl::string_view line) {
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return line;
}

}  // namespace

TableReader::TableReader(absl::string_view text) : rest_(text) {
  if (rest_.substr(0, kByteOrderMark.size()) == kByteOrderMark) rest_.remove_prefix(kByteOrderMark.size());
}

TableReader::Row TableReader::Next() {
  while (!rest_.empty()) {
    line_ = next_line_;
    const absl::string_view line = rest_.substr(0, rest_.find('\n'));
    if (IsBlank(line)) {
      SkipLine();
      continue;
    }
    cells_.clear();
    if (absl::StrContains(line, "\"")) return ReadQuotedRow();
    absl::string_view row = WithoutReturn(line);
    for (std::size_t comma = row.find(','); comma != absl::string_view::npos; comma = row.find(',')) {
      cells_.push_back(row.substr(0, comma));
      row.remove_prefix(comma + 1);
    }
    cells_.push_back(row);
    SkipLine();
    return Row::kRead;
  }
  return Row::kEnd;
}

void TableReader::SkipLine() {
  const std::size_t end = rest_.find('\n');
  rest_.remove_prefix(end == absl::string_view::npos ? rest_.size() : end + 1);
  ++next_line_;
}

TableReader::Row TableReader::ReadQuotedRow() {
  unquoted_.clear();
  while (true) {
    if (!rest_.empty() && rest_.front() == '"') {
      if (!ReadQuotedCell()) {
        SkipLine();
        return Row::kBadQuotes;
      }
    } else {
      const absl::string_view cell = rest_.substr(0, rest_.find_first_of(",\n"));
      rest_.remove_prefix(cell.size());
      cells_.push_back(rest_.empty() || rest_.front() == '\n' ? WithoutReturn(cell) : cell);
    }
    if (rest_.empty() || rest_.front() == '\n') {
      SkipLine();
      return Row::kRead;
    }
    rest_.remove_prefix(1);  // the comma
  }
}

// Leaves the comma or the line feed behind the cell in place.
bool TableReader::ReadQuotedCell() {
  std::string text;
  std::size_t at = 1;
  while (true) {
    const std::size_t quote = rest_.find('"', at);
    if (quote == absl::string_view::npos) return false;
    text.append(rest_.data() + at, quote - at);
    at = quote + 1;
    if (at >= rest_.size() || rest_[at] != '"') break;
    text.push_back('"');
    ++at;
  }
  if (at < rest_.size() && rest_[at] == '\r' && (at + 1 == rest_.size() || rest_[at + 1] == '\n')) ++at;
  if (at < rest_.size() && rest_[at] != ',' && rest_[at] != '\n') return false;
  next_line_ += std::count(text.begin(), text.end(), '\n');
  rest_.remove_prefix(at);
  unquoted_.push_back(std::move(text));
  cells_.push_back(unquoted_.back());
  return true;
}

}  // namespace telamalloc::csv

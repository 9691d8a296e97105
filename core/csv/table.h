// Text as rows of cells.
#ifndef TELAMALLOC_CSV_TABLE_H_
#define TELAMALLOC_CSV_TABLE_H_

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace telamalloc::csv {

// Reads CSV row by row: CRLF or LF, RFC 4180 quotes, a leading byte-order mark, blank rows passed over.
// A quote inside an unquoted cell is a character like any other.
class TableReader {
 public:
  // REQUIRES: `text` outlives this object.
  explicit TableReader(absl::string_view text);

  enum class Row { kRead, kBadQuotes, kEnd };
  // Reads the next row. After kBadQuotes (a quote never closed, or followed by something other than a comma)
  // the next call goes on behind the line.
  Row Next();

  // Of the last row read. Valid until the next call of Next.
  [[nodiscard]] const std::vector<absl::string_view>& cells() const { return cells_; }
  // The line it starts on; the first line is 1.
  [[nodiscard]] std::int64_t line() const { return line_; }

 private:
  Row ReadQuotedRow();
  bool ReadQuotedCell();
  void SkipLine();

  absl::string_view rest_;
  std::int64_t line_ = 0;
  std::int64_t next_line_ = 1;
  std::vector<absl::string_view> cells_;
  std::deque<std::string> unquoted_;  // backs quoted cells; a deque leaves its texts where they are
};

}  // namespace telamalloc::csv

#endif  // TELAMALLOC_CSV_TABLE_H_

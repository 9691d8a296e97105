// A header that says which cell is what, then a buffer per row. Every offence is collected with its row
// (line) and column, so that one look at the error repairs the file.
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "csv/cells.h"
#include "csv/table.h"
#include "problem/violations.h"
#include "telamalloc/csv.h"

namespace telamalloc {
namespace {

using csv::Parse;
using csv::TableReader;

enum class Column { kId, kLower, kUpper, kSize, kAlignment, kOffset, kHint, kGaps, kGroup, kStart, kEnd };

struct NamedColumn {
  absl::string_view name;
  Column column;
};

constexpr std::array kColumns = {
    NamedColumn{"id", Column::kId},
    NamedColumn{"lower", Column::kLower},
    NamedColumn{"upper", Column::kUpper},
    NamedColumn{"size", Column::kSize},
    NamedColumn{"alignment", Column::kAlignment},
    NamedColumn{"offset", Column::kOffset},
    NamedColumn{"hint", Column::kHint},
    NamedColumn{"gaps", Column::kGaps},
    NamedColumn{"group", Column::kGroup},
    NamedColumn{"start", Column::kStart},
    NamedColumn{"end", Column::kEnd},
};

absl::string_view NameOf(Column column) { return kColumns[static_cast<std::size_t>(column)].name; }

class Reader {
 public:
  Reader(absl::string_view text, const CsvOptions& options) : table_(text), options_(options) {}

  absl::StatusOr<Problem> Run() {
    if (!ReadHeader()) return violations_.ToStatus(absl::StatusCode::kInvalidArgument);
    Problem problem;
    for (TableReader::Row row = table_.Next(); row != TableReader::Row::kEnd; row = table_.Next()) {
      if (row == TableReader::Row::kBadQuotes) {
        RefuseQuotes();
      } else if (table_.cells().size() != columns_.size()) {
        violations_.Add([&] {
          return FieldViolation{
              .field = RowPath(),
              .description = absl::StrCat("must have ", columns_.size(), " cells as the header has, got ",
                                          table_.cells().size())};
        });
      } else {
        problem.buffers.push_back(ReadBuffer());
      }
    }
    if (!violations_.empty()) return violations_.ToStatus(absl::StatusCode::kInvalidArgument);
    return problem;
  }

 private:
  // False: without a sound header no row means anything.
  bool ReadHeader() {
    const TableReader::Row row = table_.Next();
    if (row == TableReader::Row::kEnd) {
      violations_.Add([&] {
        return FieldViolation{.field = "row 1",
                              .description = "must be a header such as id,lower,upper,size, got nothing"};
      });
      return false;
    }
    if (row == TableReader::Row::kBadQuotes) {
      RefuseQuotes();
      return false;
    }
    for (const absl::string_view name : table_.cells()) ReadHeaderCell(name);
    if (Has(Column::kStart) || Has(Column::kEnd)) {
      CheckStartEnd();
    } else {
      Require(Column::kLower);
      Require(Column::kUpper);
    }
    Require(Column::kSize);
    return violations_.empty();
  }

  void ReadHeaderCell(absl::string_view name) {
    const auto* known = std::ranges::find(kColumns, name, &NamedColumn::name);
    if (known == kColumns.end()) {
      violations_.Add([&] {
        return FieldViolation{.field = RowPath(),
                              .description = absl::StrCat(
                                  "unknown column ", Quoted(name), ", must be one of ",
                                  absl::StrJoin(kColumns, ", ", [](std::string* out, const NamedColumn& c) {
                                    out->append(c.name.data(), c.name.size());
                                  }))};
      });
      return;
    }
    if (Has(known->column)) {
      violations_.Add([&] {
        return FieldViolation{.field = RowPath(),
                              .description = absl::StrCat("column ", name, " must not occur twice")};
      });
    }
    columns_.push_back(known->column);
  }

  void CheckStartEnd() {
    Require(Column::kStart);
    Require(Column::kEnd);
    if (Has(Column::kLower) || Has(Column::kUpper)) {
      violations_.Add([&] {
        return FieldViolation{.field = RowPath(),
                              .description = "must have lower,upper or start,end, not both"};
      });
    }
    if (options_.ends == CsvEnds::kUnset) {
      violations_.Add([&] {
        return FieldViolation{
            .field = RowPath(),
            .description =
                "start,end does not say whether the last tick is part of the lifetime: name the columns "
                "lower,upper (half-open), or read with ends=exclusive or ends=inclusive"};
      });
    }
  }

  [[nodiscard]] bool Has(Column column) const {
    return std::ranges::find(columns_, column) != columns_.end();
  }

  void Require(Column column) {
    if (Has(column)) return;
    violations_.Add([&] {
      return FieldViolation{.field = RowPath(),
                            .description = absl::StrCat("missing column ", NameOf(column))};
    });
  }

  Buffer ReadBuffer() {
    Buffer buffer;
    for (std::size_t c = 0; c < columns_.size(); ++c) ReadCell(columns_[c], table_.cells()[c], buffer);
    return buffer;
  }

  void ReadCell(Column column, absl::string_view cell, Buffer& buffer) {
    switch (column) {
      case Column::kId:
        buffer.id.assign(cell.data(), cell.size());
        break;
      case Column::kLower:
      case Column::kStart:
        buffer.start = ReadRequired(column, cell);
        break;
      case Column::kUpper:
        buffer.end = ReadRequired(column, cell);
        break;
      case Column::kEnd:
        buffer.end = ReadEnd(cell);
        break;
      case Column::kSize:
        buffer.size = ReadRequired(column, cell);
        break;
      case Column::kAlignment:
        buffer.alignment = ReadOptional(column, cell).value_or(1);
        break;
      case Column::kOffset:
        buffer.fixed_offset = ReadOptional(column, cell);
        break;
      case Column::kHint:
        buffer.offset_hint = ReadOptional(column, cell);
        break;
      case Column::kGaps:
        buffer.gaps = ReadGaps(cell);
        break;
      case Column::kGroup:
        buffer.colocation_group.assign(cell.data(), cell.size());
        break;
    }
  }

  std::int64_t ReadRequired(Column column, absl::string_view cell) {
    std::int64_t value = 0;
    const Parse parsed = csv::ParseInt64(cell, value);
    if (parsed == Parse::kOk) return value;
    Refuse(
        column,
        parsed == Parse::kOverflow ? "must fit in a signed 64-bit integer, got " : "must be an integer, got ",
        cell);
    return 0;
  }

  std::optional<std::int64_t> ReadOptional(Column column, absl::string_view cell) {
    if (cell.empty()) return std::nullopt;
    return ReadRequired(column, cell);
  }

  std::int64_t ReadEnd(absl::string_view cell) {
    const std::int64_t end = ReadRequired(Column::kEnd, cell);
    if (options_.ends != CsvEnds::kInclusive) return end;
    if (end < std::numeric_limits<std::int64_t>::max()) return end + 1;
    Refuse(Column::kEnd, "must be less than the largest 64-bit integer when ends are inclusive, got ", cell);
    return end;
  }

  std::vector<Gap> ReadGaps(absl::string_view cell) {
    std::optional<std::vector<Gap>> gaps = csv::ParseGaps(cell);
    if (gaps) return *std::move(gaps);
    Refuse(Column::kGaps, "must be gaps such as 3-5 or 6-7@0:32, apart by blanks, got ", cell);
    return {};
  }

  void Refuse(Column column, absl::string_view rule, absl::string_view cell) {
    violations_.Add([&] {
      return FieldViolation{.field = absl::StrCat(RowPath(), ", column ", NameOf(column)),
                            .description = absl::StrCat(rule, Quoted(cell))};
    });
  }

  void RefuseQuotes() {
    violations_.Add([&] {
      return FieldViolation{
          .field = RowPath(),
          .description = "a quoted cell must end with a quote before a comma or the end of the row"};
    });
  }

  [[nodiscard]] std::string RowPath() const { return absl::StrCat("row ", table_.line()); }

  TableReader table_;
  CsvOptions options_;
  std::vector<Column> columns_;  // of the cells, in order
  ViolationList violations_;
};

}  // namespace

absl::StatusOr<Problem> ReadProblemCsv(absl::string_view text, const CsvOptions& options) {
  return Reader(text, options).Run();
}

}  // namespace telamalloc

// What single cells hold.
#ifndef TELAMALLOC_CSV_CELLS_H_
#define TELAMALLOC_CSV_CELLS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "telamalloc/problem.h"

namespace telamalloc::csv {

enum class Parse { kOk, kMalformed, kOverflow };

// A decimal integer at the front of `text`: an optional minus and digits, nothing else (no blanks, no plus).
// Takes it off `text` and puts it into `value`; both are unspecified unless kOk.
Parse ConsumeInt64(absl::string_view& text, std::int64_t& value);

// `text` as a whole is such an integer.
Parse ParseInt64(absl::string_view text, std::int64_t& value);

// Gaps apart by blanks: `start-end` or `start-end@lower:upper`; `-5--3` is [-5, -3). Empty: malformed.
std::optional<std::vector<Gap>> ParseGaps(absl::string_view text);

// Inverse of ParseGaps.
std::string FormatGaps(const std::vector<Gap>& gaps);

// Appends `text` as a cell, in quotes where it needs them.
void AppendCell(absl::string_view text, std::string& out);

}  // namespace telamalloc::csv

#endif  // TELAMALLOC_CSV_CELLS_H_

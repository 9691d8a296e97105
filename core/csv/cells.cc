// absl::SimpleAtoi forgives blanks and a plus, and needs to know where a number ends; a gap `-5--3` does not
// say so beforehand. Hence our own reader of integers: it accumulates on the negative side, which reaches one
// further.
#include "csv/cells.h"

#include "absl/strings/str_cat.h"

namespace telamalloc::csv {
namespace {

bool Consume(absl::string_view& text, char c) {
  if (text.empty() || text.front() != c) return false;
  text.remove_prefix(1);
  return true;
}

std::optional<Gap> ParseGap(absl::string_view text) {
  Gap gap;
  if (ConsumeInt64(text, gap.start) != Parse::kOk || !Consume(text, '-')) return std::nullopt;
  if (ConsumeInt64(text, gap.end) != Parse::kOk) return std::nullopt;
  if (text.empty()) return gap;
  AddressWindow window;
  if (!Consume(text, '@') || ConsumeInt64(text, window.lower) != Parse::kOk) return std::nullopt;
  if (!Consume(text, ':') || ConsumeInt64(text, window.upper) != Parse::kOk) return std::nullopt;
  if (!text.empty()) return std::nullopt;
  gap.window = window;
  return gap;
}

}  // namespace

Parse ConsumeInt64(absl::string_view& text, std::int64_t& value) {
  const bool negative = Consume(text, '-');
  std::size_t digits = 0;
  std::int64_t sum = 0;
  bool overflow = false;
  for (; digits < text.size() && text[digits] >= '0' && text[digits] <= '9'; ++digits) {
    overflow = overflow || __builtin_mul_overflow(sum, std::int64_t{10}, &sum) ||
               __builtin_sub_overflow(sum, std::int64_t{text[digits] - '0'}, &sum);
  }
  if (digits == 0) return Parse::kMalformed;
  text.remove_prefix(digits);
  if (!negative) overflow = overflow || __builtin_sub_overflow(std::int64_t{0}, sum, &sum);
  value = sum;
  return overflow ? Parse::kOverflow : Parse::kOk;
}

Parse ParseInt64(absl::string_view text, std::int64_t& value) {
  const Parse parsed = ConsumeInt64(text, value);
  return parsed != Parse::kMalformed && !text.empty() ? Parse::kMalformed : parsed;
}

std::optional<std::vector<Gap>> ParseGaps(absl::string_view text) {
  std::vector<Gap> gaps;
  while (true) {
    while (Consume(text, ' ')) {
    }
    if (text.empty()) return gaps;
    const absl::string_view token = text.substr(0, text.find(' '));
    const std::optional<Gap> gap = ParseGap(token);
    if (!gap) return std::nullopt;
    gaps.push_back(*gap);
    text.remove_prefix(token.size());
  }
}

std::string FormatGaps(const std::vector<Gap>& gaps) {
  std::string text;
  for (const Gap& gap : gaps) {
    absl::StrAppend(&text, text.empty() ? "" : " ", gap.start, "-", gap.end);
    if (gap.window) absl::StrAppend(&text, "@", gap.window->lower, ":", gap.window->upper);
  }
  return text;
}

void AppendCell(absl::string_view text, std::string& out) {
  if (text.find_first_of(",\"\r\n") == absl::string_view::npos) {
    absl::StrAppend(&out, text);
    return;
  }
  out.push_back('"');
  for (const char c : text) {
    if (c == '"') out.push_back('"');
    out.push_back(c);
  }
  out.push_back('"');
}

}  // namespace telamalloc::csv

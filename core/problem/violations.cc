// Broken rules travel in a status twice: joined in its message for people, and as a list in a payload for
// programs. The payload is a sequence of netstrings, field and description in turn,
//
//     15:buffers[1].size,28:must not be negative, got -4,
//
// so that any byte may occur in a text; what does not parse is taken for no list at all. How many were left
// out is a payload of its own.
#include "problem/violations.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include "absl/strings/cord.h"
#include "absl/strings/escaping.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"

namespace telamalloc {
namespace {

constexpr absl::string_view kPayloadUrl = "telamalloc/field-violations";
constexpr absl::string_view kUnreportedUrl = "telamalloc/unreported-violations";
constexpr std::size_t kMaxQuotedBytes = 64;

void AppendNetstring(absl::string_view text, std::string& out) {
  absl::StrAppend(&out, text.size(), ":", text, ",");
}

// Takes one netstring off the front of `rest`.
std::optional<absl::string_view> ConsumeNetstring(absl::string_view& rest) {
  const std::size_t colon = rest.find(':');
  std::uint64_t length = 0;
  if (colon == absl::string_view::npos || !absl::SimpleAtoi(rest.substr(0, colon), &length)) {
    return std::nullopt;
  }
  rest.remove_prefix(colon + 1);
  if (length >= rest.size() || rest[length] != ',') return std::nullopt;
  const absl::string_view text = rest.substr(0, length);
  rest.remove_prefix(length + 1);
  return text;
}

absl::Status MakeStatus(absl::StatusCode code, const std::vector<FieldViolation>& violations,
                        std::size_t total) {
  std::string message;
  std::string payload;
  for (const FieldViolation& violation : violations) {
    absl::StrAppend(&message, message.empty() ? "" : "; ", violation.field, ": ", violation.description);
    AppendNetstring(violation.field, payload);
    AppendNetstring(violation.description, payload);
  }
  const std::size_t unreported = total - violations.size();
  if (unreported > 0) absl::StrAppend(&message, "; and ", unreported, " more");
  absl::Status status(code, message);
  status.SetPayload(kPayloadUrl, absl::Cord(std::move(payload)));
  if (unreported > 0) status.SetPayload(kUnreportedUrl, absl::Cord(absl::StrCat(unreported)));
  return status;
}

}  // namespace

absl::Status ViolationList::ToStatus(absl::StatusCode code) const {
  return empty() ? absl::OkStatus() : MakeStatus(code, violations_, total_);
}

std::string Quoted(absl::string_view text) {
  const bool whole = text.size() <= kMaxQuotedBytes;
  return absl::StrCat("\"", absl::CHexEscape(text.substr(0, kMaxQuotedBytes)), whole ? "\"" : "...\"");
}

absl::Status InvalidProblem(const std::vector<FieldViolation>& violations, std::size_t total) {
  return MakeStatus(absl::StatusCode::kInvalidArgument, violations, std::max(total, violations.size()));
}

std::vector<FieldViolation> FieldViolationsOf(const absl::Status& status) {
  const auto payload = status.GetPayload(kPayloadUrl);
  if (!payload) return {};
  const std::string text(*payload);
  absl::string_view rest = text;
  std::vector<FieldViolation> violations;
  while (!rest.empty()) {
    const std::optional<absl::string_view> field = ConsumeNetstring(rest);
    if (!field) return {};
    const std::optional<absl::string_view> description = ConsumeNetstring(rest);
    if (!description) return {};
    violations.push_back({.field = absl::StrCat(*field), .description = absl::StrCat(*description)});
  }
  return violations;
}

std::size_t UnreportedViolationsOf(const absl::Status& status) {
  const auto payload = status.GetPayload(kUnreportedUrl);
  if (!payload) return 0;
  const std::string text(*payload);
  std::size_t unreported = 0;
  return absl::SimpleAtoi(text, &unreported) ? unreported : 0;
}

}  // namespace telamalloc

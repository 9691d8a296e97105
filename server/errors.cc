// Status, details and all travel in HTTP/2 trailers, and a client that finds more than 8 KiB there sees
// another error instead of ours. Details count 4/3 of their size where they go as base64, a message up to
// three times where its bytes are escaped; the limits below keep the sum under 8 KiB.
#include "server/errors.h"

#include <google/protobuf/any.pb.h>
#include <google/rpc/error_details.pb.h>
#include <grpcpp/support/status.h>

#include <array>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "convert/convert.h"
#include "telamalloc/problem.h"

namespace telamalloc::server {
namespace {

constexpr std::size_t kMaxMessageBytes = 512;
constexpr std::size_t kMaxDescriptionBytes = 140;
constexpr std::size_t kMaxViolationsBytes = 3600;

struct ReasonRow {
  absl::string_view name;
  grpc::StatusCode code;
};

// In the order of the enumerators.
constexpr std::array<ReasonRow, kAllReasons.size()> kReasons = {{
    {"INVALID_REQUEST", grpc::StatusCode::INVALID_ARGUMENT},
    {"VALUE_OUT_OF_RANGE", grpc::StatusCode::OUT_OF_RANGE},
    {"UNSUPPORTED_OPTION", grpc::StatusCode::UNIMPLEMENTED},
    {"TOO_MANY_BUFFERS", grpc::StatusCode::RESOURCE_EXHAUSTED},
    {"QUEUE_FULL", grpc::StatusCode::RESOURCE_EXHAUSTED},
    {"DRAINING", grpc::StatusCode::UNAVAILABLE},
    {"TIME_EXHAUSTED", grpc::StatusCode::DEADLINE_EXCEEDED},
    {"VERIFICATION_FAILED", grpc::StatusCode::INTERNAL},
}};

constexpr std::array<absl::string_view, 17> kCodes = {
    "OK",        "CANCELLED",      "UNKNOWN",           "INVALID_ARGUMENT",   "DEADLINE_EXCEEDED",
    "NOT_FOUND", "ALREADY_EXISTS", "PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION",
    "ABORTED",   "OUT_OF_RANGE",   "UNIMPLEMENTED",     "INTERNAL",           "UNAVAILABLE",
    "DATA_LOSS", "UNAUTHENTICATED"};

// At most `limit` bytes of `text`, in ASCII: a message with other bytes that are no UTF-8 would not be read.
std::string Cut(absl::string_view text, std::size_t limit) {
  constexpr absl::string_view kMore = "...";
  std::string cut(text.substr(0, limit));
  for (char& c : cut) {
    if (!absl::ascii_isascii(static_cast<unsigned char>(c))) c = '?';
  }
  if (cut.size() < text.size()) cut.replace(cut.size() - kMore.size(), kMore.size(), kMore.data());
  return cut;
}

// "problem." and "capacity" give "problem.capacity"; without a field it is the part itself, "problem".
std::string FieldIn(absl::string_view prefix, const std::string& field) {
  return field.empty() ? absl::StrCat(absl::StripSuffix(prefix, ".")) : absl::StrCat(prefix, field);
}

google::rpc::BadRequest ToBadRequest(const std::vector<FieldViolation>& violations) {
  google::rpc::BadRequest bad_request;
  std::size_t bytes = 0;
  for (const FieldViolation& violation : violations) {
    const std::string description = Cut(violation.description, kMaxDescriptionBytes);
    bytes += violation.field.size() + description.size() + 8;
    if (bytes > kMaxViolationsBytes) break;
    auto& wire = *bad_request.add_field_violations();
    wire.set_field(violation.field);
    wire.set_description(description);
  }
  return bad_request;
}

}  // namespace

absl::string_view Name(Reason reason) { return kReasons.at(static_cast<std::size_t>(reason)).name; }

absl::string_view Name(grpc::StatusCode code) {
  const auto index = static_cast<std::size_t>(code);
  return index < kCodes.size() ? kCodes[index] : kCodes[2];
}

grpc::Status ToRpcStatus(const Error& error) {
  const ReasonRow& row = kReasons.at(static_cast<std::size_t>(error.reason));
  const std::string message = Cut(error.message, kMaxMessageBytes);
  google::rpc::Status status;
  status.set_code(row.code);
  status.set_message(message);
  google::rpc::ErrorInfo info;
  info.set_reason(absl::StrCat(row.name));
  info.set_domain("telamalloc");
  for (const auto& [key, value] : error.metadata) (*info.mutable_metadata())[key] = value;
  status.add_details()->PackFrom(info);
  if (!error.violations.empty()) status.add_details()->PackFrom(ToBadRequest(error.violations));
  if (error.retry_after) {
    google::rpc::RetryInfo retry;
    *retry.mutable_retry_delay() = ToProto(*error.retry_after);
    status.add_details()->PackFrom(retry);
  }
  return {row.code, message, status.SerializeAsString()};
}

Error InvalidRequest(const std::vector<PartStatus>& parts) {
  Error error = {.reason = Reason::kValueOutOfRange, .message = {}};
  for (const PartStatus& part : parts) {
    if (part.status.ok()) continue;
    if (part.status.code() != absl::StatusCode::kOutOfRange) error.reason = Reason::kInvalidRequest;
    const std::vector<FieldViolation> violations = FieldViolationsOf(part.status);
    if (violations.empty()) {
      absl::StrAppend(&error.message, error.message.empty() ? "" : "; ", part.prefix, part.status.message());
    }
    for (const FieldViolation& violation : violations) {
      if (error.violations.size() == kMaxReportedViolations) break;
      error.violations.push_back(
          {.field = FieldIn(part.prefix, violation.field), .description = violation.description});
      absl::StrAppend(&error.message, error.message.empty() ? "" : "; ", error.violations.back().field, ": ",
                      violation.description);
    }
  }
  return error;
}

}  // namespace telamalloc::server

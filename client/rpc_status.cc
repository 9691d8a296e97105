// The details are a google.rpc.Status in binary. Only four of its fields matter here, so they are picked out
// of it by number instead of carrying Google's error protos along:
//
//   Status      details = 3 (Any)               Any             type_url = 1, value = 2
//   ErrorInfo   reason = 1                      BadRequest      field_violations = 1
//                                               FieldViolation  field = 1, description = 2
#include "client/rpc_status.h"

#include <google/protobuf/unknown_field_set.h>
#include <grpcpp/support/status.h>

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/cord.h"
#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "telamalloc/client.h"
#include "telamalloc/problem.h"

namespace telamalloc {
namespace {

using google::protobuf::UnknownField;
using google::protobuf::UnknownFieldSet;

constexpr absl::string_view kReasonUrl = "telamalloc/reason";

// The values of a repeated bytes, string or message field; none if `message` cannot be read.
std::vector<std::string> Values(const std::string& message, int number) {
  UnknownFieldSet fields;
  if (!fields.ParseFromString(message)) return {};
  std::vector<std::string> values;
  for (int k = 0; k < fields.field_count(); ++k) {
    const UnknownField& field = fields.field(k);
    if (field.number() == number && field.type() == UnknownField::TYPE_LENGTH_DELIMITED) {
      values.push_back(field.length_delimited());
    }
  }
  return values;
}

std::string Value(const std::string& message, int number) {
  std::vector<std::string> values = Values(message, number);
  return values.empty() ? "" : values.back();
}

struct Details {
  std::string reason;
  std::vector<FieldViolation> violations;
};

Details ReadDetails(const std::string& status) {
  Details details;
  for (const std::string& any : Values(status, 3)) {
    const std::string url = Value(any, 1);
    const std::string value = Value(any, 2);
    if (absl::EndsWith(url, "/google.rpc.ErrorInfo")) details.reason = Value(value, 1);
    if (!absl::EndsWith(url, "/google.rpc.BadRequest")) continue;
    for (const std::string& violation : Values(value, 1)) {
      details.violations.push_back({.field = Value(violation, 1), .description = Value(violation, 2)});
    }
  }
  return details;
}

}  // namespace

absl::Status FromRpcStatus(const grpc::Status& status) {
  if (status.ok()) return absl::OkStatus();
  absl::Status result(static_cast<absl::StatusCode>(status.error_code()), status.error_message());
  const Details details = ReadDetails(status.error_details());
  if (!details.violations.empty()) {
    // Only its payload: code and message are the server's.
    InvalidProblem(details.violations, details.violations.size())
        .ForEachPayload(
            [&result](absl::string_view url, const absl::Cord& payload) { result.SetPayload(url, payload); });
  }
  // gRPC's own refusal of a message, on the server's side or here, comes without details.
  const bool too_large = status.error_code() == grpc::StatusCode::RESOURCE_EXHAUSTED &&
                         absl::StrContains(status.error_message(), "message larger than max");
  const std::string reason = too_large ? "MESSAGE_TOO_LARGE" : details.reason;
  if (!reason.empty()) result.SetPayload(kReasonUrl, absl::Cord(reason));
  return result;
}

std::string ReasonOf(const absl::Status& status) {
  const auto reason = status.GetPayload(kReasonUrl);
  if (!reason) return "";
  std::string text;
  absl::CopyCordToString(*reason, &text);
  return text;
}

}  // namespace telamalloc

// Errors as callers get them: a code, a sentence, and details for programs.
#ifndef TELAMALLOC_SERVER_ERRORS_H_
#define TELAMALLOC_SERVER_ERRORS_H_

#include <grpcpp/support/status.h>

#include <array>
#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "telamalloc/problem.h"

namespace telamalloc::server {

// Why a request was refused or failed: the reason of its ErrorInfo. Names are stable; see docs/operations.md.
enum class Reason {
  kInvalidRequest,      // INVALID_ARGUMENT: fields that break a rule
  kValueOutOfRange,     // OUT_OF_RANGE: sums or tops beyond 64 bits
  kUnsupportedOption,   // UNIMPLEMENTED: an option that this server does not have
  kTooManyBuffers,      // RESOURCE_EXHAUSTED: more than max_buffers
  kQueueFull,           // RESOURCE_EXHAUSTED: no room to wait, and no fallback allowed
  kDraining,            // UNAVAILABLE: the server is shutting down
  kTimeExhausted,       // DEADLINE_EXCEEDED: no answer in time, or none that the policy allows
  kVerificationFailed,  // INTERNAL: a placement was wrong, and is not sent
};

inline constexpr std::array kAllReasons = {Reason::kInvalidRequest,    Reason::kValueOutOfRange,
                                           Reason::kUnsupportedOption, Reason::kTooManyBuffers,
                                           Reason::kQueueFull,         Reason::kDraining,
                                           Reason::kTimeExhausted,     Reason::kVerificationFailed};

// "INVALID_REQUEST", ...
absl::string_view Name(Reason reason);

// "INVALID_ARGUMENT", ...
absl::string_view Name(grpc::StatusCode code);

struct Error {
  Reason reason = Reason::kInvalidRequest;
  std::string message;
  // For the ErrorInfo, e.g. {"limit", "2000000"}.
  std::vector<std::pair<std::string, std::string>> metadata = {};
  // For the BadRequest.
  std::vector<FieldViolation> violations = {};
  // For the RetryInfo.
  std::optional<std::chrono::milliseconds> retry_after = std::nullopt;
};

// The status with its details. Each reason has one code. Texts are cut so that the whole stays within the
// 8 KiB of metadata that a client takes by default.
grpc::Status ToRpcStatus(const Error& error);

// A status of the library about a part of the request, e.g. {"problem.", status}.
struct PartStatus {
  absl::string_view prefix;
  const absl::Status& status;
};

// The error that reports the violations of all parts, each with its part's prefix.
// REQUIRES: at least one is not OK, and each is OK, kInvalidArgument or kOutOfRange.
Error InvalidRequest(const std::vector<PartStatus>& parts);

}  // namespace telamalloc::server

#endif  // TELAMALLOC_SERVER_ERRORS_H_

// telamalloc.v1.Problem in its three written forms.
#ifndef TELAMALLOC_CLIENT_CLI_PROTO_FORMATS_H_
#define TELAMALLOC_CLIENT_CLI_PROTO_FORMATS_H_

#include <string>

#include "absl/status/statusor.h"
#include "telamalloc/problem.h"

namespace telamalloc::cli {

// Each reads one form. Errors: kInvalidArgument with the line or the path of what is wrong or unknown.
absl::StatusOr<Problem> ProblemFromJson(const std::string& text);
absl::StatusOr<Problem> ProblemFromTextproto(const std::string& text);
absl::StatusOr<Problem> ProblemFromBinary(const std::string& bytes);

}  // namespace telamalloc::cli

#endif  // TELAMALLOC_CLIENT_CLI_PROTO_FORMATS_H_

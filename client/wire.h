// The client's own types on the wire; problems and results are converted in proto/convert.
#ifndef TELAMALLOC_CLIENT_WIRE_H_
#define TELAMALLOC_CLIENT_WIRE_H_

#include "absl/status/statusor.h"
#include "telamalloc/client.h"
#include "telamalloc/problem.h"
#include "telamalloc/solution.h"
#include "telamalloc/v1/allocation_service.pb.h"

namespace telamalloc {

v1::SolveAllocationRequest ToRequest(const Problem& problem, const ClientSolveOptions& options);

// The answer to a request for `problem`. Errors: kInternal if it contradicts the problem or itself.
absl::StatusOr<ClientResult> FromResponse(const Problem& problem, const v1::AllocationResult& wire);

// Errors: kInternal if the server names a rule that we do not know.
absl::StatusOr<VerifyReport> FromResponse(const v1::VerifyAllocationResponse& wire);

Capabilities FromResponse(const v1::GetCapabilitiesResponse& wire);

}  // namespace telamalloc

#endif  // TELAMALLOC_CLIENT_WIRE_H_

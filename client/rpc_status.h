// A failed call as an absl::Status with the server's details.
#ifndef TELAMALLOC_CLIENT_RPC_STATUS_H_
#define TELAMALLOC_CLIENT_RPC_STATUS_H_

#include <grpcpp/support/status.h>

#include "absl/status/status.h"

namespace telamalloc {

// The code and message of `status`; the reason of its ErrorInfo for ReasonOf and the violations of its
// BadRequest for FieldViolationsOf. Details that cannot be read are left out.
absl::Status FromRpcStatus(const grpc::Status& status);

}  // namespace telamalloc

#endif  // TELAMALLOC_CLIENT_RPC_STATUS_H_

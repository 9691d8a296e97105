// What a client is told to connect to.
#ifndef TELAMALLOC_CLIENT_TARGET_H_
#define TELAMALLOC_CLIENT_TARGET_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace telamalloc {

// The servers of "host:port[,host:port]...", blanks around each taken off; a name that gRPC resolves
// ("dns:///farm:50551", "unix:/run/telamallocd.sock") is one whole. At least one.
//
// Errors: kInvalidArgument for what is neither: no port, a port that is not 1 to 65535, an IPv6 address
// without
//   brackets, a scheme that gRPC does not know. The names behind a scheme are gRPC's to judge.
absl::StatusOr<std::vector<std::string>> ParseTargets(absl::string_view text);

}  // namespace telamalloc

#endif  // TELAMALLOC_CLIENT_TARGET_H_

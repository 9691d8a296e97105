// What a request is called in logs, on both sides.
#ifndef TELAMALLOC_SERVER_REQUEST_ID_H_
#define TELAMALLOC_SERVER_REQUEST_ID_H_

#include <grpcpp/support/string_ref.h>

#include <map>
#include <string>

namespace telamalloc::server {

// The metadata key of the caller's own id, and of the id in the reply's trailing metadata.
inline constexpr const char* kRequestIdKey = "x-request-id";

// The caller's id if it is 1 to 64 letters, digits and any of "-_.:/"; otherwise a new one.
std::string RequestIdOf(const std::multimap<grpc::string_ref, grpc::string_ref>& metadata);

}  // namespace telamalloc::server

#endif  // TELAMALLOC_SERVER_REQUEST_ID_H_

// Calls of services whose messages are not compiled here: bytes in, bytes out.
#ifndef TELAMALLOC_TESTS_SERVER_RAW_CALL_H_
#define TELAMALLOC_TESTS_SERVER_RAW_CALL_H_

#include <grpc/compression.h>
#include <grpcpp/channel.h>
#include <grpcpp/support/status.h>

#include <memory>
#include <string>

namespace telamalloc::server {

struct RawReply {
  grpc::Status status;
  std::string message;  // the first one
};

// Sends one message to `method` ("/package.Service/Method") and reads one.
RawReply RawCall(const std::shared_ptr<grpc::Channel>& channel, const std::string& method,
                 const std::string& message, grpc_compression_algorithm compression = GRPC_COMPRESS_NONE);

}  // namespace telamalloc::server

#endif  // TELAMALLOC_TESTS_SERVER_RAW_CALL_H_

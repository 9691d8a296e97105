// Retries are gRPC's own, through the service config: UNAVAILABLE only, since every call is idempotent but
// no other code says that trying again helps. A server's pushback is heeded.
#include "client/channel.h"

#include <grpcpp/create_channel.h>
#include <grpcpp/security/credentials.h>
#include <grpcpp/support/channel_arguments.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>

#include "absl/strings/str_cat.h"

namespace telamalloc {
namespace {

// REQUIRES: attempts >= 2.
std::string RetryConfig(int attempts) {
  return absl::StrCat(R"({"methodConfig": [{"name": [{"service": "telamalloc.v1.AllocationService"}],)",
                      R"("retryPolicy": {"maxAttempts": )", attempts,
                      R"(, "initialBackoff": "0.05s", "maxBackoff": "1s", "backoffMultiplier": 2,)",
                      R"("retryableStatusCodes": ["UNAVAILABLE"]}}]})");
}

int ClampToInt(std::int64_t value) {
  return static_cast<int>(std::min<std::int64_t>(value, std::numeric_limits<int>::max()));
}

}  // namespace

std::shared_ptr<grpc::Channel> MakeChannel(const std::string& target, const ClientOptions& options) {
  grpc::ChannelArguments arguments;
  arguments.SetMaxReceiveMessageSize(ClampToInt(options.max_message_bytes));
  arguments.SetMaxSendMessageSize(ClampToInt(options.max_message_bytes));
  arguments.SetCompressionAlgorithm(GRPC_COMPRESS_NONE);
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  // In gRPC's core this is also the least time that an attempt to connect gets (else 20 s).
  arguments.SetInt(GRPC_ARG_MIN_RECONNECT_BACKOFF_MS, ClampToInt(options.connect_timeout.count()));
  arguments.SetInt(GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, 100);
  if (options.max_attempts > 1) arguments.SetServiceConfigJSON(RetryConfig(options.max_attempts));
  return grpc::CreateCustomChannel(target, grpc::InsecureChannelCredentials(), arguments);
}

}  // namespace telamalloc

// The connection: how it is made, kept and retried.
#ifndef TELAMALLOC_CLIENT_CHANNEL_H_
#define TELAMALLOC_CLIENT_CHANNEL_H_

#include <grpcpp/channel.h>

#include <memory>
#include <string>

#include "telamalloc/client.h"

namespace telamalloc {

// Does not connect. Without compression: a small compressed request can expand past a server's limits.
// Proxies of the environment are not used: an allocation server is near, and a proxy set for the web would
// catch even loopback.
std::shared_ptr<grpc::Channel> MakeChannel(const std::string& target, const ClientOptions& options);

}  // namespace telamalloc

#endif  // TELAMALLOC_CLIENT_CHANNEL_H_

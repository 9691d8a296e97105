// What an operator can set, as plain data: flags.h fills it from the command line, the environment and a
// file.
#ifndef TELAMALLOC_SERVER_SETTINGS_H_
#define TELAMALLOC_SERVER_SETTINGS_H_

#include <chrono>
#include <cstdint>
#include <string>

#include "absl/status/status.h"

namespace telamalloc::server {

// What a request gets that finds the queue full.
enum class OverloadPolicy {
  kGreedy,  // what its fallback_policy says
  kReject,  // RESOURCE_EXHAUSTED, whatever its fallback_policy says
};

enum class LogFormat { kText, kJson };
enum class LogLevel { kDebug, kInfo, kWarning, kError, kOff };

struct Settings {
  // host:port of the service; port 0 takes a free one.
  std::string listen_address = "127.0.0.1:50551";
  // host:port of metrics, probes and status page; empty: none. Port 0 takes a free one.
  std::string admin_address = "127.0.0.1:9464";
  // Solver threads; 0: the cores that this process may use.
  int workers = 0;
  // Most requests that wait for a worker; 0: none waits.
  std::int64_t queue_capacity = 1024;
  // Most memory of requests that wait, in bytes, estimated.
  std::int64_t queue_bytes = std::int64_t{1} << 30;
  // Time for waiting and solving of a request that sets none.
  std::chrono::nanoseconds default_budget = std::chrono::seconds(10);
  // Most a request may ask for.
  std::chrono::nanoseconds max_budget = std::chrono::minutes(5);
  // The reply leaves at least so long before the caller's deadline (but at most a quarter of the time given).
  std::chrono::nanoseconds min_reply_margin = std::chrono::milliseconds(20);
  OverloadPolicy overload_policy = OverloadPolicy::kGreedy;
  // Largest request in bytes.
  std::int64_t max_message_bytes = std::int64_t{64} << 20;
  // Most buffers in one problem.
  std::int64_t max_buffers = 2'000'000;
  // At shutdown: how long to keep serving as "not ready", so that others stop sending.
  std::chrono::nanoseconds predrain = std::chrono::nanoseconds::zero();
  // At shutdown, after predrain: how long running solves may go on.
  std::chrono::nanoseconds drain_timeout = std::chrono::seconds(10);
  LogFormat log_format = LogFormat::kText;
  LogLevel log_level = LogLevel::kInfo;
  // Whether the server describes its API to tools such as grpcurl.
  bool enable_reflection = true;
};

// Errors: kInvalidArgument with every setting out of range, "queue_capacity: must not be negative, got -1;
// ...".
absl::Status Validate(const Settings& settings);

}  // namespace telamalloc::server

#endif  // TELAMALLOC_SERVER_SETTINGS_H_

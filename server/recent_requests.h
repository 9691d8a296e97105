// The last requests, for the status page and the log. Never what is in a problem.
#ifndef TELAMALLOC_SERVER_RECENT_REQUESTS_H_
#define TELAMALLOC_SERVER_RECENT_REQUESTS_H_

#include <grpcpp/support/status.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <list>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "server/deadline.h"
#include "server/metrics.h"

namespace telamalloc::server {

// One answered request.
struct RequestRecord {
  std::chrono::system_clock::time_point arrival;
  Rpc rpc = Rpc::kSolveAllocation;
  std::string id;
  std::string peer;
  grpc::StatusCode code = grpc::StatusCode::OK;
  std::string message;  // of an error
  std::int64_t buffers = 0;
  // Names without their prefixes; empty without a result.
  std::string outcome;
  std::string method;
  std::string stop_reason;
  std::int64_t peak = 0;
  Duration queued{0};
  Duration solved{0};
  Duration total{0};
};

// Thread-safe.
class RecentRequests {
 public:
  void Add(const RequestRecord& record) {
    std::list<RequestRecord> added = {record};
    std::list<RequestRecord> dropped;  // destroyed after the lock, which everybody needs
    absl::MutexLock lock(&mutex_);
    if (records_.size() == kKept) dropped.splice(dropped.begin(), records_, std::prev(records_.end()));
    records_.splice(records_.begin(), added);
  }

  // Newest first.
  [[nodiscard]] std::vector<RequestRecord> Get() const {
    absl::MutexLock lock(&mutex_);
    return {records_.begin(), records_.end()};
  }

 private:
  static constexpr std::size_t kKept = 32;
  mutable absl::Mutex mutex_;
  std::list<RequestRecord> records_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace telamalloc::server

#endif  // TELAMALLOC_SERVER_RECENT_REQUESTS_H_

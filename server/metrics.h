// What the server counts about itself, in Prometheus's text format.
//
// Every time series is there from the start, with a closed set of labels, so that rates and alerts work from
// the first scrape. Names, units and meanings: docs/operations.md.
#ifndef TELAMALLOC_SERVER_METRICS_H_
#define TELAMALLOC_SERVER_METRICS_H_

#include <grpcpp/support/status.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include "absl/strings/string_view.h"
#include "server/deadline.h"
#include "server/errors.h"
#include "telamalloc/solver.h"
#include "telamalloc/v1/allocation_service.pb.h"

namespace telamalloc::server {

enum class Rpc { kSolveAllocation, kVerifyAllocation, kGetCapabilities };

inline constexpr std::array kAllRpcs = {Rpc::kSolveAllocation, Rpc::kVerifyAllocation, Rpc::kGetCapabilities};

// "SolveAllocation", ...
absl::string_view Name(Rpc rpc);

// What is measured when somebody asks instead of being counted.
struct Levels {
  std::int64_t queue_entries = 0;
  std::int64_t queue_bytes = 0;
  std::int64_t queue_capacity = 0;
  std::int64_t intake_entries = 0;
  std::int64_t in_flight = 0;
  std::int64_t workers = 0;
  std::int64_t workers_busy = 0;
  Duration reply_margin{0};
  bool ready = false;
};

// Thread-safe.
class Metrics {
 public:
  Metrics();
  ~Metrics();
  Metrics(const Metrics&) = delete;
  Metrics& operator=(const Metrics&) = delete;
  Metrics(Metrics&&) = delete;
  Metrics& operator=(Metrics&&) = delete;

  // A call was answered, `duration` after it arrived.
  void CountRequest(Rpc rpc, grpc::StatusCode code, Duration duration);
  // With an error of ours; kVerificationFailed counts a wrong placement that was withheld.
  void CountError(Reason reason);
  // With a result (never validate_only's).
  void CountResult(const v1::AllocationResult& result);
  // The time between a reply and its caller's deadline; negative: it was late.
  void CountSlack(Duration slack);
  // A request waited until a worker took it.
  void CountQueueWait(Duration wait);
  // A worker finished.
  void CountSolve(Duration duration, const SolveStats& stats);

  // All of it, with what the kernel knows of the process.
  [[nodiscard]] std::string Render(const Levels& levels);

 private:
  struct Series;
  std::unique_ptr<Series> series_;
};

}  // namespace telamalloc::server

#endif  // TELAMALLOC_SERVER_METRICS_H_

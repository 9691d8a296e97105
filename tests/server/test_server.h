// A server in this process and calls to it over loopback.
#ifndef TELAMALLOC_TESTS_SERVER_TEST_SERVER_H_
#define TELAMALLOC_TESTS_SERVER_TEST_SERVER_H_

#include <google/rpc/error_details.pb.h>
#include <grpcpp/channel.h>
#include <grpcpp/client_context.h>
#include <grpcpp/support/status.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "server/server.h"
#include "server/service_state.h"
#include "server/settings.h"
#include "server/test_signal.h"
#include "telamalloc/problem.h"
#include "telamalloc/solver.h"
#include "telamalloc/v1/allocation_service.grpc.pb.h"
#include "telamalloc/v1/allocation_service.pb.h"

namespace telamalloc::server {

// Sanitizers slow everything down; spans that a reply has to meet grow with it.
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
inline constexpr int kSlowdown = 10;
#else
inline constexpr int kSlowdown = 1;
#endif

// Listens on free ports of loopback, with one worker, without a log.
Settings QuietSettings();

// What workers run: Solve.
absl::StatusOr<SolveResult> SolveInEarnest(const PreparedProblem& prepared, const SolveOptions& options);
// In its place, as if the problem were too hard for any engine: finds nothing until its time is over or it is
// told to stop.
absl::StatusOr<SolveResult> SolveInVain(const PreparedProblem& prepared, const SolveOptions& options);

class TestServer {
 public:
  explicit TestServer(const Settings& settings = QuietSettings(), SolveFunction solve = &SolveInEarnest);

  [[nodiscard]] AllocationServer& server() { return *server_; }
  [[nodiscard]] ServiceState& state();
  [[nodiscard]] const std::shared_ptr<grpc::Channel>& channel() const { return channel_; }
  [[nodiscard]] v1::AllocationService::Stub& stub() { return *stub_; }

  // Waits, without a limit of its own, until the server's levels are so.
  void Await(const std::function<bool(const Levels&)>& condition);

 private:
  std::unique_ptr<AllocationServer> server_;
  std::shared_ptr<grpc::Channel> channel_;
  std::unique_ptr<v1::AllocationService::Stub> stub_;
};

// Keeps every worker of a server busy from construction until Release() or destruction.
class BusyWorkers {
 public:
  explicit BusyWorkers(TestServer& server);
  ~BusyWorkers() { Release(); }
  BusyWorkers(const BusyWorkers&) = delete;
  BusyWorkers& operator=(const BusyWorkers&) = delete;
  BusyWorkers(BusyWorkers&&) = delete;
  BusyWorkers& operator=(BusyWorkers&&) = delete;

  void Release();

 private:
  std::shared_ptr<Signal> release_ = std::make_shared<Signal>();
};

// One SolveAllocation on its way.
class SolveInFlight {
 public:
  SolveInFlight(TestServer& server, const v1::SolveAllocationRequest& request,
                std::chrono::milliseconds deadline);
  // Waits for the answer.
  ~SolveInFlight() { done_.Wait(); }
  SolveInFlight(const SolveInFlight&) = delete;
  SolveInFlight& operator=(const SolveInFlight&) = delete;
  SolveInFlight(SolveInFlight&&) = delete;
  SolveInFlight& operator=(SolveInFlight&&) = delete;

  void Cancel() { context_.TryCancel(); }
  [[nodiscard]] bool answered() const { return done_.done(); }
  // Wait for the answer.
  const grpc::Status& status();
  const v1::AllocationResult& result();
  // The trailing metadata's value; empty without.
  std::string trailer(const std::string& key);

 private:
  v1::SolveAllocationRequest request_;
  v1::SolveAllocationResponse response_;
  grpc::ClientContext context_;
  grpc::Status status_;
  Signal done_;
};

// Long enough for anything that is expected to end.
inline constexpr std::chrono::milliseconds kLong = std::chrono::minutes(2);

v1::SolveAllocationRequest RequestFor(const Problem& problem);

// Two buffers of 4 bytes that live together: fits 8.
Problem EasyProblem();

// A perfect tiling of its capacity by `rectangles`; with thirty or more no greedy order finds it again.
Problem HardProblem(std::uint64_t seed, int rectangles);

// To solve it by TelaMalloc's search alone, so that it goes to a worker even if greedy placement finds it.
v1::SolveAllocationRequest HardRequest(std::uint64_t seed, int rectangles);

// Whether the offsets are a placement of `problem`, capacity apart, with that peak, and the rest of the
// result agrees.
::testing::AssertionResult IsSound(const Problem& problem, const v1::AllocationResult& result);

// The details of an error.
std::string ReasonOf(const grpc::Status& status);
std::vector<std::string> BadFieldsOf(const grpc::Status& status);
bool HasRetryInfo(const grpc::Status& status);

}  // namespace telamalloc::server

#endif  // TELAMALLOC_TESTS_SERVER_TEST_SERVER_H_

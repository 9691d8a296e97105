#include "server/test_server.h"

#include <google/rpc/error_details.pb.h>
#include <grpcpp/create_channel.h>
#include <grpcpp/security/credentials.h>
#include <grpcpp/support/channel_arguments.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "convert/convert.h"
#include "server/deadline.h"
#include "server/parts.h"
#include "server/test_signal.h"
#include "support/random_problem.h"
#include "telamalloc/solution.h"

namespace telamalloc::server {
namespace {

// A part of the tiling that is still to be cut.
struct Region {
  std::int64_t start;
  std::int64_t end;
  std::int64_t lower;
  std::int64_t upper;
};

// Cuts off a part of `region`, in time or in address, at random.
Region CutOff(Region& region, testing::Random& random) {
  Region part = region;
  const std::int64_t ticks = region.end - region.start;
  const std::int64_t bytes = region.upper - region.lower;
  const bool in_time = ticks > 1 && (bytes <= 1 || random.OneIn(2));
  if (in_time) {
    region.end = part.start = region.start + random.Uniform(1, ticks - 1);
  } else {
    region.upper = part.lower = region.lower + random.Uniform(1, bytes - 1);
  }
  return part;
}

// What a caller writes before a call, its callback reads on a thread of gRPC's. How gRPC orders the two, the
// thread sanitizer does not see; this it does.
void PassToOtherThreads() {
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
}

template <typename Detail>
bool FindDetail(const grpc::Status& status, Detail& detail) {
  google::rpc::Status details;
  if (!details.ParseFromString(status.error_details())) return false;
  for (const auto& any : details.details()) {
    if (any.UnpackTo(&detail)) return true;
  }
  return false;
}

}  // namespace

Settings QuietSettings() {
  return {.listen_address = "127.0.0.1:0",
          .admin_address = "127.0.0.1:0",
          .workers = 1,
          .log_level = LogLevel::kOff};
}

absl::StatusOr<SolveResult> SolveInEarnest(const PreparedProblem& prepared, const SolveOptions& options) {
  return Solve(prepared, options);
}

absl::StatusOr<SolveResult> SolveInVain(const PreparedProblem& prepared, const SolveOptions& options) {
  const TimePoint start = Clock::now();
  SolveResult result = {.limit = Limit::kTime, .lower_bound = prepared.lower_bound()};
  while (!options.time_limit || Clock::now() - start < *options.time_limit) {
    if (options.stop && options.stop()) {
      result.limit = Limit::kCancelled;
      break;
    }
    std::this_thread::yield();
  }
  return result;
}

TestServer::TestServer(const Settings& settings, SolveFunction solve) {
  absl::StatusOr<std::unique_ptr<AllocationServer>> server =
      AllocationServer::Start(settings, std::move(solve));
  if (!server.ok()) throw std::runtime_error(server.status().ToString());
  server_ = *std::move(server);
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);  // no connection of another test's
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  channel_ = grpc::CreateCustomChannel(absl::StrCat("127.0.0.1:", server_->port()),
                                       grpc::InsecureChannelCredentials(), arguments);
  stub_ = v1::AllocationService::NewStub(channel_);
}

ServiceState& TestServer::state() { return server_->parts().state; }

void TestServer::Await(const std::function<bool(const Levels&)>& condition) {
  while (!condition(state().GetLevels())) std::this_thread::yield();
}

BusyWorkers::BusyWorkers(TestServer& server) {
  for (int worker = 0; worker < server.state().workers; ++worker) {
    const auto started = std::make_shared<Signal>();
    const auto hold = [started, release = release_] {
      started->Notify();
      release->Wait();
    };
    while (!server.state().queue.Push(0, hold)) std::this_thread::yield();
    started->Wait();
  }
}

void BusyWorkers::Release() {
  if (!release_->done()) release_->Notify();
}

SolveInFlight::SolveInFlight(TestServer& server, const v1::SolveAllocationRequest& request,
                             std::chrono::milliseconds deadline)
    : request_(request) {
  context_.set_deadline(std::chrono::system_clock::now() + deadline);
  PassToOtherThreads();
  server.stub().async()->SolveAllocation(&context_, &request_, &response_, [this](grpc::Status status) {
    PassToOtherThreads();
    status_ = std::move(status);
    done_.Notify();
  });
}

const grpc::Status& SolveInFlight::status() {
  done_.Wait();
  return status_;
}

const v1::AllocationResult& SolveInFlight::result() {
  done_.Wait();
  return response_.result();
}

std::string SolveInFlight::trailer(const std::string& key) {
  done_.Wait();
  const auto& metadata = context_.GetServerTrailingMetadata();
  const auto found = metadata.find(key);
  return found == metadata.end() ? "" : std::string(found->second.data(), found->second.size());
}

v1::SolveAllocationRequest RequestFor(const Problem& problem) {
  v1::SolveAllocationRequest request;
  *request.mutable_problem() = ToProto(problem);
  return request;
}

Problem EasyProblem() {
  return {
      .buffers = {{.start = 0, .end = 2, .size = 4, .id = "a"}, {.start = 1, .end = 3, .size = 4, .id = "b"}},
      .capacity = 8};
}

Problem HardProblem(std::uint64_t seed, int rectangles) {
  testing::Random random(seed);
  std::vector<Region> regions = {{.start = 0, .end = 4000, .lower = 0, .upper = 1 << 20}};
  while (static_cast<int>(regions.size()) < rectangles) {
    const auto k = static_cast<std::size_t>(random.Uniform(0, static_cast<std::int64_t>(regions.size()) - 1));
    Region region = regions[k];
    if (region.end - region.start <= 1 && region.upper - region.lower <= 1) continue;
    const Region part = CutOff(region, random);
    regions[k] = region;
    regions.push_back(part);
  }
  Problem problem = {.buffers = {}, .capacity = 1 << 20};
  for (const Region& region : regions) {
    problem.buffers.push_back(
        {.start = region.start, .end = region.end, .size = region.upper - region.lower});
  }
  return problem;
}

v1::SolveAllocationRequest HardRequest(std::uint64_t seed, int rectangles) {
  v1::SolveAllocationRequest request = RequestFor(HardProblem(seed, rectangles));
  request.mutable_options()->set_solver("telamalloc");
  return request;
}

::testing::AssertionResult IsSound(const Problem& problem, const v1::AllocationResult& result) {
  const std::vector<std::int64_t> offsets(result.offsets().begin(), result.offsets().end());
  const VerifyReport report = Verify(problem, offsets, CapacityRule::kIgnored);
  if (!report.ok()) return ::testing::AssertionFailure() << report.violations.front().description;
  const bool over_capacity = problem.capacity && report.peak > *problem.capacity;
  const bool solved = result.outcome() == v1::OUTCOME_FEASIBLE || result.outcome() == v1::OUTCOME_OPTIMAL;
  if (report.peak != result.peak() || over_capacity != result.over_capacity() || over_capacity == solved ||
      result.lower_bound() > result.peak()) {
    return ::testing::AssertionFailure() << "peak " << report.peak << " but " << result.ShortDebugString();
  }
  return ::testing::AssertionSuccess();
}

std::string ReasonOf(const grpc::Status& status) {
  google::rpc::ErrorInfo info;
  return FindDetail(status, info) ? info.reason() : "";
}

std::vector<std::string> BadFieldsOf(const grpc::Status& status) {
  google::rpc::BadRequest bad_request;
  std::vector<std::string> fields;
  if (!FindDetail(status, bad_request)) return fields;
  for (const auto& violation : bad_request.field_violations()) fields.push_back(violation.field());
  return fields;
}

bool HasRetryInfo(const grpc::Status& status) {
  google::rpc::RetryInfo retry;
  return FindDetail(status, retry) && (retry.retry_delay().seconds() > 0 || retry.retry_delay().nanos() > 0);
}

}  // namespace telamalloc::server

// A full queue, and what each policy makes of it. The workers are held, so that a request that is not settled
// on arrival waits.
#include <gtest/gtest.h>

#include <memory>

#include "absl/strings/numbers.h"
#include "server/test_server.h"
#include "server/test_signal.h"
#include "telamalloc/v1/allocation_service.pb.h"

namespace telamalloc::server {
namespace {

Settings WithoutQueue() {
  Settings settings = QuietSettings();
  settings.queue_capacity = 0;
  return settings;
}

v1::SolveAllocationRequest RequestWith(v1::FallbackPolicy policy) {
  v1::SolveAllocationRequest request = HardRequest(1, 100);
  request.mutable_options()->set_fallback_policy(policy);
  return request;
}

void ExpectShed(SolveInFlight& call) {
  EXPECT_EQ(call.status().error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_EQ(ReasonOf(call.status()), "QUEUE_FULL");
  EXPECT_TRUE(HasRetryInfo(call.status()));
  int pushback = 0;
  EXPECT_TRUE(absl::SimpleAtoi(call.trailer("grpc-retry-pushback-ms"), &pushback));
  EXPECT_GT(pushback, 0);
}

TEST(Overload, AnswersGreedilyByDefault) {
  TestServer server(WithoutQueue());
  const BusyWorkers busy(server);
  SolveInFlight call(server, RequestWith(v1::FALLBACK_POLICY_UNSPECIFIED), kLong);
  ASSERT_TRUE(call.status().ok()) << call.status().error_message();
  EXPECT_TRUE(IsSound(HardProblem(1, 100), call.result()));
  EXPECT_EQ(call.result().stop_reason(), v1::STOP_REASON_OVERLOAD);
  EXPECT_EQ(call.result().provenance(), v1::PROVENANCE_FALLBACK);
  EXPECT_EQ(call.result().method(), v1::METHOD_GREEDY);
}

TEST(Overload, IsRefusedWhereThePolicyAllowsNoFallback) {
  TestServer server(WithoutQueue());
  const BusyWorkers busy(server);
  for (const v1::FallbackPolicy policy : {v1::FALLBACK_POLICY_GREEDY_ON_TIMEOUT, v1::FALLBACK_POLICY_NONE}) {
    SolveInFlight call(server, RequestWith(policy), kLong);
    ExpectShed(call);
  }
}

TEST(Overload, IsRefusedWhereTheServerRejects) {
  Settings settings = WithoutQueue();
  settings.overload_policy = OverloadPolicy::kReject;
  TestServer server(settings);
  const BusyWorkers busy(server);
  SolveInFlight call(server, RequestWith(v1::FALLBACK_POLICY_GREEDY), kLong);
  ExpectShed(call);
}

TEST(Overload, LeavesWhatGreedySettlesAlone) {
  TestServer server(WithoutQueue());
  const BusyWorkers busy(server);
  SolveInFlight call(server, RequestFor(EasyProblem()), kLong);
  ASSERT_TRUE(call.status().ok()) << call.status().error_message();
  EXPECT_EQ(call.result().stop_reason(), v1::STOP_REASON_COMPLETED);
}

TEST(Overload, IsCountedInBytesToo) {
  Settings settings = QuietSettings();
  settings.queue_bytes = 1;
  TestServer server(settings);
  const BusyWorkers busy(server);
  SolveInFlight call(server, RequestWith(v1::FALLBACK_POLICY_NONE), kLong);
  ExpectShed(call);
}

TEST(Overload, EndsWhenAPlaceIsFree) {
  Settings settings = QuietSettings();
  settings.queue_capacity = 1;
  TestServer server(settings);
  BusyWorkers busy(server);
  v1::SolveAllocationRequest request = RequestWith(v1::FALLBACK_POLICY_NONE);
  request.mutable_options()->set_max_nodes(5);
  SolveInFlight waiting(server, request, kLong);
  server.Await([](const Levels& levels) { return levels.queue_entries == 1; });
  SolveInFlight shed(server, request, kLong);
  ExpectShed(shed);
  busy.Release();
  EXPECT_TRUE(waiting.status().ok()) << waiting.status().error_message();
  SolveInFlight next(server, request, kLong);
  EXPECT_TRUE(next.status().ok()) << next.status().error_message();
}

// Keeps small requests from being read, until the end: work that goes first and does not finish.
class BusyIntake {
 public:
  explicit BusyIntake(TestServer& server) : server_(&server) {
    server.state().takes_in_inline = true;
    for (int k = 0; k < 8; ++k) EXPECT_TRUE(Push());
  }
  ~BusyIntake() {
    release_->Notify();
    server_->state().takes_in_inline = false;
  }
  BusyIntake(const BusyIntake&) = delete;
  BusyIntake& operator=(const BusyIntake&) = delete;
  BusyIntake(BusyIntake&&) = delete;
  BusyIntake& operator=(BusyIntake&&) = delete;

  // Until nothing more may wait.
  void Fill() {
    while (Push()) {
    }
  }

 private:
  bool Push() {
    return server_->state().small_intake.Push(0, [release = release_] { release->Wait(); }).has_value();
  }

  TestServer* server_;
  std::shared_ptr<Signal> release_ = std::make_shared<Signal>();
};

TEST(Overload, IsRefusedAtOnceWhenNoMoreCanBeReadInTime) {
  TestServer server;
  BusyIntake busy(server);
  busy.Fill();
  SolveInFlight call(server, RequestFor(EasyProblem()), kLong);
  ExpectShed(call);
}

TEST(Overload, IsRefusedInTimeWhenTheTurnToBeReadDoesNotCome) {
  TestServer server;
  const BusyIntake busy(server);
  v1::SolveAllocationRequest request = RequestFor(EasyProblem());
  request.mutable_options()->mutable_solve_budget()->set_nanos(50'000'000);
  SolveInFlight call(server, request, kLong);
  ExpectShed(call);
}

}  // namespace
}  // namespace telamalloc::server

// A server that shuts down leaves nobody without an answer.
#include <grpcpp/create_channel.h>
#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <thread>

#include "server/deadline.h"
#include "server/http_client.h"
#include "server/test_server.h"
#include "server/test_signal.h"
#include "telamalloc/solver.h"
#include "telamalloc/v1/allocation_service.pb.h"

namespace telamalloc::server {
namespace {

Settings WithDrainTimeout(std::chrono::nanoseconds timeout) {
  Settings settings = QuietSettings();
  settings.drain_timeout = timeout;
  return settings;
}

TEST(Drain, AnswersWhatWaitsWithItsBest) {
  TestServer server(WithDrainTimeout(std::chrono::hours(1)));
  BusyWorkers busy(server);
  SolveInFlight waiting(server, HardRequest(1, 100), kLong);
  v1::SolveAllocationRequest strict = HardRequest(1, 100);
  strict.mutable_options()->set_fallback_policy(v1::FALLBACK_POLICY_NONE);
  SolveInFlight waiting_strictly(server, strict, kLong);
  server.Await([](const Levels& levels) { return levels.queue_entries == 2; });
  server.server().Drain();
  ASSERT_TRUE(waiting.status().ok()) << waiting.status().error_message();
  EXPECT_TRUE(IsSound(HardProblem(1, 100), waiting.result()));
  EXPECT_EQ(waiting.result().stop_reason(), v1::STOP_REASON_DRAIN);
  EXPECT_EQ(waiting.result().provenance(), v1::PROVENANCE_FALLBACK);
  EXPECT_EQ(waiting_strictly.status().error_code(), grpc::StatusCode::UNAVAILABLE);
  EXPECT_EQ(ReasonOf(waiting_strictly.status()), "DRAINING");
  busy.Release();
}

// The solve ends when the drain has begun, and not before.
TEST(Drain, LetsARunningSolveFinish) {
  Signal release;
  TestServer server(WithDrainTimeout(std::chrono::hours(1)),
                    [&release](const PreparedProblem& prepared, const SolveOptions& options) {
                      release.Wait();
                      return Solve(prepared, options);
                    });
  v1::SolveAllocationRequest request = HardRequest(1, 100);
  request.mutable_options()->set_max_nodes(10);
  SolveInFlight running(server, request, kLong);
  server.Await([](const Levels& levels) { return levels.workers_busy == 1; });
  std::jthread drain([&] { server.server().Drain(); });
  while (!server.state().draining) std::this_thread::yield();
  release.Notify();
  ASSERT_TRUE(running.status().ok()) << running.status().error_message();
  EXPECT_EQ(running.result().stop_reason(), v1::STOP_REASON_NODES);
}

TEST(Drain, EndsARunningSolveAtItsTimeout) {
  TestServer server(WithDrainTimeout(std::chrono::nanoseconds(0)), &SolveInVain);
  SolveInFlight running(server, HardRequest(1, 100), kLong);
  server.Await([&](const Levels& levels) { return levels.workers_busy == 1 || running.answered(); });
  ASSERT_FALSE(running.answered());
  server.server().Drain();
  ASSERT_TRUE(running.status().ok()) << running.status().error_message();
  EXPECT_TRUE(IsSound(HardProblem(1, 100), running.result()));
  EXPECT_EQ(running.result().stop_reason(), v1::STOP_REASON_DRAIN);
}

TEST(Drain, RefusesNewRequestsMeanwhile) {
  TestServer server(WithDrainTimeout(std::chrono::hours(1)), &SolveInVain);
  SolveInFlight running(server, HardRequest(1, 100), kLong);
  server.Await([&](const Levels& levels) { return levels.workers_busy == 1 || running.answered(); });
  ASSERT_FALSE(running.answered());
  std::jthread drain([&] { server.server().Drain(); });
  while (!server.state().draining) std::this_thread::yield();
  SolveInFlight refused(server, RequestFor(EasyProblem()), kLong);
  EXPECT_EQ(refused.status().error_code(), grpc::StatusCode::UNAVAILABLE);
  EXPECT_EQ(ReasonOf(refused.status()), "DRAINING");
  EXPECT_EQ(HttpGet(server.server().admin_port(), "/readyz").status, 503);
  EXPECT_EQ(HttpGet(server.server().admin_port(), "/livez").status, 200);
  running.Cancel();
}

TEST(Drain, IsDoneOnceForAll) {
  TestServer server(WithDrainTimeout(std::chrono::hours(1)));
  std::jthread first([&] { server.server().Drain(); });
  std::jthread second([&] { server.server().Drain(); });
  server.server().Wait();
}

// A call that no worker takes is answered when predrain is over, and not before.
TEST(Drain, ServesUntilPredrainIsOver) {
  Settings settings = QuietSettings();
  settings.predrain = std::chrono::seconds(2 + kSlowdown / 2);  // ample for an easy request
  settings.default_budget = std::chrono::hours(1);
  TestServer server(settings);
  BusyWorkers busy(server);
  SolveInFlight waiting(server, HardRequest(1, 100), kLong);
  server.Await([](const Levels& levels) { return levels.queue_entries == 1; });
  const TimePoint start = Clock::now();
  std::jthread drain([&] { server.server().Drain(); });
  while (server.state().ready) std::this_thread::yield();
  SolveInFlight during(server, RequestFor(EasyProblem()), kLong);
  EXPECT_TRUE(during.status().ok()) << during.status().error_message();
  EXPECT_FALSE(waiting.answered());
  EXPECT_TRUE(waiting.status().ok()) << waiting.status().error_message();
  EXPECT_EQ(waiting.result().stop_reason(), v1::STOP_REASON_DRAIN);
  EXPECT_GE(Clock::now() - start, settings.predrain);
  busy.Release();
  drain.join();
  SolveInFlight after(server, RequestFor(EasyProblem()), kLong);
  EXPECT_EQ(after.status().error_code(), grpc::StatusCode::UNAVAILABLE);
}

}  // namespace
}  // namespace telamalloc::server

// Everything that may answer a call, all at once: completion, hard stop, cancellation, overload, drain.
// Nothing is asserted but that every call ends with a status that exists for it; what matters is what a
// sanitizer finds.
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <set>
#include <thread>
#include <vector>

#include "server/http_client.h"
#include "server/test_server.h"
#include "support/random_problem.h"
#include "telamalloc/problem.h"
#include "telamalloc/v1/allocation_service.pb.h"

namespace telamalloc::server {
namespace {

bool IsPossible(grpc::StatusCode code) {
  static const std::set<grpc::StatusCode> possible = {
      grpc::StatusCode::OK, grpc::StatusCode::CANCELLED, grpc::StatusCode::DEADLINE_EXCEEDED,
      grpc::StatusCode::RESOURCE_EXHAUSTED, grpc::StatusCode::UNAVAILABLE};
  return possible.contains(code);
}

v1::SolveAllocationRequest RandomRequest(testing::Random& random) {
  const Problem problem = random.OneIn(4) ? EasyProblem() : HardProblem(random.Next(), 60);
  v1::SolveAllocationRequest request = RequestFor(problem);
  v1::SolveOptions& options = *request.mutable_options();
  options.set_fallback_policy(static_cast<v1::FallbackPolicy>(random.Uniform(0, 3)));
  if (random.OneIn(2))
    options.mutable_solve_budget()->set_nanos(static_cast<int>(random.Uniform(1, 3'000'000)));
  if (random.OneIn(3)) options.set_max_nodes(random.Uniform(0, 2000));
  if (random.OneIn(3)) options.set_objective(v1::OBJECTIVE_MINIMIZE);
  return request;
}

// Calls one after another, some of which it gives up.
void CallAtRandom(TestServer& server, std::uint64_t seed) {
  testing::Random random(seed);
  for (int round = 0; round < 15; ++round) {
    std::vector<std::unique_ptr<SolveInFlight>> calls;
    calls.reserve(6);
    for (int k = 0; k < 6; ++k) {
      calls.push_back(std::make_unique<SolveInFlight>(server, RandomRequest(random),
                                                      std::chrono::milliseconds(random.Uniform(1, 200))));
    }
    for (const auto& call : calls) {
      if (random.OneIn(3)) call->Cancel();
    }
    for (const auto& call : calls) {
      EXPECT_TRUE(IsPossible(call->status().error_code())) << call->status().error_message();
    }
  }
}

TEST(Race, EveryCallEndsWhateverHappensAtOnce) {
  for (std::uint64_t run = 0; run < 3; ++run) {
    Settings settings = QuietSettings();
    settings.workers = 2;
    settings.queue_capacity = 4;
    settings.drain_timeout = std::chrono::milliseconds(5);
    TestServer server(settings);
    std::vector<std::jthread> callers;
    for (std::uint64_t caller = 0; caller < 3; ++caller) {
      callers.emplace_back([&server, caller, run] { CallAtRandom(server, run * 10 + caller); });
    }
    server.Await([&](const Levels& /*levels*/) { return server.state().recent.Get().size() == 32; });
    EXPECT_EQ(HttpGet(server.server().admin_port(), "/statusz").status, 200);
    EXPECT_EQ(HttpGet(server.server().admin_port(), "/metrics").status, 200);
    server.server().Drain();
    callers.clear();  // joins
  }
}

}  // namespace
}  // namespace telamalloc::server

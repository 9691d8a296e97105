// Many more hard problems than the workers can solve, each with a deadline: all are answered before it.
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <vector>

#include "server/test_server.h"
#include "telamalloc/problem.h"
#include "telamalloc/v1/allocation_service.pb.h"

namespace telamalloc::server {
namespace {

TEST(DeadlineStorm, IsAnsweredInTime) {
  constexpr int kRequests = 200;
  constexpr int kProblems = 8;
  // Client and server share this process, and it the machine with other tests: replies get time to travel.
  // What holds at the default margin is measured, not tested: see deadline_storm.cc.
  Settings settings = QuietSettings();
  settings.min_reply_margin = std::chrono::milliseconds(100) * kSlowdown;
  TestServer server(settings);
  std::vector<Problem> problems;
  for (int k = 0; k < kProblems; ++k) problems.push_back(HardProblem(k, 80));
  std::vector<std::unique_ptr<SolveInFlight>> calls;
  for (int k = 0; k < kRequests; ++k) {
    v1::SolveAllocationRequest request = RequestFor(problems[k % kProblems]);
    request.mutable_options()->set_solver("telamalloc");
    if (k % 3 == 0) request.mutable_options()->set_objective(v1::OBJECTIVE_MINIMIZE);
    const auto deadline = std::chrono::milliseconds(400 + 3 * k) * kSlowdown;
    calls.push_back(std::make_unique<SolveInFlight>(server, request, deadline));
  }
  for (int k = 0; k < kRequests; ++k) {
    ASSERT_TRUE(calls[k]->status().ok()) << k << ": " << calls[k]->status().error_message();
    EXPECT_TRUE(IsSound(problems[k % kProblems], calls[k]->result())) << k;
  }
  server.Await([](const Levels& levels) { return levels.in_flight == 0; });
  EXPECT_EQ(server.state().queue.entries(), 0);
}

}  // namespace
}  // namespace telamalloc::server

// What a caller gets who asks for something sensible.
#include <gmock/gmock.h>
#include <grpcpp/client_context.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>

#include "absl/strings/str_cat.h"
#include "server/test_server.h"
#include "support/random_problem.h"
#include "telamalloc/problem.h"
#include "telamalloc/solver.h"
#include "telamalloc/v1/allocation_service.pb.h"

namespace telamalloc::server {
namespace {

TEST(SolveAllocation, PlacesWhatFits) {
  TestServer server;
  SolveInFlight call(server, RequestFor(EasyProblem()), kLong);
  ASSERT_TRUE(call.status().ok()) << call.status().error_message();
  const v1::AllocationResult& result = call.result();
  EXPECT_TRUE(IsSound(EasyProblem(), result));
  EXPECT_EQ(result.outcome(), v1::OUTCOME_FEASIBLE);
  EXPECT_EQ(result.stop_reason(), v1::STOP_REASON_COMPLETED);
  EXPECT_EQ(result.provenance(), v1::PROVENANCE_SOLVED);
  EXPECT_EQ(result.method(), v1::METHOD_GREEDY);
  EXPECT_EQ(result.stats().solver_version(), SolverVersion());
  EXPECT_EQ(result.stats().server_id(), server.state().server_id);
  EXPECT_GT(result.stats().budget().seconds() + result.stats().budget().nanos(), 0);
  EXPECT_EQ(call.trailer("x-request-id").size(), 16U);
}

TEST(SolveAllocation, AnswersAnEmptyProblem) {
  TestServer server;
  v1::SolveAllocationRequest request = RequestFor({});
  request.mutable_options()->set_objective(v1::OBJECTIVE_MINIMIZE);
  SolveInFlight call(server, request, kLong);
  ASSERT_TRUE(call.status().ok()) << call.status().error_message();
  EXPECT_EQ(call.result().outcome(), v1::OUTCOME_OPTIMAL);
  EXPECT_EQ(call.result().peak(), 0);
}

TEST(SolveAllocation, MinimisesWithoutACapacity) {
  TestServer server;
  Problem problem = EasyProblem();
  problem.capacity.reset();
  v1::SolveAllocationRequest request = RequestFor(problem);
  request.mutable_options()->set_objective(v1::OBJECTIVE_MINIMIZE);
  SolveInFlight call(server, request, kLong);
  ASSERT_TRUE(call.status().ok()) << call.status().error_message();
  EXPECT_TRUE(IsSound(problem, call.result()));
  EXPECT_EQ(call.result().outcome(), v1::OUTCOME_OPTIMAL);
  EXPECT_EQ(call.result().peak(), 8);
  EXPECT_EQ(call.result().lower_bound(), 8);
}

TEST(SolveAllocation, ExplainsWhatCannotFit) {
  TestServer server;
  Problem problem = EasyProblem();
  problem.capacity = 7;
  SolveInFlight call(server, RequestFor(problem), kLong);
  ASSERT_TRUE(call.status().ok()) << call.status().error_message();
  const v1::AllocationResult& result = call.result();
  EXPECT_TRUE(IsSound(problem, result));
  EXPECT_EQ(result.outcome(), v1::OUTCOME_INFEASIBLE);
  EXPECT_EQ(result.method(), v1::METHOD_LOAD_BOUND);
  EXPECT_TRUE(result.over_capacity());
  EXPECT_EQ(result.infeasibility().needed(), 8);
  EXPECT_EQ(result.infeasibility().available(), 7);
  EXPECT_THAT(result.infeasibility().buffers(), ::testing::ElementsAre(0, 1));
}

TEST(SolveAllocation, ValidatesWithoutSolving) {
  TestServer server;
  v1::SolveAllocationRequest request = RequestFor(EasyProblem());
  request.mutable_options()->set_validate_only(true);
  SolveInFlight call(server, request, kLong);
  ASSERT_TRUE(call.status().ok()) << call.status().error_message();
  EXPECT_EQ(call.result().lower_bound(), 8);
  EXPECT_TRUE(call.result().offsets().empty());
  EXPECT_EQ(call.result().outcome(), v1::OUTCOME_UNSPECIFIED);
  EXPECT_EQ(call.result().stop_reason(), v1::STOP_REASON_UNSPECIFIED);
  EXPECT_EQ(call.result().provenance(), v1::PROVENANCE_UNSPECIFIED);
}

TEST(SolveAllocation, RunsEverySolverByName) {
  TestServer server;
  for (const absl::string_view solver : SolverNames()) {
    v1::SolveAllocationRequest request = RequestFor(EasyProblem());
    request.mutable_options()->set_solver(absl::StrCat(solver));
    SolveInFlight call(server, request, kLong);
    ASSERT_TRUE(call.status().ok()) << solver << ": " << call.status().error_message();
    EXPECT_TRUE(IsSound(EasyProblem(), call.result())) << solver;
  }
}

TEST(SolveAllocation, TellsTheNodeLimitFromTheEnd) {
  TestServer server;
  const Problem problem = HardProblem(1, 200);
  v1::SolveAllocationRequest request = HardRequest(1, 200);
  request.mutable_options()->set_max_nodes(10);
  SolveInFlight call(server, request, kLong);
  ASSERT_TRUE(call.status().ok()) << call.status().error_message();
  EXPECT_TRUE(IsSound(problem, call.result()));
  EXPECT_EQ(call.result().stop_reason(), v1::STOP_REASON_NODES);
  EXPECT_EQ(call.result().provenance(), v1::PROVENANCE_SOLVED);
  EXPECT_LE(call.result().stats().nodes(), 10);
}

TEST(SolveAllocation, AnswersTheBestAtHandWhenTheBudgetEnds) {
  TestServer server(QuietSettings(), &SolveInVain);
  const Problem problem = HardProblem(2, 300);
  v1::SolveAllocationRequest request = HardRequest(2, 300);
  request.mutable_options()->mutable_solve_budget()->set_nanos(50'000'000);
  SolveInFlight call(server, request, kLong);
  ASSERT_TRUE(call.status().ok()) << call.status().error_message();
  EXPECT_TRUE(IsSound(problem, call.result()));
  EXPECT_EQ(call.result().outcome(), v1::OUTCOME_NO_SOLUTION_FOUND);
  EXPECT_TRUE(call.result().over_capacity());
  EXPECT_EQ(call.result().stop_reason(), v1::STOP_REASON_TIME);
  EXPECT_EQ(call.result().provenance(), v1::PROVENANCE_FALLBACK);
}

TEST(SolveAllocation, AnswersNothingElseWhenThePolicyIsNone) {
  TestServer server(QuietSettings(), &SolveInVain);
  v1::SolveAllocationRequest request = HardRequest(2, 300);
  request.mutable_options()->mutable_solve_budget()->set_nanos(50'000'000);
  request.mutable_options()->set_fallback_policy(v1::FALLBACK_POLICY_NONE);
  SolveInFlight call(server, request, kLong);
  EXPECT_EQ(call.status().error_code(), grpc::StatusCode::DEADLINE_EXCEEDED);
  EXPECT_EQ(ReasonOf(call.status()), "TIME_EXHAUSTED");
}

TEST(SolveAllocation, TellsTheFiguresOfASearchThatRanOutOfTime) {
  TestServer server(QuietSettings(),
                    [](const PreparedProblem& /*prepared*/, const SolveOptions& /*options*/) {
                      return SolveResult{.limit = Limit::kTime, .stats = {.nodes = 7, .minor_backtracks = 5}};
                    });
  SolveInFlight call(server, HardRequest(1, 100), kLong);
  ASSERT_TRUE(call.status().ok()) << call.status().error_message();
  EXPECT_EQ(call.result().stop_reason(), v1::STOP_REASON_TIME);
  EXPECT_EQ(call.result().provenance(), v1::PROVENANCE_FALLBACK);
  EXPECT_EQ(call.result().stats().nodes(), 7);
  EXPECT_EQ(call.result().stats().minor_backtracks(), 5);
}

// The worker is held, so that only the timer can answer.
TEST(SolveAllocation, AnswersFromTheQueueAtTheHardStop) {
  TestServer server;
  const BusyWorkers busy(server);
  const Problem problem = HardProblem(3, 100);
  v1::SolveAllocationRequest request = HardRequest(3, 100);
  request.mutable_options()->mutable_solve_budget()->set_nanos(50'000'000);
  SolveInFlight call(server, request, kLong);
  ASSERT_TRUE(call.status().ok()) << call.status().error_message();
  EXPECT_TRUE(IsSound(problem, call.result()));
  EXPECT_EQ(call.result().stop_reason(), v1::STOP_REASON_TIME);
  EXPECT_EQ(call.result().provenance(), v1::PROVENANCE_FALLBACK);
  EXPECT_EQ(call.result().method(), v1::METHOD_GREEDY);
  EXPECT_EQ(server.state().queue.entries(), 0);
}

TEST(SolveAllocation, GivesEqualOffsetsToEqualRequests) {
  TestServer server;
  v1::SolveAllocationRequest request = HardRequest(4, 150);
  request.mutable_options()->set_max_nodes(500);
  SolveInFlight first(server, request, kLong);
  ASSERT_TRUE(first.status().ok());
  SolveInFlight second(server, request, kLong);
  ASSERT_TRUE(second.status().ok());
  EXPECT_THAT(second.result().offsets(), ::testing::ElementsAreArray(first.result().offsets()));
}

TEST(SolveAllocation, TakesLargeProblemsThroughTheIntake) {
  TestServer server;
  const Problem problem =
      testing::RandomProblem(5, {.buffers = 20'000, .ticks = 5'000, .max_size = 1000, .ids = false});
  v1::SolveAllocationRequest request = RequestFor(problem);
  request.mutable_options()->set_objective(v1::OBJECTIVE_MINIMIZE);
  request.mutable_options()->set_solver("greedy");
  SolveInFlight call(server, request, kLong);
  ASSERT_TRUE(call.status().ok()) << call.status().error_message();
  EXPECT_TRUE(IsSound(problem, call.result()));
}

TEST(SolveAllocation, KeepsTheCallersRequestId) {
  TestServer server;
  grpc::ClientContext context;
  context.AddMetadata("x-request-id", "build-7");
  v1::SolveAllocationResponse response;
  ASSERT_TRUE(server.stub().SolveAllocation(&context, RequestFor(EasyProblem()), &response).ok());
  const auto& trailers = context.GetServerTrailingMetadata();
  ASSERT_NE(trailers.find("x-request-id"), trailers.end());
  EXPECT_EQ(trailers.find("x-request-id")->second, "build-7");
}

TEST(SolveAllocation, WorksWithoutADeadline) {
  TestServer server;
  grpc::ClientContext context;
  v1::SolveAllocationResponse response;
  const grpc::Status status = server.stub().SolveAllocation(&context, RequestFor(EasyProblem()), &response);
  ASSERT_TRUE(status.ok()) << status.error_message();
  EXPECT_EQ(response.result().stats().budget().seconds(), 10);  // default_budget
}

TEST(GetCapabilities, TellsWhatTheServerAcceptsAndRuns) {
  Settings settings = QuietSettings();
  settings.workers = 3;
  settings.queue_capacity = 7;
  settings.max_buffers = 99;
  settings.max_message_bytes = 12345;
  settings.default_budget = std::chrono::seconds(2);
  settings.max_budget = std::chrono::seconds(4);
  TestServer server(settings);
  grpc::ClientContext context;
  v1::GetCapabilitiesResponse response;
  ASSERT_TRUE(server.stub().GetCapabilities(&context, {}, &response).ok());
  EXPECT_EQ(response.workers(), 3);
  EXPECT_EQ(response.queue_capacity(), 7);
  EXPECT_EQ(response.max_buffers(), 99);
  EXPECT_EQ(response.max_message_bytes(), 12345);
  EXPECT_EQ(response.default_budget().seconds(), 2);
  EXPECT_EQ(response.max_budget().seconds(), 4);
  EXPECT_EQ(response.solver_version(), SolverVersion());
  EXPECT_EQ(response.server_id(), server.state().server_id);
  EXPECT_THAT(response.solvers(), ::testing::ElementsAreArray(SolverNames()));
}

}  // namespace
}  // namespace telamalloc::server

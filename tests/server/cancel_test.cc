// A caller who gives up frees what the server held for him.
#include <gtest/gtest.h>

#include "server/test_server.h"
#include "telamalloc/v1/allocation_service.pb.h"

namespace telamalloc::server {
namespace {

TEST(Cancel, FreesThePlaceInTheQueue) {
  TestServer server;
  const BusyWorkers busy(server);
  SolveInFlight call(server, HardRequest(1, 100), kLong);
  server.Await([](const Levels& levels) { return levels.queue_entries == 1; });
  EXPECT_GT(server.state().queue.bytes(), 0);
  call.Cancel();
  EXPECT_EQ(call.status().error_code(), grpc::StatusCode::CANCELLED);
  server.Await([](const Levels& levels) { return levels.queue_entries == 0 && levels.in_flight == 0; });
  EXPECT_EQ(server.state().queue.bytes(), 0);
}

TEST(Cancel, FreesTheWorker) {
  TestServer server(QuietSettings(), &SolveInVain);
  SolveInFlight call(server, HardRequest(1, 100), kLong);
  server.Await([&](const Levels& levels) { return levels.workers_busy == 1 || call.answered(); });
  ASSERT_FALSE(call.answered());
  call.Cancel();
  EXPECT_EQ(call.status().error_code(), grpc::StatusCode::CANCELLED);
  server.Await([](const Levels& levels) { return levels.workers_busy == 0 && levels.in_flight == 0; });
  SolveInFlight next(server, RequestFor(EasyProblem()), kLong);
  EXPECT_TRUE(next.status().ok()) << next.status().error_message();
}

TEST(Cancel, IsWhatGrpcDoesWhenTheCallersDeadlinePasses) {
  TestServer server;
  const BusyWorkers busy(server);
  v1::SolveAllocationRequest request = RequestFor(EasyProblem());
  SolveInFlight call(server, request, std::chrono::milliseconds(-1));
  EXPECT_EQ(call.status().error_code(), grpc::StatusCode::DEADLINE_EXCEEDED);
  server.Await([](const Levels& levels) { return levels.in_flight == 0; });
}

}  // namespace
}  // namespace telamalloc::server

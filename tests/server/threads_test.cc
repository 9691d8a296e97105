// Threads do not grow with the requests in flight.
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <iterator>
#include <memory>
#include <vector>

#include "server/test_server.h"
#include "telamalloc/v1/allocation_service.pb.h"

namespace telamalloc::server {
namespace {

long ThreadCount() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/task"),
                       std::filesystem::directory_iterator());
}

TEST(Threads, DoNotGrowWithRequestsInFlight) {
  TestServer server;
  const BusyWorkers busy(server);
  const v1::SolveAllocationRequest request = HardRequest(1, 30);
  std::vector<std::unique_ptr<SolveInFlight>> calls;
  const auto have_in_flight = [&](std::size_t count) {
    while (calls.size() < count) calls.push_back(std::make_unique<SolveInFlight>(server, request, kLong));
    server.Await(
        [&](const Levels& levels) { return levels.queue_entries == static_cast<std::int64_t>(count); });
  };
  have_in_flight(20);  // every thread that gRPC takes for itself has started
  const long with_few = ThreadCount();
  have_in_flight(500);
  EXPECT_LE(ThreadCount(), with_few + 4);  // gRPC's own pool breathes a little
  for (const auto& call : calls) call->Cancel();
}

}  // namespace
}  // namespace telamalloc::server

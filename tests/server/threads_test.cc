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

TEST(Threads, AreAsManyWithTwoThousandRequestsInFlightAsWithOne) {
  constexpr std::size_t kMany = 2000;
  Settings settings = QuietSettings();
  settings.queue_capacity = kMany;
  TestServer server(settings);
  const BusyWorkers busy(server);
  const v1::SolveAllocationRequest request = HardRequest(1, 30);
  const auto count_with = [&](std::size_t in_flight) {
    std::vector<std::unique_ptr<SolveInFlight>> calls;
    while (calls.size() < in_flight) {
      calls.push_back(std::make_unique<SolveInFlight>(server, request, kLong));
    }
    server.Await(
        [&](const Levels& levels) { return levels.queue_entries == static_cast<std::int64_t>(in_flight); });
    const long threads = ThreadCount();
    for (const auto& call : calls) call->Cancel();
    server.Await([](const Levels& levels) { return levels.queue_entries == 0; });
    return threads;
  };
  count_with(kMany);  // every thread that gRPC takes for itself, on both sides, has started
  const long with_one = count_with(1);
  EXPECT_LE(count_with(kMany), with_one + 1);  // gRPC's timer has one thread or two
}

}  // namespace
}  // namespace telamalloc::server

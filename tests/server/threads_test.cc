// Threads do not grow with the requests in flight.
#include <gtest/gtest.h>
#include <unistd.h>

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
  const long cold = count_with(1);
  long with_one = 0;
  long with_many = count_with(kMany);
  // gRPC starts threads of its own when it first has much to do, and keeps them: executors, up to two to a
  // core of the machine, and one for its timers.
  const long warm = cold + 2 * sysconf(_SC_NPROCESSORS_CONF) + 1;
  for (int round = 0; round < 10 && with_one != with_many; ++round) {
    with_one = count_with(1);
    with_many = count_with(kMany);
  }
  EXPECT_EQ(with_many, with_one);
  EXPECT_LE(with_many, warm);
}

}  // namespace
}  // namespace telamalloc::server

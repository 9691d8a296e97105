// Which servers a client asks, and how they are named.
#include <array>
#include <atomic>
#include <string>

#include "absl/status/status.h"
#include "client/fake_server.h"
#include "gtest/gtest.h"
#include "telamalloc/client.h"
#include "telamalloc/problem.h"

namespace telamalloc {
namespace {

TEST(ClientServers, TakeTurns) {
  std::atomic<int> first_calls = 0;
  std::atomic<int> second_calls = 0;
  const auto counting = [](std::atomic<int>& calls) {
    return [&calls](grpc::ServerContext& context, const v1::SolveAllocationRequest& request,
                    v1::AllocationResult& result) {
      ++calls;
      return SolveHonestly(context, request, result);
    };
  };
  const FakeServer first(counting(first_calls));
  const FakeServer second(counting(second_calls));
  const auto client = Client::Create(first.address() + ", " + second.address());
  ASSERT_TRUE(client.ok()) << client.status();
  const Problem problem = {.buffers = {{.start = 0, .end = 1, .size = 4}}, .capacity = 4};
  for (int call = 0; call < 6; ++call) ASSERT_TRUE(client->Solve(problem).ok());
  EXPECT_EQ(first_calls, 3);
  EXPECT_EQ(second_calls, 3);
}

TEST(ClientServers, StepInForOneThatIsAway) {
  std::string gone;
  {
    const FakeServer server(SolveHonestly);
    gone = server.address();
  }
  const FakeServer server(SolveHonestly);
  const auto client = Client::Create(gone + "," + server.address());
  ASSERT_TRUE(client.ok()) << client.status();
  const Problem problem = {.buffers = {{.start = 0, .end = 1, .size = 4}}, .capacity = 4};
  for (int call = 0; call < 4; ++call) {
    const auto answer = client->Solve(problem);
    EXPECT_TRUE(answer.ok()) << answer.status();
  }
}

TEST(ClientServers, AreAllNamed) {
  for (const char* target : {"", ",", "127.0.0.1:1,", ",127.0.0.1:1"}) {
    EXPECT_EQ(Client::Create(target).status().code(), absl::StatusCode::kInvalidArgument) << target;
  }
}

TEST(ClientTarget, IsHostAndPortOrANameOfGrpc) {
  for (const char* target : {"host:1", " host-1.example.org:65535 ", "10.0.0.1:50551,[::1]:50551",
                             "[fe80::1%eth0]:1", "dns:farm:50551", "dns:///farm:50551",
                             "ipv4:///10.0.0.1:1,10.0.0.2:1", "unix:/run/x.sock", "unix:///run/x.sock"}) {
    EXPECT_TRUE(Client::Create(target).ok()) << target;
  }
}

constexpr std::array kNoTargets = {"host",
                                   "host:",
                                   "host:0",
                                   "host:65536",
                                   "host:-1",
                                   "host:+1",
                                   "host:x",
                                   "host:1x",
                                   "host:1 2",
                                   "host:1/x",
                                   ":1",
                                   ":",
                                   "::1:50551",
                                   "[::1]",
                                   "[::1]50551",
                                   "[]:1",
                                   "[::1:1",
                                   "http://host:1",
                                   "ho st:1",
                                   "host:1;host:2",
                                   "a:1,b",
                                   "unix:",
                                   "host:99999999999999999999"};

TEST(ClientTarget, IsRefusedWhenItIsNeither) {
  for (const char* target : kNoTargets) {
    EXPECT_EQ(Client::Create(target).status().code(), absl::StatusCode::kInvalidArgument) << target;
  }
}

}  // namespace
}  // namespace telamalloc

// The standard services beside ours: health and reflection; and the port itself.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <thread>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "server/raw_call.h"
#include "server/server.h"
#include "server/test_server.h"
#include "telamalloc/v1/allocation_service.pb.h"

namespace telamalloc::server {
namespace {

using ::testing::HasSubstr;

// grpc.health.v1.HealthCheckResponse.status
constexpr char kServing = 1;
constexpr char kNotServing = 2;

// A message with one text field.
std::string TextField(char number, const std::string& text) {
  return std::string{static_cast<char>(number << 3 | 2), static_cast<char>(text.size())} + text;
}

RawReply AskHealth(TestServer& server, const std::string& service) {
  return RawCall(server.channel(), "/grpc.health.v1.Health/Check", TextField(1, service));
}

std::string HealthReply(char status) { return {1 << 3, status}; }

TEST(Health, IsServingUnderBothNames) {
  TestServer server;
  for (const char* service : {"", "telamalloc.v1.AllocationService"}) {
    const RawReply reply = AskHealth(server, service);
    ASSERT_TRUE(reply.status.ok()) << reply.status.error_message();
    EXPECT_EQ(reply.message, HealthReply(kServing)) << service;
  }
  EXPECT_EQ(AskHealth(server, "something.Else").status.error_code(), grpc::StatusCode::NOT_FOUND);
}

TEST(Health, IsNotServingWhileDraining) {
  Settings settings = QuietSettings();
  settings.drain_timeout = std::chrono::hours(1);
  TestServer server(settings);
  v1::SolveAllocationRequest request = HardRequest(1, 500);
  SolveInFlight running(server, request, kLong);
  server.Await([&](const Levels& levels) { return levels.workers_busy == 1 || running.answered(); });
  ASSERT_FALSE(running.answered());
  std::jthread drain([&] { server.server().Drain(); });
  while (!server.state().draining) std::this_thread::yield();
  for (const char* service : {"", "telamalloc.v1.AllocationService"}) {
    const RawReply reply = AskHealth(server, service);
    ASSERT_TRUE(reply.status.ok()) << reply.status.error_message();
    EXPECT_EQ(reply.message, HealthReply(kNotServing)) << service;
  }
  running.Cancel();
}

constexpr const char* kReflection = "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo";
constexpr char kListServices = 7;

TEST(Reflection, ListsTheService) {
  TestServer server;
  const RawReply reply = RawCall(server.channel(), kReflection, TextField(kListServices, "*"));
  ASSERT_TRUE(reply.status.ok()) << reply.status.error_message();
  EXPECT_THAT(reply.message, HasSubstr("telamalloc.v1.AllocationService"));
  EXPECT_THAT(reply.message, HasSubstr("grpc.health.v1.Health"));
}

TEST(Reflection, CanBeSwitchedOff) {
  Settings settings = QuietSettings();
  settings.enable_reflection = false;
  TestServer server(settings);
  EXPECT_EQ(RawCall(server.channel(), kReflection, TextField(kListServices, "*")).status.error_code(),
            grpc::StatusCode::UNIMPLEMENTED);
}

TEST(Ports, AreNotSharedWithAnotherServer) {
  TestServer server;
  Settings same = QuietSettings();
  same.listen_address = absl::StrCat("127.0.0.1:", server.server().port());
  const auto second = AllocationServer::Start(same);
  EXPECT_EQ(second.status().code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(second.status().message()), HasSubstr("listen_address"));

  Settings same_admin = QuietSettings();
  same_admin.admin_address = absl::StrCat("127.0.0.1:", server.server().admin_port());
  const auto third = AllocationServer::Start(same_admin);
  EXPECT_EQ(third.status().code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(third.status().message()), HasSubstr("admin_address"));
}

TEST(Ports, NeedNoAdmin) {
  Settings settings = QuietSettings();
  settings.admin_address = "";
  TestServer server(settings);
  EXPECT_EQ(server.server().admin_port(), 0);
}

}  // namespace
}  // namespace telamalloc::server

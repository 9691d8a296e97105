// Requests that are too large, or larger than they look.
#include <grpc/compression.h>
#include <gtest/gtest.h>

#include <string>

#include "server/raw_call.h"
#include "server/test_server.h"
#include "telamalloc/v1/allocation_service.pb.h"

namespace telamalloc::server {
namespace {

constexpr const char* kSolve = "/telamalloc.v1.AllocationService/SolveAllocation";

TEST(Limits, RefuseTooManyBuffers) {
  Settings settings = QuietSettings();
  settings.max_buffers = 2;
  TestServer server(settings);
  v1::SolveAllocationRequest request = RequestFor(EasyProblem());
  SolveInFlight accepted(server, request, kLong);
  EXPECT_TRUE(accepted.status().ok()) << accepted.status().error_message();
  request.mutable_problem()->add_buffers()->set_end(1);
  SolveInFlight refused(server, request, kLong);
  EXPECT_EQ(refused.status().error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_EQ(ReasonOf(refused.status()), "TOO_MANY_BUFFERS");
}

TEST(Limits, RefuseALargeMessage) {
  Settings settings = QuietSettings();
  settings.max_message_bytes = 1000;
  TestServer server(settings);
  v1::SolveAllocationRequest request = RequestFor(EasyProblem());
  request.mutable_problem()->set_name(std::string(2000, 'n'));
  SolveInFlight call(server, request, kLong);
  EXPECT_EQ(call.status().error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
}

TEST(Limits, RefuseCompression) {
  TestServer server;
  v1::SolveAllocationRequest request = RequestFor(EasyProblem());
  request.mutable_problem()->set_name(std::string(100'000, 'n'));
  const std::string bytes = request.SerializeAsString();
  EXPECT_TRUE(RawCall(server.channel(), kSolve, bytes).status.ok());
  for (const grpc_compression_algorithm algorithm : {GRPC_COMPRESS_GZIP, GRPC_COMPRESS_DEFLATE}) {
    const RawReply reply = RawCall(server.channel(), kSolve, bytes, algorithm);
    EXPECT_EQ(reply.status.error_code(), grpc::StatusCode::UNIMPLEMENTED) << reply.status.error_message();
  }
}

TEST(Limits, SurviveBytesThatAreNoMessage) {
  TestServer server;
  const RawReply reply = RawCall(server.channel(), kSolve, "\xFF\xFF\xFF not a message");
  EXPECT_FALSE(reply.status.ok());
  SolveInFlight call(server, RequestFor(EasyProblem()), kLong);
  EXPECT_TRUE(call.status().ok()) << call.status().error_message();
}

}  // namespace
}  // namespace telamalloc::server

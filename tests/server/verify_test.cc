#include <gmock/gmock.h>
#include <grpcpp/client_context.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "convert/convert.h"
#include "server/test_server.h"
#include "telamalloc/problem.h"
#include "telamalloc/v1/allocation_service.pb.h"

namespace telamalloc::server {
namespace {

struct Verdict {
  grpc::Status status;
  v1::VerifyAllocationResponse response;
};

Verdict AskToVerify(TestServer& server, const Problem& problem, const std::vector<std::int64_t>& offsets) {
  v1::VerifyAllocationRequest request;
  *request.mutable_problem() = ToProto(problem);
  request.mutable_offsets()->Assign(offsets.begin(), offsets.end());
  grpc::ClientContext context;
  Verdict verdict;
  verdict.status = server.stub().VerifyAllocation(&context, request, &verdict.response);
  return verdict;
}

TEST(VerifyAllocation, AcceptsAPlacement) {
  TestServer server;
  const Verdict verdict = AskToVerify(server, EasyProblem(), {0, 4});
  ASSERT_TRUE(verdict.status.ok()) << verdict.status.error_message();
  EXPECT_TRUE(verdict.response.valid());
  EXPECT_EQ(verdict.response.peak(), 8);
}

TEST(VerifyAllocation, TellsWhatIsWrong) {
  TestServer server;
  const Verdict verdict = AskToVerify(server, EasyProblem(), {0, 2});
  ASSERT_TRUE(verdict.status.ok()) << verdict.status.error_message();
  EXPECT_FALSE(verdict.response.valid());
  ASSERT_EQ(verdict.response.violations_size(), 1);
  EXPECT_EQ(verdict.response.violations(0).rule(), "overlap");
  EXPECT_EQ(verdict.response.violations(0).buffer(), 0);
  EXPECT_EQ(verdict.response.violations(0).other(), 1);
}

TEST(VerifyAllocation, CountsTheOffsets) {
  TestServer server;
  const Verdict verdict = AskToVerify(server, EasyProblem(), {0});
  ASSERT_TRUE(verdict.status.ok()) << verdict.status.error_message();
  ASSERT_EQ(verdict.response.violations_size(), 1);
  EXPECT_EQ(verdict.response.violations(0).rule(), "count");
}

TEST(VerifyAllocation, RefusesAnInvalidProblem) {
  TestServer server;
  Problem problem = EasyProblem();
  problem.buffers[1].size = -1;
  const Verdict verdict = AskToVerify(server, problem, {0, 4});
  EXPECT_EQ(verdict.status.error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_THAT(BadFieldsOf(verdict.status), ::testing::ElementsAre("problem.buffers[1].size"));
  grpc::ClientContext context;
  v1::VerifyAllocationResponse response;
  const grpc::Status status = server.stub().VerifyAllocation(&context, {}, &response);
  EXPECT_EQ(status.error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_THAT(BadFieldsOf(status), ::testing::ElementsAre("problem"));
}

TEST(VerifyAllocation, TakesLargeProblemsThroughTheIntake) {
  TestServer server;
  Problem problem;
  std::vector<std::int64_t> offsets;
  for (std::int64_t k = 0; k < 10'000; ++k) {
    problem.buffers.push_back({.start = 0, .end = 1, .size = 1});
    offsets.push_back(k);
  }
  EXPECT_TRUE(AskToVerify(server, problem, offsets).response.valid());
  offsets[5000] = 4999;
  const Verdict verdict = AskToVerify(server, problem, offsets);
  ASSERT_TRUE(verdict.status.ok()) << verdict.status.error_message();
  EXPECT_FALSE(verdict.response.valid());
}

}  // namespace
}  // namespace telamalloc::server

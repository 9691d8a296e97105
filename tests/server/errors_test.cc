#include "server/errors.h"

#include <gmock/gmock.h>
#include <google/rpc/error_details.pb.h>
#include <grpcpp/support/status.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "telamalloc/problem.h"

namespace telamalloc::server {
namespace {

google::rpc::Status Details(const grpc::Status& status) {
  google::rpc::Status details;
  EXPECT_TRUE(details.ParseFromString(status.error_details()));
  return details;
}

TEST(Errors, CarryTheirDetailsUnderGooglesNames) {
  const grpc::Status status = ToRpcStatus({.reason = Reason::kQueueFull,
                                           .message = "full",
                                           .metadata = {{"limit", "7"}},
                                           .violations = {{"a.b", "wrong"}},
                                           .retry_after = std::chrono::milliseconds(1500)});
  EXPECT_EQ(status.error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_EQ(status.error_message(), "full");
  const google::rpc::Status details = Details(status);
  EXPECT_EQ(details.code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_EQ(details.message(), "full");
  ASSERT_EQ(details.details_size(), 3);
  EXPECT_EQ(details.details(0).type_url(), "type.googleapis.com/google.rpc.ErrorInfo");
  EXPECT_EQ(details.details(1).type_url(), "type.googleapis.com/google.rpc.BadRequest");
  EXPECT_EQ(details.details(2).type_url(), "type.googleapis.com/google.rpc.RetryInfo");
  google::rpc::ErrorInfo info;
  ASSERT_TRUE(details.details(0).UnpackTo(&info));
  EXPECT_EQ(info.reason(), "QUEUE_FULL");
  EXPECT_EQ(info.domain(), "telamalloc");
  EXPECT_EQ(info.metadata().at("limit"), "7");
  google::rpc::BadRequest bad_request;
  ASSERT_TRUE(details.details(1).UnpackTo(&bad_request));
  EXPECT_EQ(bad_request.field_violations(0).field(), "a.b");
  EXPECT_EQ(bad_request.field_violations(0).description(), "wrong");
  google::rpc::RetryInfo retry;
  ASSERT_TRUE(details.details(2).UnpackTo(&retry));
  EXPECT_EQ(retry.retry_delay().seconds(), 1);
  EXPECT_EQ(retry.retry_delay().nanos(), 500'000'000);
}

TEST(Errors, HaveANameAndACodeForEachReason) {
  std::set<std::string> names;
  for (const Reason reason : kAllReasons) {
    names.insert(absl::StrCat(Name(reason)));
    EXPECT_NE(ToRpcStatus({.reason = reason, .message = "x"}).error_code(), grpc::StatusCode::OK);
  }
  EXPECT_EQ(names.size(), kAllReasons.size());
}

TEST(Errors, FitIntoAClientsMetadata) {
  const std::vector<FieldViolation> violations(kMaxReportedViolations,
                                               {std::string(200, 'f'), std::string(5000, 'd')});
  const grpc::Status status = ToRpcStatus(
      {.reason = Reason::kInvalidRequest, .message = std::string(100'000, '\xFF'), .violations = violations});
  // Percent-encoded and as base64 at worst, with room for the rest within 8 KiB.
  EXPECT_LT(status.error_message().size() * 3 + status.error_details().size() * 4 / 3, 7900U);
  google::rpc::BadRequest bad_request;
  ASSERT_TRUE(Details(status).details(1).UnpackTo(&bad_request));
  EXPECT_GT(bad_request.field_violations_size(), 0);
}

TEST(Errors, AreReadableWhateverTheirTextsHold) {
  const grpc::Status status = ToRpcStatus({.message = "f\xFF\xC3", .violations = {{"field", "\xE4"}}});
  EXPECT_EQ(status.error_message(), "f??");
  google::rpc::BadRequest bad_request;
  ASSERT_TRUE(Details(status).details(1).UnpackTo(&bad_request));
  EXPECT_EQ(bad_request.field_violations(0).description(), "?");
}

TEST(InvalidRequest, JoinsThePartsUnderTheirPrefixes) {
  const Error error =
      InvalidRequest({{"options.", InvalidProblem({{"max_nodes", "must not be negative, got -1"}}, 1)},
                      {"problem.", InvalidProblem({{"", "required"}}, 1)},
                      {"other.", absl::OkStatus()}});
  EXPECT_EQ(error.reason, Reason::kInvalidRequest);
  EXPECT_EQ(error.message, "options.max_nodes: must not be negative, got -1; problem: required");
  EXPECT_THAT(error.violations,
              ::testing::ElementsAre(FieldViolation{"options.max_nodes", "must not be negative, got -1"},
                                     FieldViolation{"problem", "required"}));
}

TEST(InvalidRequest, IsOutOfRangeOnlyWhenNothingElseIsWrong) {
  const absl::Status out_of_range = absl::OutOfRangeError("too much");
  const absl::Status invalid = InvalidProblem({{"solver", "unknown"}}, 1);
  EXPECT_EQ(InvalidRequest({{"options.", absl::OkStatus()}, {"problem.", out_of_range}}).reason,
            Reason::kValueOutOfRange);
  EXPECT_EQ(InvalidRequest({{"options.", invalid}, {"problem.", out_of_range}}).reason,
            Reason::kInvalidRequest);
}

}  // namespace
}  // namespace telamalloc::server

// The command line against a server.
#include <string>

#include "client/fake_server.h"
#include "client/process.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace telamalloc {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr const char* kProblem = "id,lower,upper,size\na,0,2,8\nb,1,3,4\nc,2,5,8\n";

Finished SolveAt(const FakeServer& server) {
  return RunCli({"solve", "--input=-", "--capacity=12", "--server=" + server.address()}, kProblem);
}

TEST(CliServer, GivesTheOffsetsThatSolvingHereGives) {
  const FakeServer server(SolveHonestly);
  const Finished there = SolveAt(server);
  EXPECT_EQ(there.exit_code, 0) << there.err;
  EXPECT_EQ(there.out, RunCli({"solve", "--input=-", "--capacity=12"}, kProblem).out);
  EXPECT_THAT(there.err, HasSubstr("server fake"));
}

TEST(CliServer, WhatItSaysIsEscaped) {
  const FakeServer boasting([](auto& context, const auto& request, auto& result) {
    const grpc::Status status = SolveHonestly(context, request, result);
    result.mutable_stats()->set_server_id("\x1b[31m");
    return status;
  });
  EXPECT_THAT(SolveAt(boasting).err, HasSubstr("server \\x1b[31m\n"));
  const FakeServer refusing(
      [](auto&, const auto&, auto&) { return grpc::Status(grpc::StatusCode::INTERNAL, "\x1b[31m"); });
  EXPECT_EQ(SolveAt(refusing).err, "telamalloc solve: \\x1b[31m\n");
}

struct Refusal {
  grpc::StatusCode code;
  int exit_code;
};

class CliServerError : public ::testing::TestWithParam<Refusal> {};

TEST_P(CliServerError, BecomesAnExitCode) {
  const FakeServer server(
      [](auto&, const auto&, auto&) { return grpc::Status(GetParam().code, "what the server says"); });
  const Finished run = SolveAt(server);
  EXPECT_EQ(run.exit_code, GetParam().exit_code);
  EXPECT_THAT(run.out, IsEmpty());
  EXPECT_THAT(run.err, HasSubstr("what the server says"));
}

INSTANTIATE_TEST_SUITE_P(, CliServerError,
                         ::testing::Values(Refusal{grpc::StatusCode::INVALID_ARGUMENT, 4},
                                           Refusal{grpc::StatusCode::OUT_OF_RANGE, 4},
                                           Refusal{grpc::StatusCode::UNAVAILABLE, 5},
                                           Refusal{grpc::StatusCode::RESOURCE_EXHAUSTED, 5},
                                           Refusal{grpc::StatusCode::DEADLINE_EXCEEDED, 6},
                                           Refusal{grpc::StatusCode::INTERNAL, 1}));

TEST(CliServer, ShowsCapabilities) {
  const FakeServer server(SolveHonestly);
  const Finished run = RunCli({"capabilities", "--server=" + server.address()});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("server_id: fake\n"));
  EXPECT_THAT(run.out, HasSubstr("max_budget: 1m\n"));
  EXPECT_EQ(RunCli({"capabilities"}).exit_code, 4);
}

}  // namespace
}  // namespace telamalloc

// The client library over a real channel: answers right and wrong, errors with their details, deadline,
// cancellation, retries.
#include "telamalloc/client.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/fake_server.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "telamalloc/problem.h"
#include "telamalloc/solver.h"

namespace telamalloc {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Long enough for any machine; no test waits for it.
constexpr std::chrono::seconds kLong(100);

Problem TwoBuffers() {
  return {.buffers = {{.start = 0,
                       .end = 2,
                       .size = 8,
                       .fixed_offset = {},
                       .offset_hint = {},
                       .gaps = {},
                       .id = "a",
                       .colocation_group = ""},
                      {.start = 1,
                       .end = 3,
                       .size = 4,
                       .fixed_offset = {},
                       .offset_hint = {},
                       .gaps = {},
                       .id = "b",
                       .colocation_group = ""}},
          .capacity = 12,
          .name = ""};
}

absl::StatusOr<ClientResult> SolveAt(const std::string& address, const ClientSolveOptions& options = {}) {
  const absl::StatusOr<Client> client = Client::Create(address);
  if (!client.ok()) return client.status();
  return client->Solve(TwoBuffers(), options);
}

TEST(Client, AnswersAsTheLibraryDoes) {
  const FakeServer server(SolveHonestly);
  const absl::StatusOr<ClientResult> answer = SolveAt(server.address());
  ASSERT_TRUE(answer.ok()) << answer.status();
  const SolveResult here = *Solve(*PreparedProblem::Create(TwoBuffers()));
  EXPECT_EQ(answer->result.outcome, Outcome::kFeasible);
  EXPECT_EQ(answer->result.solution, here.solution);
  EXPECT_EQ(answer->stop_reason, "COMPLETED");
  EXPECT_EQ(answer->provenance, "SOLVED");
  EXPECT_EQ(answer->server_id, "fake");
  EXPECT_FALSE(answer->over_capacity);
}

TEST(Client, RefusesWhatTheWireCannotSayWithoutAskingTheServer) {
  std::atomic<int> calls{0};
  const FakeServer server([&](auto& context, const auto& request, auto& result) {
    ++calls;
    return SolveHonestly(context, request, result);
  });
  const Client client = *Client::Create(server.address());
  Problem unaligned = TwoBuffers();
  unaligned.buffers[1].alignment = 0;
  Problem bytes = TwoBuffers();
  bytes.buffers[0].id = "a\xFF";
  Problem group = TwoBuffers();
  group.buffers[1].colocation_group = "\xC3";
  Problem name = TwoBuffers();
  name.name = "\xED\xA0\x80";  // half a surrogate pair
  const std::vector<std::pair<Problem, FieldViolation>> refused = {
      {unaligned, {"buffers[1].alignment", "must be at least 1, got 0 (id \"b\")"}},
      {bytes, {"buffers[0].id", "must be UTF-8, got \"a\\xff\""}},
      {group, {"buffers[1].colocation_group", "must be UTF-8, got \"\\xc3\""}},
      {name, {"name", "must be UTF-8, got \"\\xed\\xa0\\x80\""}}};
  for (const auto& [problem, violation] : refused) {
    const absl::Status solved = client.Solve(problem).status();
    EXPECT_EQ(solved.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(FieldViolationsOf(solved), ElementsAre(violation));
    EXPECT_EQ(client.Verify(problem, std::vector<std::int64_t>{0, 8}).status(), solved);
  }
  EXPECT_EQ(calls, 0);
}

TEST(Client, RefusesAProblemAboveItsMessageLimit) {
  const FakeServer server(SolveHonestly);
  const Client client = *Client::Create(server.address(), {.max_message_bytes = 40});
  Problem problem = TwoBuffers();
  EXPECT_TRUE(client.GetCapabilities().ok());
  problem.buffers[0].id = std::string(60, 'x');
  const absl::Status status = client.Solve(problem).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()), HasSubstr("at most 40 bytes"));
}

TEST(Client, SendsEveryOption) {
  v1::SolveOptions seen;
  const FakeServer server([&](auto& context, const auto& request, auto& result) {
    seen = request.options();
    return SolveHonestly(context, request, result);
  });
  ClientSolveOptions options;
  options.objective = Objective::kMinimize;
  options.solve_budget = std::chrono::milliseconds(1500);
  options.fallback = ClientFallback::kNone;
  options.solver = "greedy";
  options.max_nodes = 0;
  options.random_seed = 7;
  ASSERT_TRUE(SolveAt(server.address(), options).ok());
  EXPECT_EQ(seen.objective(), v1::OBJECTIVE_MINIMIZE);
  EXPECT_EQ(seen.solve_budget().seconds(), 1);
  EXPECT_EQ(seen.solve_budget().nanos(), 500'000'000);
  EXPECT_EQ(seen.fallback_policy(), v1::FALLBACK_POLICY_NONE);
  EXPECT_EQ(seen.solver(), "greedy");
  EXPECT_TRUE(seen.has_max_nodes());
  EXPECT_EQ(seen.random_seed(), 7U);
}

TEST(Client, AlwaysSetsADeadline) {
  std::chrono::system_clock::time_point deadline;
  const FakeServer server([&](auto& context, const auto& request, auto& result) {
    deadline = context.deadline();
    return SolveHonestly(context, request, result);
  });
  ASSERT_TRUE(SolveAt(server.address()).ok());
  EXPECT_LE(deadline, std::chrono::system_clock::now() + std::chrono::seconds(31));
}

TEST(Client, FallbackOverCapacityIsAnAnswer) {
  const FakeServer server([](auto&, const auto&, auto& result) {
    result.set_outcome(v1::OUTCOME_NO_SOLUTION_FOUND);
    result.set_stop_reason(v1::STOP_REASON_OVERLOAD);
    result.set_provenance(v1::PROVENANCE_FALLBACK);
    result.add_offsets(0);
    result.add_offsets(9);
    result.set_peak(13);
    result.set_over_capacity(true);
    return grpc::Status::OK;
  });
  const absl::StatusOr<ClientResult> answer = SolveAt(server.address());
  ASSERT_TRUE(answer.ok()) << answer.status();
  EXPECT_TRUE(answer->over_capacity);
  EXPECT_EQ(answer->stop_reason, "OVERLOAD");
  EXPECT_EQ(answer->provenance, "FALLBACK");
}

struct WrongAnswer {
  const char* what;
  std::function<void(v1::AllocationResult&)> spoil;
};

void PrintTo(const WrongAnswer& wrong, std::ostream* out) { *out << wrong.what; }

class ClientDistrust : public ::testing::TestWithParam<WrongAnswer> {};

TEST_P(ClientDistrust, RefusesAWrongAnswer) {
  const FakeServer server([](auto& context, const auto& request, auto& result) {
    SolveHonestly(context, request, result);
    GetParam().spoil(result);
    return grpc::Status::OK;
  });
  const absl::StatusOr<ClientResult> answer = SolveAt(server.address());
  EXPECT_EQ(answer.status().code(), absl::StatusCode::kInternal) << answer.status();
}

INSTANTIATE_TEST_SUITE_P(
    , ClientDistrust,
    ::testing::Values(WrongAnswer{"overlap", [](auto& r) { r.set_offsets(1, r.offsets(0)); }},
                      WrongAnswer{"negative offset", [](auto& r) { r.set_offsets(0, -8); }},
                      WrongAnswer{"offset short", [](auto& r) { r.mutable_offsets()->RemoveLast(); }},
                      WrongAnswer{"no offsets", [](auto& r) { r.clear_offsets(); }},
                      WrongAnswer{"peak", [](auto& r) { r.set_peak(11); }},
                      WrongAnswer{"bound above peak", [](auto& r) { r.set_lower_bound(13); }},
                      WrongAnswer{"over capacity", [](auto& r) { r.set_over_capacity(true); }},
                      WrongAnswer{"infeasible", [](auto& r) { r.set_outcome(v1::OUTCOME_INFEASIBLE); }}));

// google.rpc.Status with an ErrorInfo (reason INVALID_PROBLEM) and a BadRequest, in binary.
std::string ErrorDetails() {
  const auto field = [](int number, const std::string& value) {
    return std::string{static_cast<char>(number << 3 | 2), static_cast<char>(value.size())} + value;
  };
  const auto any = [&](const std::string& type, const std::string& value) {
    return field(3, field(1, "type.googleapis.com/google.rpc." + type) + field(2, value));
  };
  const std::string violation = field(1, "buffers[1].size") + field(2, "must not be negative");
  return any("ErrorInfo", field(1, "INVALID_PROBLEM")) + any("BadRequest", field(1, violation));
}

TEST(Client, ErrorsKeepCodeMessageReasonAndFields) {
  const FakeServer server([](auto&, const auto&, auto&) {
    return grpc::Status(grpc::StatusCode::INVALID_ARGUMENT, "bad problem", ErrorDetails());
  });
  const absl::Status status = SolveAt(server.address()).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(status.message(), "bad problem");
  EXPECT_EQ(ReasonOf(status), "INVALID_PROBLEM");
  EXPECT_THAT(FieldViolationsOf(status),
              ElementsAre(FieldViolation{.field = "buffers[1].size", .description = "must not be negative"}));
}

TEST(Client, UnreadableDetailsAreLeftOut) {
  const FakeServer server([](auto&, const auto&, auto&) {
    return grpc::Status(grpc::StatusCode::INTERNAL, "broken", "\xFF\xFF\xFF");
  });
  const absl::Status status = SolveAt(server.address()).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInternal);
  EXPECT_EQ(ReasonOf(status), "");
}

TEST(Client, NobodyListeningIsUnavailable) {
  std::string address;
  {
    const FakeServer gone(SolveHonestly);
    address = gone.address();
  }
  const absl::Status status = SolveAt(address, {.timeout = kLong}).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr(address));
}

TEST(Client, TriesAgainWhileUnavailable) {
  std::atomic<int> calls = 0;
  const FakeServer server([&](auto& context, const auto& request, auto& result) {
    if (++calls < 3) return grpc::Status(grpc::StatusCode::UNAVAILABLE, "draining");
    return SolveHonestly(context, request, result);
  });
  EXPECT_TRUE(SolveAt(server.address(), {.timeout = kLong}).ok());
  EXPECT_EQ(calls, 3);
}

TEST(Client, OneAttemptIsOne) {
  std::atomic<int> calls = 0;
  const FakeServer server([&](auto&, const auto&, auto&) {
    ++calls;
    return grpc::Status(grpc::StatusCode::UNAVAILABLE, "draining");
  });
  const absl::StatusOr<Client> client = Client::Create(server.address(), {.max_attempts = 1});
  EXPECT_EQ(client->Solve(TwoBuffers()).status().code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(calls, 1);
}

TEST(Client, NoAnswerInTimeIsDeadlineExceeded) {
  const FakeServer server(NeverAnswer);
  const absl::StatusOr<Client> client = Client::Create(server.address());
  ASSERT_TRUE(client->GetCapabilities().ok());  // connected: what follows is the server's slowness
  const absl::Status status =
      client->Solve(TwoBuffers(), {.timeout = std::chrono::milliseconds(20)}).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kDeadlineExceeded) << status;
}

TEST(Client, StopEndsACallInFlight) {
  std::stop_source stop;
  const FakeServer server([&](auto& context, const auto& request, auto& result) {
    stop.request_stop();
    return NeverAnswer(context, request, result);
  });
  const absl::Status status =
      SolveAt(server.address(), {.timeout = kLong, .stop = stop.get_token()}).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kCancelled) << status;
}

TEST(Client, StopBeforeTheCallIsNotLost) {
  const FakeServer server(NeverAnswer);
  std::stop_source stop;
  stop.request_stop();
  const absl::Status status =
      SolveAt(server.address(), {.timeout = kLong, .stop = stop.get_token()}).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kCancelled) << status;
}

TEST(Client, ServesManyThreadsAtATime) {
  const FakeServer server(SolveHonestly);
  const absl::StatusOr<Client> client = Client::Create(server.address());
  std::atomic<int> solved = 0;
  std::vector<std::thread> threads;
  threads.reserve(8);
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&] {
      for (int k = 0; k < 20; ++k) solved += client->Solve(TwoBuffers()).ok() ? 1 : 0;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(solved, 160);
}

TEST(Client, AnswerAboveTheMessageLimitIsRefused) {
  const FakeServer server([](auto&, const auto&, auto& result) {
    for (int b = 0; b < 1000; ++b) result.add_offsets(1'000'000'000);
    return grpc::Status::OK;
  });
  const absl::StatusOr<Client> client = Client::Create(server.address(), {.max_message_bytes = 1000});
  EXPECT_EQ(client->Solve(TwoBuffers()).status().code(), absl::StatusCode::kResourceExhausted);
}

TEST(Client, PassesVerifyAndCapabilitiesOn) {
  const FakeServer server(SolveHonestly);
  const absl::StatusOr<Client> client = Client::Create(server.address());
  const std::vector<std::int64_t> offsets = {0, 4};
  const absl::StatusOr<VerifyReport> report = client->Verify(TwoBuffers(), offsets);
  ASSERT_TRUE(report.ok()) << report.status();
  ASSERT_EQ(report->violations.size(), 1U);
  EXPECT_EQ(report->violations[0].rule, PlacementViolation::Rule::kOverlap);
  EXPECT_EQ(report->violations[0].other, 1);
  const absl::StatusOr<Capabilities> capabilities = client->GetCapabilities();
  ASSERT_TRUE(capabilities.ok()) << capabilities.status();
  EXPECT_EQ(capabilities->server_id, "fake");
  EXPECT_EQ(capabilities->max_budget, std::chrono::seconds(60));
}

TEST(Client, RefusesOptionsOutOfRangeWithoutAsking) {
  EXPECT_EQ(Client::Create("").status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_FALSE(Client::Create("x:1", {.default_timeout = std::chrono::seconds(0)}).ok());
  EXPECT_FALSE(Client::Create("x:1", {.max_message_bytes = 0}).ok());
  EXPECT_FALSE(Client::Create("x:1", {.max_attempts = 6}).ok());
  const absl::StatusOr<Client> client = Client::Create("127.0.0.1:1");
  EXPECT_EQ(client->Solve({}, {.timeout = std::chrono::seconds(-1)}).status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(client->Solve({}, {.solve_budget = std::chrono::seconds(0)}).status().code(),
            absl::StatusCode::kInvalidArgument);
}

// Asks both of two servers by turns, and the second when the first is away.
}  // namespace
}  // namespace telamalloc

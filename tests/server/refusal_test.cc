// What a caller gets who asks for something wrong: one code, one reason, every field.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "server/test_server.h"
#include "telamalloc/v1/allocation_service.pb.h"

namespace telamalloc::server {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

struct Refusal {
  const char* name;
  std::function<void(v1::SolveAllocationRequest&)> spoil;
  std::vector<std::string> fields;
};

v1::Buffer& First(v1::SolveAllocationRequest& request) {
  return *request.mutable_problem()->mutable_buffers(0);
}

std::vector<Refusal> Refusals() {
  using Request = v1::SolveAllocationRequest;
  const auto on_first = [](void (*spoil)(v1::Buffer&)) { return [spoil](Request& r) { spoil(First(r)); }; };
  return {
      {"no problem", [](Request& r) { r.clear_problem(); }, {"problem"}},
      {"fit without capacity",
       [](Request& r) { r.mutable_problem()->clear_capacity(); },
       {"problem.capacity"}},
      {"capacity below 0", [](Request& r) { r.mutable_problem()->set_capacity(-1); }, {"problem.capacity"}},
      {"end before start", on_first([](v1::Buffer& b) { b.set_end(-1); }), {"problem.buffers[0].end"}},
      {"size below 0", on_first([](v1::Buffer& b) { b.set_size(-4); }), {"problem.buffers[0].size"}},
      {"alignment below 0",
       on_first([](v1::Buffer& b) { b.set_alignment(-4); }),
       {"problem.buffers[0].alignment"}},
      {"pin below 0",
       on_first([](v1::Buffer& b) { b.set_fixed_offset(-4); }),
       {"problem.buffers[0].fixed_offset"}},
      {"hint below 0",
       on_first([](v1::Buffer& b) { b.set_offset_hint(-4); }),
       {"problem.buffers[0].offset_hint"}},
      {"gap outside",
       on_first([](v1::Buffer& b) { b.add_gaps()->set_end(9); }),
       {"problem.buffers[0].gaps[0]"}},
      {"half a window",
       on_first([](v1::Buffer& b) {
         b.add_gaps()->set_end(1);
         b.mutable_gaps(0)->set_window_lower(0);
       }),
       {"problem.buffers[0].gaps[0].window_upper"}},
      {"ids alike", on_first([](v1::Buffer& b) { b.set_id("b"); }), {"problem.buffers[1].id"}},
      {"budget", [](Request& r) { r.mutable_options()->mutable_solve_budget(); }, {"options.solve_budget"}},
      {"nodes", [](Request& r) { r.mutable_options()->set_max_nodes(-1); }, {"options.max_nodes"}},
      {"solver", [](Request& r) { r.mutable_options()->set_solver("oracle"); }, {"options.solver"}},
      {"objective",
       [](Request& r) { r.mutable_options()->set_objective(static_cast<v1::Objective>(9)); },
       {"options.objective"}},
      {"fallback",
       [](Request& r) { r.mutable_options()->set_fallback_policy(static_cast<v1::FallbackPolicy>(9)); },
       {"options.fallback_policy"}},
      {"cache",
       [](Request& r) { r.mutable_options()->set_cache_policy(static_cast<v1::CachePolicy>(9)); },
       {"options.cache_policy"}},
      {"two parts",
       [](Request& r) {
         r.mutable_options()->set_max_nodes(-1);
         First(r).set_size(-4);
       },
       {"options.max_nodes", "problem.buffers[0].size"}},
  };
}

TEST(Refusal, NamesEachFieldThatBreaksARule) {
  TestServer server;
  for (const Refusal& refusal : Refusals()) {
    v1::SolveAllocationRequest request = RequestFor(EasyProblem());
    refusal.spoil(request);
    SolveInFlight call(server, request, kLong);
    EXPECT_EQ(call.status().error_code(), grpc::StatusCode::INVALID_ARGUMENT) << refusal.name;
    EXPECT_EQ(ReasonOf(call.status()), "INVALID_REQUEST") << refusal.name;
    EXPECT_EQ(BadFieldsOf(call.status()), refusal.fields) << refusal.name;
    for (const std::string& field : refusal.fields) {
      EXPECT_THAT(call.status().error_message(), HasSubstr(field + ": ")) << refusal.name;
    }
  }
}

TEST(Refusal, ReachesTheCallerWithTwentyViolations) {
  TestServer server;
  v1::SolveAllocationRequest request = RequestFor(EasyProblem());
  for (int k = 0; k < 50; ++k) {
    v1::Buffer& buffer = *request.mutable_problem()->add_buffers();
    buffer.set_id(std::string(500, 'x') + std::to_string(k));
    buffer.set_end(1);
    buffer.set_size(-4);
  }
  SolveInFlight call(server, request, kLong);
  EXPECT_EQ(call.status().error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_THAT(BadFieldsOf(call.status()), SizeIs(20));
}

TEST(Refusal, TellsWhatDoesNotFitInto64Bits) {
  TestServer server;
  v1::SolveAllocationRequest request = RequestFor(EasyProblem());
  for (v1::Buffer& buffer : *request.mutable_problem()->mutable_buffers()) {
    buffer.set_size(std::numeric_limits<std::int64_t>::max());
  }
  SolveInFlight call(server, request, kLong);
  EXPECT_EQ(call.status().error_code(), grpc::StatusCode::OUT_OF_RANGE);
  EXPECT_EQ(ReasonOf(call.status()), "VALUE_OUT_OF_RANGE");
}

TEST(Refusal, NamesAnOptionThatIsNotSupported) {
  TestServer server;
  v1::SolveAllocationRequest priority = RequestFor(EasyProblem());
  priority.mutable_options()->set_priority(1);
  SolveInFlight first(server, priority, kLong);
  EXPECT_EQ(first.status().error_code(), grpc::StatusCode::UNIMPLEMENTED);
  EXPECT_EQ(ReasonOf(first.status()), "UNSUPPORTED_OPTION");
  EXPECT_THAT(first.status().error_message(), HasSubstr("options.priority"));

  v1::SolveAllocationRequest cache = RequestFor(EasyProblem());
  cache.mutable_options()->set_cache_policy(v1::CACHE_POLICY_READ_WRITE);
  SolveInFlight second(server, cache, kLong);
  EXPECT_EQ(second.status().error_code(), grpc::StatusCode::UNIMPLEMENTED);
  EXPECT_EQ(ReasonOf(second.status()), "UNSUPPORTED_OPTION");
  EXPECT_THAT(second.status().error_message(), HasSubstr("options.cache_policy"));
}

TEST(Refusal, LetsACacheBeBypassed) {
  TestServer server;
  v1::SolveAllocationRequest request = RequestFor(EasyProblem());
  request.mutable_options()->set_cache_policy(v1::CACHE_POLICY_BYPASS);
  SolveInFlight call(server, request, kLong);
  EXPECT_TRUE(call.status().ok()) << call.status().error_message();
}

}  // namespace
}  // namespace telamalloc::server

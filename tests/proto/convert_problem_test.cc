#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>

#include "absl/status/status.h"
#include "convert/convert.h"
#include "support/random_problem.h"
#include "telamalloc/problem.h"
#include "telamalloc/solver.h"
#include "telamalloc/v1/allocation_service.pb.h"

namespace telamalloc {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

TEST(ConvertProblem, KeepsEveryFieldBothWays) {
  constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  const Problem problem = {
      .buffers = {{.start = kLeast,
                   .end = kMost,
                   .size = kMost,
                   .alignment = 24,
                   .fixed_offset = 0,
                   .offset_hint = 48,
                   .gaps = {{.start = 3, .end = 5}, {.start = 5, .end = 7, .window = AddressWindow{0, 16}}},
                   .id = "k\xC3\xA4se",
                   .colocation_group = "g"},
                  {}},
      .capacity = 0,
      .name = "net"};
  const absl::StatusOr<Problem> back = FromProto(ToProto(problem));
  ASSERT_TRUE(back.ok()) << back.status();
  EXPECT_EQ(*back, problem);
}

TEST(ConvertProblem, KeepsRandomProblemsThroughBytes) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Problem problem = testing::RandomProblem(seed, testing::AllFeatures());
    if (seed % 2 == 0) problem.capacity = static_cast<std::int64_t>(seed);
    v1::Problem wire;
    ASSERT_TRUE(wire.ParseFromString(ToProto(problem).SerializeAsString()));
    const absl::StatusOr<Problem> back = FromProto(wire);
    ASSERT_TRUE(back.ok()) << "seed " << seed << ": " << back.status();
    EXPECT_EQ(*back, problem) << "seed " << seed;
  }
}

TEST(ConvertProblem, TellsUnsetFromZero) {
  v1::Problem wire;
  v1::Buffer& buffer = *wire.add_buffers();
  EXPECT_EQ(FromProto(wire)->capacity, std::nullopt);
  EXPECT_EQ(FromProto(wire)->buffers[0].fixed_offset, std::nullopt);
  EXPECT_EQ(FromProto(wire)->buffers[0].offset_hint, std::nullopt);
  wire.set_capacity(0);
  buffer.set_fixed_offset(0);
  buffer.set_offset_hint(0);
  EXPECT_EQ(FromProto(wire)->capacity, 0);
  EXPECT_EQ(FromProto(wire)->buffers[0].fixed_offset, 0);
  EXPECT_EQ(FromProto(wire)->buffers[0].offset_hint, 0);
}

TEST(ConvertProblem, ReadsAnUnsetAlignmentAsOne) {
  v1::Problem wire;
  wire.add_buffers();
  EXPECT_EQ(FromProto(wire)->buffers[0].alignment, 1);
}

TEST(ConvertProblem, LeavesRulesOfTheModelToTheModel) {
  v1::Problem wire;
  wire.add_buffers()->set_alignment(-8);
  const absl::StatusOr<Problem> problem = FromProto(wire);
  ASSERT_TRUE(problem.ok()) << problem.status();
  EXPECT_EQ(problem->buffers[0].alignment, -8);
  EXPECT_FALSE(PreparedProblem::Create(*problem).ok());
}

TEST(ConvertProblem, RefusesHalfAWindowByItsPath) {
  v1::Problem wire;
  wire.add_buffers();
  v1::Buffer& buffer = *wire.add_buffers();
  buffer.add_gaps()->set_window_lower(0);
  buffer.add_gaps();
  buffer.add_gaps()->set_window_upper(8);
  const absl::Status status = FromProto(wire).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(
      FieldViolationsOf(status),
      ElementsAre(FieldViolation{"buffers[1].gaps[0].window_upper", "must be set, since window_lower is"},
                  FieldViolation{"buffers[1].gaps[2].window_lower", "must be set, since window_upper is"}));
}

TEST(ConvertProblem, ReportsTheFirstTwentyViolations) {
  v1::Problem wire;
  for (int k = 0; k < 30; ++k) wire.add_buffers()->add_gaps()->set_window_lower(0);
  const absl::Status status = FromProto(wire).status();
  EXPECT_THAT(FieldViolationsOf(status), SizeIs(kMaxReportedViolations));
  EXPECT_THAT(std::string(status.message()), ::testing::HasSubstr("and 10 more"));
}

}  // namespace
}  // namespace telamalloc

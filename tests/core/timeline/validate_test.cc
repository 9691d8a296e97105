// Each rule of problem.h: what breaks it, and what just keeps it.
#include <cstdint>
#include <limits>
#include <ostream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "core/timeline/build.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "telamalloc/csv.h"

namespace telamalloc::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();

struct RuleCase {
  const char* name;
  Problem problem;
  absl::StatusCode code;  // kOk: accepted
  FieldViolation violation = {};
};

void PrintTo(const RuleCase& rule, std::ostream* out) { *out << rule.name; }

class Rules : public ::testing::TestWithParam<RuleCase> {};

TEST_P(Rules, AreKeptOrReportedWithPathRuleAndValue) {
  const RuleCase& rule = GetParam();
  const absl::Status status = BuildError(rule.problem);
  EXPECT_EQ(status.code(), rule.code) << status;
  if (status.ok()) return;
  EXPECT_THAT(FieldViolationsOf(status), ElementsAre(rule.violation)) << status;
  EXPECT_EQ(status.message(), rule.violation.field + ": " + rule.violation.description);
}

Problem One(Buffer buffer) { return {.buffers = {std::move(buffer)}}; }

constexpr auto kOk = absl::StatusCode::kOk;
constexpr auto kInvalid = absl::StatusCode::kInvalidArgument;
constexpr auto kRange = absl::StatusCode::kOutOfRange;

INSTANTIATE_TEST_SUITE_P(
    Lifetime, Rules,
    ::testing::Values(RuleCase{"EndsBeforeItStarts",
                               One({.start = 5, .end = 3, .size = 1, .id = "b"}),
                               kInvalid,
                               {"buffers[0].end",
                                "must be greater than start, got end 3 <= start 5 (id \"b\")"}},
                      RuleCase{"IsEmpty",
                               One({.start = 5, .end = 5, .size = 1}),
                               kInvalid,
                               {"buffers[0].end", "must be greater than start, got end 5 <= start 5"}},
                      RuleCase{"MinusOneIsNotForever",
                               One({.start = 1, .end = -1, .size = 2}),
                               kInvalid,
                               {"buffers[0].end", "must be greater than start, got end -1 <= start 1"}},
                      RuleCase{"SpansAllTicks", One({.start = kMin, .end = kMax, .size = 1}), kOk}),
    [](const auto& test) { return test.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Bytes, Rules,
    ::testing::Values(RuleCase{"NegativeSize",
                               One({.start = 0, .end = 1, .size = -16}),
                               kInvalid,
                               {"buffers[0].size", "must not be negative, got -16"}},
                      RuleCase{"SizeZero", One({.start = 0, .end = 1, .size = 0}), kOk},
                      RuleCase{"LargestSize", One({.start = 0, .end = 1, .size = kMax}), kOk},
                      RuleCase{"AlignmentZero",
                               One({.start = 0, .end = 1, .size = 1, .alignment = 0}),
                               kInvalid,
                               {"buffers[0].alignment", "must be at least 1, got 0"}},
                      RuleCase{"NegativeAlignment",
                               One({.start = 0, .end = 1, .size = 1, .alignment = kMin}),
                               kInvalid,
                               {"buffers[0].alignment", "must be at least 1, got -9223372036854775808"}},
                      RuleCase{"OddAlignment", One({.start = 0, .end = 1, .size = 1, .alignment = 3}), kOk},
                      RuleCase{"NegativeCapacity",
                               Problem{.capacity = -1},
                               kInvalid,
                               {"capacity", "must not be negative, got -1"}},
                      RuleCase{"CapacityZero", Problem{.capacity = 0}, kOk}),
    [](const auto& test) { return test.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Offsets, Rules,
    ::testing::Values(
        RuleCase{"NegativePin",
                 One({.start = 0, .end = 1, .size = 1, .fixed_offset = -1}),
                 kInvalid,
                 {"buffers[0].fixed_offset", "must not be negative, got -1"}},
        RuleCase{"PinBreaksItsAlignment",
                 One({.start = 0, .end = 4, .size = 64, .alignment = 64, .fixed_offset = 100, .id = "rtp"}),
                 kInvalid,
                 {"buffers[0].fixed_offset", "must be a multiple of alignment 64, got 100 (id \"rtp\")"}},
        RuleCase{"PinKeepsItsAlignment",
                 One({.start = 0, .end = 4, .size = 64, .alignment = 50, .fixed_offset = 100}), kOk},
        RuleCase{"PinnedTopOverflows",
                 One({.start = 0, .end = 1, .size = 2, .fixed_offset = kMax - 1}),
                 kRange,
                 {"buffers[0].fixed_offset",
                  "fixed_offset + size must fit in 64 bits, got 9223372036854775806 + 2"}},
        RuleCase{"PinnedTopJustFits", One({.start = 0, .end = 1, .size = 1, .fixed_offset = kMax - 1}), kOk},
        RuleCase{"NegativeHint",
                 One({.start = 0, .end = 1, .size = 1, .offset_hint = -7}),
                 kInvalid,
                 {"buffers[0].offset_hint", "must not be negative, got -7"}},
        RuleCase{"HintAgainstAlignment",
                 One({.start = 0, .end = 1, .size = 1, .alignment = 2, .offset_hint = kMax}), kOk}),
    [](const auto& test) { return test.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Gaps, Rules,
    ::testing::Values(
        RuleCase{"OutsideTheLifetime",
                 One({.start = 0, .end = 8, .size = 64, .gaps = {{9, 11}}}),
                 kInvalid,
                 {"buffers[0].gaps[0]", "must lie within the lifetime [0, 8), got [9, 11)"}},
        RuleCase{"BeforeTheLifetime",
                 One({.start = 0, .end = 8, .size = 64, .gaps = {{-1, 2}}}),
                 kInvalid,
                 {"buffers[0].gaps[0]", "must lie within the lifetime [0, 8), got [-1, 2)"}},
        RuleCase{"Empty",
                 One({.start = 0, .end = 8, .size = 64, .gaps = {{1, 2}, {3, 3}}}),
                 kInvalid,
                 {"buffers[0].gaps[1]", "must start before it ends, got [3, 3)"}},
        RuleCase{"Overlapping",
                 One({.start = 0, .end = 8, .size = 64, .gaps = {{4, 6}, {1, 5}}}),
                 kInvalid,
                 {"buffers[0].gaps[0]", "must not overlap gaps[1] [1, 5), got [4, 6)"}},
        RuleCase{"Touching", One({.start = 0, .end = 8, .size = 64, .gaps = {{4, 6}, {1, 4}}}), kOk},
        RuleCase{"WholeLifetime", One({.start = 0, .end = 8, .size = 64, .gaps = {{0, 8}}}), kOk},
        RuleCase{"WindowAboveTheSize",
                 One({.start = 0, .end = 8, .size = 64, .gaps = {{2, 4, AddressWindow{0, 96}}}}),
                 kInvalid,
                 {"buffers[0].gaps[0].window", "must have 0 <= lower < upper <= size 64, got [0, 96)"}},
        RuleCase{"WindowBelowZero",
                 One({.start = 0, .end = 8, .size = 64, .gaps = {{2, 4, AddressWindow{-1, 6}}}}),
                 kInvalid,
                 {"buffers[0].gaps[0].window", "must have 0 <= lower < upper <= size 64, got [-1, 6)"}},
        RuleCase{"EmptyWindow",
                 One({.start = 0, .end = 8, .size = 64, .gaps = {{2, 4, AddressWindow{6, 6}}}}),
                 kInvalid,
                 {"buffers[0].gaps[0].window", "must have 0 <= lower < upper <= size 64, got [6, 6)"}},
        RuleCase{"WindowOfTheWholeBuffer",
                 One({.start = 0, .end = 8, .size = 64, .gaps = {{2, 4, AddressWindow{0, 64}}}}), kOk}),
    [](const auto& test) { return test.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Sums, Rules,
    ::testing::Values(
        RuleCase{"LiveSizesOverflow",
                 Problem{.buffers = {{.start = 0, .end = 3, .size = std::int64_t{1} << 62},
                                     {.start = 0, .end = 3, .size = std::int64_t{1} << 62},
                                     {.start = 1, .end = 2, .size = std::int64_t{1} << 62}}},
                 kRange,
                 {"buffers",
                  "the sizes live together must sum to at most 9223372036854775807, got 13835058055282163712 "
                  "during ticks [1, 2)"}},
        RuleCase{"LiveSizesJustFit",
                 Problem{.buffers = {{.start = 0, .end = 3, .size = std::int64_t{1} << 62},
                                     {.start = 0, .end = 3, .size = (std::int64_t{1} << 62) - 1}}},
                 kOk},
        RuleCase{
            "LargeSizesOneAfterAnother",
            Problem{.buffers = {{.start = 0, .end = 1, .size = kMax}, {.start = 1, .end = 2, .size = kMax}}},
            kOk},
        RuleCase{
            "AreaOverflows",
            Problem{.buffers = {{.start = 0, .end = std::int64_t{1} << 40, .size = std::int64_t{1} << 40},
                                {.start = 1, .end = std::int64_t{1} << 41, .size = std::int64_t{1} << 40}}},
            kOk}),
    [](const auto& test) { return test.param.name; });

TEST(Validate, AcceptsNoBuffers) {
  const Timeline timeline = BuildValid({});
  EXPECT_TRUE(timeline.units().empty());
  EXPECT_TRUE(timeline.contention().empty());
  EXPECT_TRUE(timeline.partitions().empty());
  EXPECT_EQ(timeline.lower_bound(), 0);
}

TEST(Validate, NamesBothRowsOfAnId) {
  const absl::Status status = BuildError({.buffers = {{.start = 0, .end = 4, .size = 512, .id = "pool0"},
                                                      {.start = 1, .end = 3, .size = 256, .id = "pool1"},
                                                      {.start = 2, .end = 6, .size = 512, .id = "pool0"}}});
  EXPECT_THAT(FieldViolationsOf(status),
              ElementsAre(FieldViolation{"buffers[2].id", "must be unique, got \"pool0\" as in buffers[0]"}));
}

TEST(Validate, AcceptsManyEmptyIdsAndIdsOfAnyBytes) {
  const Problem problem{.buffers = {{.start = 0, .end = 1, .size = 1},
                                    {.start = 0, .end = 1, .size = 1},
                                    {.start = 0, .end = 1, .size = 1, .id = std::string("\0a", 2)},
                                    {.start = 0, .end = 1, .size = 1, .id = std::string("\0b", 2)}}};
  EXPECT_TRUE(BuildError(problem).ok());
}

TEST(Validate, ReportsTheFirstTwentyAndCountsTheRest) {
  Problem problem;
  for (int b = 0; b < 12; ++b) problem.buffers.push_back({.start = 0, .end = 0, .size = -1});
  const absl::Status status = BuildError(problem);
  EXPECT_THAT(FieldViolationsOf(status), SizeIs(kMaxReportedViolations));
  EXPECT_THAT(std::string(status.message()), ::testing::EndsWith("; and 4 more"));
}

TEST(Validate, ReportsSeveralRulesOfOneBuffer) {
  const absl::Status status = BuildError(
      One({.start = 0, .end = 0, .size = -1, .alignment = 0, .fixed_offset = -1, .offset_hint = -1}));
  EXPECT_THAT(FieldViolationsOf(status), SizeIs(5));
}

TEST(Validate, KeepsMessagesPrintable) {
  const absl::Status status =
      BuildError(One({.start = 0, .end = 0, .size = 1, .id = "\xFF\n" + std::string(1000, 'x')}));
  EXPECT_THAT(std::string(status.message()), HasSubstr("(id \"\\xff\\nxxx"));
  EXPECT_LT(status.message().size(), 200);
}

// Files as users have them, from the first byte to the refusal.
struct RefusedFile {
  const char* name;
  const char* csv;
  FieldViolation violation;
};

class RefusedFiles : public ::testing::TestWithParam<RefusedFile> {};

TEST_P(RefusedFiles, NameWhatIsWrong) {
  const absl::StatusOr<Problem> problem = ReadProblemCsv(GetParam().csv);
  ASSERT_TRUE(problem.ok()) << problem.status();
  const absl::Status status = BuildError(*problem);
  EXPECT_EQ(status.code(), kInvalid);
  EXPECT_THAT(FieldViolationsOf(status), ElementsAre(GetParam().violation));
}

INSTANTIATE_TEST_SUITE_P(
    All, RefusedFiles,
    ::testing::Values(
        RefusedFile{"EndBeforeStart",
                    "id,lower,upper,size\na,0,4,32\nb,5,3,16\n",
                    {"buffers[1].end", "must be greater than start, got end 3 <= start 5 (id \"b\")"}},
        RefusedFile{"EndMinusOneMeansForever",
                    "id,lower,upper,size\nw,0,4,32\nstate,1,-1,2\n",
                    {"buffers[1].end", "must be greater than start, got end -1 <= start 1 (id \"state\")"}},
        RefusedFile{"DuplicateId",
                    "id,lower,upper,size\npool0,0,4,512\npool1,1,3,256\npool0,2,6,512\n",
                    {"buffers[2].id", "must be unique, got \"pool0\" as in buffers[0]"}},
        RefusedFile{"NegativeSize",
                    "id,lower,upper,size\na,0,2,-16\nb,0,2,32\n",
                    {"buffers[0].size", "must not be negative, got -16 (id \"a\")"}},
        RefusedFile{"OffsetMinusOneSentinel",
                    "id,lower,upper,size,offset\na,0,4,64,-1\nb,0,4,64,0\n",
                    {"buffers[0].fixed_offset", "must not be negative, got -1 (id \"a\")"}},
        RefusedFile{"AlignmentZero",
                    "id,lower,upper,size,alignment\na,0,2,16,0\nb,0,2,16,8\n",
                    {"buffers[0].alignment", "must be at least 1, got 0 (id \"a\")"}},
        RefusedFile{"PinBreaksOwnAlignment",
                    "id,lower,upper,size,alignment,offset\nrtp,0,4,64,64,100\nx,0,4,64,64,\n",
                    {"buffers[0].fixed_offset", "must be a multiple of alignment 64, got 100 (id \"rtp\")"}},
        RefusedFile{
            "PinsCollideWhileLive",
            "id,lower,upper,size,offset\ncircular_buffers,0,4,1151872,0\nl1_tensor,2,6,65536,1149952\n",
            {"buffers[1].fixed_offset",
             "pinned buffers \"circular_buffers\" and \"l1_tensor\" share 1920 bytes [1149952, 1151872) "
             "during ticks [2, 4), got 1149952"}},
        RefusedFile{"GapOutsideLifetime",
                    "id,lower,upper,size,gaps\na,0,8,64,9-11\nb,0,4,32,\n",
                    {"buffers[0].gaps[0]", "must lie within the lifetime [0, 8), got [9, 11) (id \"a\")"}},
        RefusedFile{"GapWindowBiggerThanBuffer",
                    "id,lower,upper,size,gaps\na,0,8,64,2-4@0:96\nb,0,4,32,\n",
                    {"buffers[0].gaps[0].window",
                     "must have 0 <= lower < upper <= size 64, got [0, 96) (id \"a\")"}}),
    [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace telamalloc::testing

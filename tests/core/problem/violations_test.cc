#include "problem/violations.h"

#include <string>

#include "absl/strings/cord.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace telamalloc::testing {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST(InvalidProblem, SaysEveryViolationInItsMessage) {
  const absl::Status status = InvalidProblem({{"capacity", "must not be negative, got -1"}, {"a", "b"}}, 2);
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(status.message(), "capacity: must not be negative, got -1; a: b");
}

TEST(InvalidProblem, CountsWhatItDoesNotSay) {
  EXPECT_EQ(InvalidProblem({{"a", "b"}}, 8).message(), "a: b; and 7 more");
}

TEST(FieldViolationsOf, GivesBackWhatWasPutIn) {
  const std::vector<FieldViolation> violations = {
      {"buffers[0].id", std::string("\0,:12:\xFF\n\"", 9)}, {"", ""}, {"5:", ",,"}};
  EXPECT_EQ(FieldViolationsOf(InvalidProblem(violations, 3)), violations);
}

TEST(FieldViolationsOf, IsEmptyForOtherStatuses) {
  EXPECT_THAT(FieldViolationsOf(absl::OkStatus()), IsEmpty());
  EXPECT_THAT(FieldViolationsOf(absl::InvalidArgumentError("buffers[0].size: no")), IsEmpty());
}

TEST(FieldViolationsOf, IsEmptyForAPayloadThatIsNoList) {
  const absl::Status sound = InvalidProblem({{"field", "description"}}, 1);
  sound.ForEachPayload([](absl::string_view url, const absl::Cord& payload) {
    const std::string text(payload);
    for (std::size_t length = 1; length < text.size(); ++length) {
      absl::Status cut = absl::InvalidArgumentError("");
      cut.SetPayload(url, absl::Cord(text.substr(0, length)));
      EXPECT_THAT(FieldViolationsOf(cut), IsEmpty()) << text.substr(0, length);
    }
    absl::Status huge = absl::InvalidArgumentError("");
    huge.SetPayload(url, absl::Cord("18446744073709551615:a,"));
    EXPECT_THAT(FieldViolationsOf(huge), IsEmpty());
  });
}

TEST(ViolationList, MakesOnlyTheTextsThatItKeeps) {
  ViolationList list;
  EXPECT_TRUE(list.empty());
  EXPECT_TRUE(list.ToStatus(absl::StatusCode::kOutOfRange).ok());
  std::size_t made = 0;
  for (int v = 0; v < 50; ++v) {
    list.Add([&] {
      ++made;
      return FieldViolation{"f", "d"};
    });
  }
  EXPECT_EQ(made, kMaxReportedViolations);
  const absl::Status status = list.ToStatus(absl::StatusCode::kOutOfRange);
  EXPECT_EQ(status.code(), absl::StatusCode::kOutOfRange);
  EXPECT_THAT(FieldViolationsOf(status), SizeIs(kMaxReportedViolations));
  EXPECT_THAT(std::string(status.message()), ::testing::EndsWith("; and 30 more"));
  EXPECT_EQ(UnreportedViolationsOf(status), 30U);
  EXPECT_EQ(UnreportedViolationsOf(InvalidProblem({{"f", "d"}}, 1)), 0U);
  EXPECT_EQ(UnreportedViolationsOf(absl::OkStatus()), 0U);
}

TEST(Quoted, IsShortAndPrintable) {
  EXPECT_EQ(Quoted("kv"), "\"kv\"");
  EXPECT_EQ(Quoted("a\"\n\xC3\xA4"), R"("a\"\n\xc3\xa4")");
  EXPECT_EQ(Quoted(std::string(64, 'x')), "\"" + std::string(64, 'x') + "\"");
  EXPECT_EQ(Quoted(std::string(65, 'x')), "\"" + std::string(64, 'x') + "...\"");
}

}  // namespace
}  // namespace telamalloc::testing

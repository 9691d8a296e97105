#include "server/log.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "server/settings.h"

namespace telamalloc::server {
namespace {

TEST(Log, WritesTextThatStaysOnItsLine) {
  EXPECT_EQ(FormatEvent(LogFormat::kText, "request",
                        {{"id", "a1"}, {"message", "two words\n"}, {"peak", std::int64_t{7}}, {"ms", 0.5}}),
            "request id=a1 message=\"two words\\n\" peak=7 ms=0.5");
}

TEST(Log, WritesJsonThatParses) {
  const std::string line = "{" +
                           FormatEvent(LogFormat::kJson, "request",
                                       {{"id", "quote\" and \\ and \xFF"}, {"peak", std::int64_t{-7}}}) +
                           "}";
  const nlohmann::json json = nlohmann::json::parse(line);
  EXPECT_EQ(json["event"], "request");
  EXPECT_EQ(json["id"], "quote\" and \\ and \xEF\xBF\xBD");
  EXPECT_EQ(json["peak"], -7);
}

TEST(Log, LeavesOutEmptyTexts) {
  EXPECT_EQ(FormatEvent(LogFormat::kText, "request", {{"outcome", ""}, {"peak", std::int64_t{0}}}),
            "request peak=0");
}

TEST(Log, WritesAboveItsLevelOnly) {
  ::testing::internal::CaptureStderr();
  {
    Log log(LogFormat::kText, LogLevel::kWarning);
    log.Write(LogLevel::kInfo, "quiet", {});
    log.Write(LogLevel::kWarning, "loud", {{"n", std::int64_t{1}}});
  }
  const std::string lines = ::testing::internal::GetCapturedStderr();
  EXPECT_EQ(lines.find("quiet"), std::string::npos);
  EXPECT_NE(lines.find("warning loud n=1\n"), std::string::npos) << lines;
}

}  // namespace
}  // namespace telamalloc::server

#include "server/status_page.h"

#include <gmock/gmock.h>
#include <grpcpp/support/status.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "server/recent_requests.h"

namespace telamalloc::server {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(StatusPage, TellsHowTheServerIs) {
  const std::string page = StatusPage(
      {.server_id = "host/7",
       .version = "1.2.3",
       .uptime = std::chrono::seconds(61),
       .levels = {.queue_entries = 3, .queue_capacity = 9, .workers = 8, .workers_busy = 5, .ready = true},
       .recent = {}});
  for (const char* text : {"host/7", "1.2.3", "1m1s", "3 of 9 requests", "5 of 8", "ready"}) {
    EXPECT_THAT(page, HasSubstr(text));
  }
}

TEST(StatusPage, EscapesWhatCameFromOutside) {
  RequestRecord record;
  record.code = grpc::StatusCode::INVALID_ARGUMENT;
  record.message = "<script>alert(\"&\")</script>";
  const std::string page = StatusPage({.server_id = "s", .version = "v", .recent = {record}});
  EXPECT_THAT(page, Not(HasSubstr("<script>")));
  EXPECT_THAT(page, HasSubstr("&lt;script&gt;alert(&quot;&amp;&quot;)"));
}

TEST(RecentRequests, KeepsTheNewestFirst) {
  RecentRequests recent;
  for (int k = 0; k < 100; ++k) recent.Add({.id = std::to_string(k)});
  const auto records = recent.Get();
  ASSERT_EQ(records.size(), 32U);
  EXPECT_EQ(records.front().id, "99");
  EXPECT_EQ(records.back().id, "68");
}

}  // namespace
}  // namespace telamalloc::server

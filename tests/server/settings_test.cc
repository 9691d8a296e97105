#include "server/settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "absl/status/status.h"

namespace telamalloc::server {
namespace {

TEST(Settings, AreValidByDefault) { EXPECT_TRUE(Validate({}).ok()) << Validate({}); }

TEST(Settings, AreReportedTogetherWhenOutOfRange) {
  Settings settings = {.listen_address = "",
                       .workers = -1,
                       .queue_capacity = -1,
                       .queue_bytes = -1,
                       .default_budget = std::chrono::nanoseconds(0),
                       .max_budget = std::chrono::nanoseconds(-1),
                       .min_reply_margin = std::chrono::nanoseconds(-1),
                       .max_message_bytes = 0,
                       .max_buffers = 0,
                       .predrain = std::chrono::hours(25),
                       .drain_timeout = std::chrono::nanoseconds::max()};
  const absl::Status status = Validate(settings);
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  for (const char* name :
       {"listen_address", "workers", "queue_capacity", "queue_bytes", "default_budget", "max_budget",
        "min_reply_margin", "max_message_bytes", "max_buffers", "predrain", "drain_timeout"}) {
    EXPECT_THAT(std::string(status.message()), ::testing::HasSubstr(std::string(name) + ": "));
  }
}

}  // namespace
}  // namespace telamalloc::server

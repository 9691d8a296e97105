#include "server/settings.h"

#include <chrono>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace telamalloc::server {
namespace {

struct Range {
  const char* name;
  std::int64_t value;
  std::int64_t lowest;
  std::int64_t highest;
  const char* unit;
};

// A day: nobody waits longer, and no sum of two such spans comes near the end of the clock.
constexpr std::int64_t kLongest = std::chrono::nanoseconds(std::chrono::hours(24)).count();
constexpr std::int64_t kUnbounded = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kMostWorkers = 1024;
// Sizes of messages are an int in gRPC.
constexpr std::int64_t kMostMessageBytes = std::numeric_limits<std::int32_t>::max();

}  // namespace

absl::Status Validate(const Settings& settings) {
  const Range ranges[] = {
      {"workers", settings.workers, 0, kMostWorkers, ""},
      {"queue_capacity", settings.queue_capacity, 0, kUnbounded, ""},
      {"queue_bytes", settings.queue_bytes, 0, kUnbounded, " bytes"},
      {"default_budget", settings.default_budget.count(), 1, kLongest, " ns"},
      {"max_budget", settings.max_budget.count(), 1, kLongest, " ns"},
      {"min_reply_margin", settings.min_reply_margin.count(), 0, kLongest, " ns"},
      {"max_message_bytes", settings.max_message_bytes, 1, kMostMessageBytes, " bytes"},
      {"max_buffers", settings.max_buffers, 1, kUnbounded, ""},
      {"predrain", settings.predrain.count(), 0, kLongest, " ns"},
      {"drain_timeout", settings.drain_timeout.count(), 0, kLongest, " ns"},
  };
  std::vector<std::string> errors;
  if (settings.listen_address.empty()) errors.emplace_back("listen_address: must not be empty");
  for (const Range& range : ranges) {
    if (range.value >= range.lowest && range.value <= range.highest) continue;
    errors.push_back(absl::StrCat(range.name, ": must lie in ", range.lowest, " to ", range.highest,
                                  range.unit, ", got ", range.value));
  }
  return errors.empty() ? absl::OkStatus() : absl::InvalidArgumentError(absl::StrJoin(errors, "; "));
}

}  // namespace telamalloc::server

// google.protobuf.Duration spans 20,000 years, nanoseconds in 64 bits 584.
#include <google/protobuf/duration.pb.h>

#include <chrono>
#include <cstdint>

#include "convert/convert.h"

namespace telamalloc {
namespace {

constexpr std::int64_t kNanosPerSecond = 1'000'000'000;

}  // namespace

std::chrono::nanoseconds FromProto(const google::protobuf::Duration& wire) {
  std::int64_t nanos = 0;
  if (__builtin_mul_overflow(wire.seconds(), kNanosPerSecond, &nanos) ||
      __builtin_add_overflow(nanos, std::int64_t{wire.nanos()}, &nanos)) {
    return wire.seconds() < 0 ? std::chrono::nanoseconds::min() : std::chrono::nanoseconds::max();
  }
  return std::chrono::nanoseconds(nanos);
}

google::protobuf::Duration ToProto(std::chrono::nanoseconds duration) {
  google::protobuf::Duration wire;
  wire.set_seconds(duration.count() / kNanosPerSecond);
  wire.set_nanos(static_cast<std::int32_t>(duration.count() % kNanosPerSecond));
  return wire;
}

}  // namespace telamalloc

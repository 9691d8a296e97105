// An id from outside goes into logs and back into metadata, so that only harmless ones are taken over.
#include "server/request_id.h"

#include <grpcpp/support/string_ref.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <random>
#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace telamalloc::server {
namespace {

constexpr std::size_t kMaxLength = 64;

bool IsHarmless(char c) {
  return absl::ascii_isalnum(static_cast<unsigned char>(c)) || absl::StrContains("-_.:/", c);
}

std::string NewId() {
  thread_local std::mt19937_64 random{std::random_device{}()};
  return absl::StrCat(absl::Hex(random(), absl::kZeroPad16));
}

}  // namespace

std::string RequestIdOf(const std::multimap<grpc::string_ref, grpc::string_ref>& metadata) {
  const auto found = metadata.find(kRequestIdKey);
  if (found == metadata.end()) return NewId();
  const absl::string_view id(found->second.data(), found->second.size());
  const bool usable = !id.empty() && id.size() <= kMaxLength && std::ranges::all_of(id, IsHarmless);
  return usable ? absl::StrCat(id) : NewId();
}

}  // namespace telamalloc::server

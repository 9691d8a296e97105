// gRPC takes nearly any text and lets it fail when it connects, or not fail at all: a missing port is 443,
// and "127.0.0.1:50551x" is port 50551. So host:port is looked at here.
#include "client/target.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"

namespace telamalloc {
namespace {

constexpr std::array<absl::string_view, 6> kSchemes = {
    "dns:", "ipv4:", "ipv6:", "unix:", "unix-abstract:", "xds:"};

bool HasScheme(absl::string_view text) {
  return std::ranges::any_of(kSchemes, [text](absl::string_view scheme) {
    return text.size() > scheme.size() && absl::StartsWith(text, scheme);
  });
}

absl::Status Refuse(absl::string_view target, absl::string_view why) {
  return absl::InvalidArgumentError(
      absl::StrCat("server \"", absl::Utf8SafeCHexEscape(target), "\": must be host:port, ", why));
}

// The letters of names and addresses; a scope such as %eth0 too.
bool IsHost(absl::string_view host) {
  return !host.empty() && std::ranges::all_of(host, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return absl::ascii_isalnum(byte) || byte >= 0x80 || absl::StrContains("-._:%", absl::string_view(&c, 1));
  });
}

absl::Status CheckHostPort(absl::string_view target) {
  if (absl::StrContains(target, "://")) return Refuse(target, "without a scheme in front");
  const std::size_t colon = target.rfind(':');
  const bool is_bracketed = !target.empty() && target.front() == '[';
  const bool has_port =
      colon != absl::string_view::npos && (!is_bracketed || (colon > 0 && target[colon - 1] == ']'));
  if (!has_port) return Refuse(target, "has no port");
  absl::string_view host = target.substr(0, colon);
  if (is_bracketed) host = host.substr(1, host.size() - 2);
  if (!is_bracketed && absl::StrContains(host, ":")) {
    return Refuse(target, "an IPv6 address in brackets as in [::1]:50551");
  }
  if (!IsHost(host)) return Refuse(target, host.empty() ? "has no host" : "has no sound host");
  const absl::string_view port = target.substr(colon + 1);
  int number = 0;
  const bool is_number =
      std::ranges::all_of(port, [](char c) { return absl::ascii_isdigit(static_cast<unsigned char>(c)); });
  if (!is_number || !absl::SimpleAtoi(port, &number) || number < 1 || number > 65535) {
    return Refuse(target, absl::StrCat("the port 1 to 65535, got \"", absl::Utf8SafeCHexEscape(port), "\""));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::vector<std::string>> ParseTargets(absl::string_view text) {
  // Such a name may have commas of its own: "ipv4:///10.0.0.1:1,10.0.0.2:1".
  if (absl::StrContains(text, ":///") && HasScheme(absl::StripAsciiWhitespace(text))) {
    return std::vector<std::string>{absl::StrCat(absl::StripAsciiWhitespace(text))};
  }
  std::vector<std::string> targets;
  for (const absl::string_view part : absl::StrSplit(text, ',')) {
    const absl::string_view target = absl::StripAsciiWhitespace(part);
    if (HasScheme(target)) {
      targets.push_back(absl::StrCat(target));
      continue;
    }
    if (target.empty()) {
      return absl::InvalidArgumentError(absl::StrCat("server: must be host:port[,host:port]..., got \"",
                                                     absl::Utf8SafeCHexEscape(text), "\""));
    }
    if (absl::Status status = CheckHostPort(target); !status.ok()) return status;
    targets.push_back(absl::StrCat(target));
  }
  return targets;
}

}  // namespace telamalloc

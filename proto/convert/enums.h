// Enums of core and of the wire, paired by one table each.
#ifndef TELAMALLOC_PROTO_CONVERT_ENUMS_H_
#define TELAMALLOC_PROTO_CONVERT_ENUMS_H_

#include <optional>

#include "absl/strings/str_cat.h"
#include "convert/convert.h"
#include "convert/violations.h"
#include "telamalloc/solver.h"
#include "telamalloc/v1/allocation_service.pb.h"

namespace telamalloc {

v1::Outcome ToProto(Outcome outcome);
v1::StopReason ToProto(Limit limit);
v1::Method ToProto(Method method);

// Unset: a value that this version does not know, or that has no counterpart.
std::optional<Objective> FromProto(v1::Objective wire);
std::optional<FallbackPolicy> FromProto(v1::FallbackPolicy wire);
std::optional<Outcome> FromProto(v1::Outcome wire);
std::optional<Limit> FromProto(v1::StopReason wire);
std::optional<Method> FromProto(v1::Method wire);

// The same for a field of a message: what is not known becomes a violation.
template <typename Core, typename Wire>
Core EnumFromProto(Wire wire, const char* field, WireViolations& violations) {
  const std::optional<Core> core = FromProto(wire);
  if (!core) violations.Add(field, absl::StrCat("unknown value ", static_cast<int>(wire)));
  return core.value_or(Core{});
}

}  // namespace telamalloc

#endif  // TELAMALLOC_PROTO_CONVERT_ENUMS_H_

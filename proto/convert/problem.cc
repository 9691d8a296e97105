// Field by field. The wire's 0 for an alignment means that none was set, which is 1 here; everything else
// goes through unchanged, also what breaks a rule of the model, so that one place words those rules.
#include "telamalloc/problem.h"

#include <google/protobuf/stubs/common.h>

#include <cstddef>
#include <string>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "convert/convert.h"
#include "convert/violations.h"
#include "telamalloc/v1/allocation_service.pb.h"

namespace telamalloc {
namespace {

// Where a gap is: built only when it breaks a rule.
struct GapPosition {
  int buffer = 0;
  int gap = 0;
  [[nodiscard]] std::string Field(const char* name) const {
    return absl::StrCat("buffers[", buffer, "].gaps[", gap, "].", name);
  }
};

Gap GapFromProto(const v1::Gap& wire, GapPosition position, WireViolations& violations) {
  Gap gap = {.start = wire.start(), .end = wire.end()};
  if (wire.has_window_lower() && wire.has_window_upper()) {
    gap.window = AddressWindow{.lower = wire.window_lower(), .upper = wire.window_upper()};
  } else if (wire.has_window_lower()) {
    violations.Add(position.Field("window_upper"), "must be set, since window_lower is");
  } else if (wire.has_window_upper()) {
    violations.Add(position.Field("window_lower"), "must be set, since window_upper is");
  }
  return gap;
}

Buffer BufferFromProto(const v1::Buffer& wire, int position, WireViolations& violations) {
  Buffer buffer = {.start = wire.start(),
                   .end = wire.end(),
                   .size = wire.size(),
                   .alignment = wire.alignment() == 0 ? 1 : wire.alignment(),
                   .id = wire.id(),
                   .colocation_group = wire.colocation_group()};
  if (wire.has_fixed_offset()) buffer.fixed_offset = wire.fixed_offset();
  if (wire.has_offset_hint()) buffer.offset_hint = wire.offset_hint();
  buffer.gaps.reserve(static_cast<std::size_t>(wire.gaps_size()));
  for (int gap = 0; gap < wire.gaps_size(); ++gap) {
    buffer.gaps.push_back(GapFromProto(wire.gaps(gap), {.buffer = position, .gap = gap}, violations));
  }
  return buffer;
}

void BufferToProto(const Buffer& buffer, v1::Buffer& wire) {
  wire.set_start(buffer.start);
  wire.set_end(buffer.end);
  wire.set_size(buffer.size);
  // 1 is what unset means. 0 is invalid here and unset there: CheckBuffers refuses it.
  if (buffer.alignment != 1) wire.set_alignment(buffer.alignment);
  if (buffer.fixed_offset) wire.set_fixed_offset(*buffer.fixed_offset);
  if (buffer.offset_hint) wire.set_offset_hint(*buffer.offset_hint);
  wire.set_id(buffer.id);
  wire.set_colocation_group(buffer.colocation_group);
  for (const Gap& gap : buffer.gaps) {
    v1::Gap& wire_gap = *wire.add_gaps();
    wire_gap.set_start(gap.start);
    wire_gap.set_end(gap.end);
    if (!gap.window) continue;
    wire_gap.set_window_lower(gap.window->lower);
    wire_gap.set_window_upper(gap.window->upper);
  }
}

void CheckText(const std::string& text, absl::FunctionRef<std::string()> field, WireViolations& violations) {
  if (google::protobuf::internal::IsStructurallyValidUTF8(text.data(), static_cast<int>(text.size()))) return;
  constexpr std::size_t kMaxQuotedBytes = 64;
  const bool whole = text.size() <= kMaxQuotedBytes;
  violations.Add(field(),
                 absl::StrCat("must be UTF-8, got \"", absl::CHexEscape(text.substr(0, kMaxQuotedBytes)),
                              whole ? "\"" : "...\""));
}

}  // namespace

absl::StatusOr<Problem> FromProto(const v1::Problem& wire) {
  WireViolations violations;
  Problem problem;
  problem.name = wire.name();
  if (wire.has_capacity()) problem.capacity = wire.capacity();
  problem.buffers.reserve(static_cast<std::size_t>(wire.buffers_size()));
  for (int buffer = 0; buffer < wire.buffers_size(); ++buffer) {
    problem.buffers.push_back(BufferFromProto(wire.buffers(buffer), buffer, violations));
  }
  if (absl::Status status = violations.ToStatus(); !status.ok()) return status;
  return problem;
}

absl::Status CheckTexts(const Problem& problem) {
  WireViolations violations;
  CheckText(
      problem.name, [] { return std::string("name"); }, violations);
  for (std::size_t b = 0; b < problem.buffers.size(); ++b) {
    const Buffer& buffer = problem.buffers[b];
    CheckText(
        buffer.id, [b] { return absl::StrCat("buffers[", b, "].id"); }, violations);
    CheckText(
        buffer.colocation_group, [b] { return absl::StrCat("buffers[", b, "].colocation_group"); },
        violations);
  }
  return violations.ToStatus();
}

v1::Problem ToProto(const Problem& problem) {
  v1::Problem wire;
  wire.set_name(problem.name);
  if (problem.capacity) wire.set_capacity(*problem.capacity);
  wire.mutable_buffers()->Reserve(static_cast<int>(problem.buffers.size()));
  for (const Buffer& buffer : problem.buffers) BufferToProto(buffer, *wire.add_buffers());
  return wire;
}

}  // namespace telamalloc

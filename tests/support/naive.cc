#include "support/naive.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <string>

namespace telamalloc::testing {
namespace {

void AddTicks(const Buffer& buffer, std::set<std::int64_t>& ticks) {
  ticks.insert({buffer.start, buffer.end});
  for (const Gap& gap : buffer.gaps) ticks.insert({gap.start, gap.end});
}

bool SameGroup(const Buffer& a, const Buffer& b) {
  return !a.colocation_group.empty() && a.colocation_group == b.colocation_group;
}

// Groups whose members all have size 0 bind nothing.
bool GroupHasBytes(const Problem& problem, const std::string& group) {
  return std::ranges::any_of(problem.buffers,
                             [&](const Buffer& b) { return b.colocation_group == group && b.size > 0; });
}

bool KeepsOwnRules(const Buffer& buffer, std::int64_t offset) {
  std::int64_t top = 0;
  return offset >= 0 && offset % buffer.alignment == 0 && buffer.fixed_offset.value_or(offset) == offset &&
         !__builtin_add_overflow(offset, buffer.size, &top);
}

}  // namespace

std::optional<AddressWindow> BytesAt(const Buffer& buffer, std::int64_t tick) {
  if (buffer.size == 0 || tick < buffer.start || tick >= buffer.end) return std::nullopt;
  for (const Gap& gap : buffer.gaps) {
    if (gap.start <= tick && tick < gap.end) return gap.window;
  }
  return AddressWindow{.lower = 0, .upper = buffer.size};
}

std::vector<std::int64_t> CriticalTicks(const Problem& problem) {
  std::set<std::int64_t> ticks;
  for (const Buffer& buffer : problem.buffers) AddTicks(buffer, ticks);
  return {ticks.begin(), ticks.end()};
}

std::int64_t ContentionAt(const Problem& problem, std::int64_t tick) {
  std::int64_t sum = 0;
  std::map<std::string, std::set<std::int64_t>> bytes_of_group;
  for (const Buffer& buffer : problem.buffers) {
    const std::optional<AddressWindow> bytes = BytesAt(buffer, tick);
    if (!bytes) continue;
    if (buffer.colocation_group.empty()) {
      sum += bytes->upper - bytes->lower;
    } else {
      std::set<std::int64_t>& shared = bytes_of_group[buffer.colocation_group];
      for (std::int64_t byte = bytes->lower; byte < bytes->upper; ++byte) shared.insert(byte);
    }
  }
  for (const auto& [group, bytes] : bytes_of_group) sum += static_cast<std::int64_t>(bytes.size());
  return sum;
}

bool Compatible(const Buffer& a, std::int64_t offset_a, const Buffer& b, std::int64_t offset_b) {
  if (SameGroup(a, b)) return offset_a == offset_b;
  std::set<std::int64_t> ticks;
  AddTicks(a, ticks);
  AddTicks(b, ticks);
  return std::ranges::none_of(ticks, [&](std::int64_t tick) {
    const std::optional<AddressWindow> x = BytesAt(a, tick);
    const std::optional<AddressWindow> y = BytesAt(b, tick);
    return x && y && offset_a + x->lower < offset_b + y->upper && offset_b + y->lower < offset_a + x->upper;
  });
}

bool IsValidPlacement(const Problem& problem, std::span<const std::int64_t> offsets) {
  const std::vector<Buffer>& buffers = problem.buffers;
  if (offsets.size() != buffers.size()) return false;
  for (std::size_t a = 0; a < buffers.size(); ++a) {
    if (!KeepsOwnRules(buffers[a], offsets[a])) return false;
    for (std::size_t b = 0; b < a; ++b) {
      if (SameGroup(buffers[a], buffers[b]) && !GroupHasBytes(problem, buffers[a].colocation_group)) continue;
      if (!Compatible(buffers[a], offsets[a], buffers[b], offsets[b])) return false;
    }
  }
  return true;
}

std::int64_t PeakOf(const Problem& problem, std::span<const std::int64_t> offsets) {
  std::int64_t peak = 0;
  for (std::size_t b = 0; b < offsets.size(); ++b) {
    if (problem.buffers[b].size > 0) peak = std::max(peak, offsets[b] + problem.buffers[b].size);
  }
  return peak;
}

}  // namespace telamalloc::testing

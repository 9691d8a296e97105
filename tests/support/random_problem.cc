// Buffers are drawn one by one; a pin is kept only if it goes with all pins before it.
#include "support/random_problem.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "support/naive.h"

namespace telamalloc::testing {
namespace {

// One or two gaps, possibly touching.
void AddGaps(Random& random, bool windows, Buffer& buffer) {
  std::int64_t tick = buffer.start;
  for (int g = 0; g < 2 && tick < buffer.end; ++g) {
    Gap gap;
    gap.start = random.Uniform(tick, buffer.end - 1);
    gap.end = random.Uniform(gap.start + 1, buffer.end);
    tick = gap.end;
    if (windows && buffer.size > 0 && random.OneIn(2)) {
      AddressWindow window;
      window.lower = random.Uniform(0, buffer.size - 1);
      window.upper = random.Uniform(window.lower + 1, buffer.size);
      gap.window = window;
    }
    buffer.gaps.push_back(gap);
  }
  if (random.OneIn(4)) std::ranges::reverse(buffer.gaps);
}

Buffer RandomBuffer(Random& random, const RandomProblemOptions& options) {
  Buffer buffer;
  const std::int64_t earliest = -options.ticks / 2;
  buffer.start = random.Uniform(earliest, earliest + options.ticks - 1);
  buffer.end = random.Uniform(buffer.start + 1, earliest + options.ticks);
  buffer.size = options.zero_sizes && random.OneIn(6) ? 0 : random.Uniform(1, options.max_size);
  if (options.alignments && random.OneIn(2)) buffer.alignment = random.Uniform(1, 4);
  if (options.hints && random.OneIn(3)) buffer.offset_hint = random.Uniform(0, 2 * options.max_size);
  if ((options.gaps || options.windows) && random.OneIn(2)) AddGaps(random, options.windows, buffer);
  if (options.colocation && random.OneIn(2)) buffer.colocation_group.assign(1, random.OneIn(2) ? 'g' : 'h');
  return buffer;
}

// Rows that share the offset of row `b`: its group, or itself.
std::vector<std::size_t> UnitOf(const Problem& problem, std::size_t b) {
  const std::string& group = problem.buffers[b].colocation_group;
  if (group.empty()) return {b};
  std::vector<std::size_t> members;
  for (std::size_t a = 0; a < problem.buffers.size(); ++a) {
    if (problem.buffers[a].colocation_group == group) members.push_back(a);
  }
  return members;
}

// Where row `b` is pinned, by itself or by its group.
std::optional<std::int64_t> PinOf(const Problem& problem, std::size_t b) {
  for (const std::size_t member : UnitOf(problem, b)) {
    if (problem.buffers[member].fixed_offset) return problem.buffers[member].fixed_offset;
  }
  return std::nullopt;
}

// Whether no other pinned unit collides with the members at `offset`.
bool MayPin(const Problem& problem, const std::vector<std::size_t>& members, std::int64_t offset) {
  for (std::size_t a = 0; a < problem.buffers.size(); ++a) {
    const std::optional<std::int64_t> pin = PinOf(problem, a);
    if (!pin || std::ranges::find(members, a) != members.end()) continue;
    for (const std::size_t member : members) {
      if (!Compatible(problem.buffers[member], offset, problem.buffers[a], *pin)) return false;
    }
  }
  return true;
}

void AddPins(Random& random, const RandomProblemOptions& options, Problem& problem) {
  for (std::size_t b = 0; b < problem.buffers.size(); ++b) {
    if (!random.OneIn(4)) continue;
    const std::vector<std::size_t> members = UnitOf(problem, b);
    std::int64_t alignment = 1;
    bool pinned = false;
    for (const std::size_t member : members) {
      alignment = std::lcm(alignment, problem.buffers[member].alignment);
      pinned = pinned || problem.buffers[member].fixed_offset;
    }
    const std::int64_t offset = alignment * random.Uniform(0, 2 * options.max_size / alignment);
    if (!pinned && MayPin(problem, members, offset)) problem.buffers[b].fixed_offset = offset;
  }
}

}  // namespace

RandomProblemOptions AllFeatures() {
  return {.alignments = true,
          .pins = true,
          .gaps = true,
          .windows = true,
          .colocation = true,
          .hints = true,
          .zero_sizes = true};
}

Problem RandomProblem(std::uint64_t seed, const RandomProblemOptions& options) {
  Random random(seed);
  Problem problem;
  for (std::int64_t b = 0; b < options.buffers; ++b) {
    problem.buffers.push_back(RandomBuffer(random, options));
    if (options.ids) problem.buffers.back().id = absl::StrCat("b", b);
  }
  if (options.pins) AddPins(random, options, problem);
  return problem;
}

Problem CutRectangle(Random& random, const Rectangle& rectangle) {
  Problem problem = {
      .buffers = {{.start = 0, .end = rectangle.ticks, .size = rectangle.bytes, .offset_hint = 0}}};
  // Some parts are too thin to cut.
  for (std::int64_t cut = 1; cut < 3 * rectangle.parts && std::ssize(problem.buffers) < rectangle.parts;
       ++cut) {
    Buffer& lower = problem.buffers[random.Uniform(0, std::ssize(problem.buffers) - 1)];
    Buffer upper = lower;
    if (random.OneIn(2)) {
      if (lower.end - lower.start == 1) continue;
      lower.end = upper.start = random.Uniform(lower.start + 1, lower.end - 1);
    } else {
      if (lower.size == 1) continue;
      lower.size = random.Uniform(1, lower.size - 1);
      *upper.offset_hint += lower.size;
      upper.size -= lower.size;
    }
    problem.buffers.push_back(upper);
  }
  return problem;
}

Problem Shuffled(const Problem& problem, Random& random) {
  Problem shuffled = problem;
  for (std::size_t b = shuffled.buffers.size(); b > 1; --b) {
    std::swap(shuffled.buffers[b - 1], shuffled.buffers[random.Uniform(0, static_cast<std::int64_t>(b) - 1)]);
  }
  return shuffled;
}

}  // namespace telamalloc::testing

#include "property/features.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>

#include "support/random_problem.h"

namespace telamalloc::testing {
namespace {

constexpr std::array<absl::string_view, 7> kFeatures = {"plain",   "align",      "pins", "gaps",
                                                        "windows", "colocation", "mixed"};

RandomProblemOptions OptionsOf(absl::string_view feature) {
  if (feature == "mixed") return AllFeatures();
  return {.alignments = feature == "align",
          .pins = feature == "pins",
          .gaps = feature == "gaps",
          .windows = feature == "windows",
          .colocation = feature == "colocation"};
}

// A cut rectangle whose parts are free to move, but for some pins.
Problem Tiling(Random& random, std::int64_t count, bool pins) {
  const std::int64_t ticks = random.Uniform(3, 8);
  Problem problem = CutRectangle(random, {.parts = count, .ticks = ticks, .bytes = random.Uniform(3, 8)});
  for (Buffer& buffer : problem.buffers) {
    if (pins && random.OneIn(3)) buffer.fixed_offset = buffer.offset_hint;
    if (!random.OneIn(4)) buffer.offset_hint.reset();
  }
  return Shuffled(problem, random);
}

}  // namespace

std::span<const absl::string_view> Features() { return kFeatures; }

Problem DrawProblem(std::uint64_t seed, absl::string_view feature) {
  assert(std::ranges::find(kFeatures, feature) != kFeatures.end());
  Random random(seed ^ 0x74656C616D616C6CU);
  const std::int64_t count = random.Uniform(2, feature == "mixed" ? 7 : 9);
  if ((feature == "plain" || feature == "pins") && random.OneIn(2)) {
    return Tiling(random, count, feature == "pins");
  }
  RandomProblemOptions options = OptionsOf(feature);
  options.buffers = count;
  options.ticks = random.Uniform(2, 10);
  options.max_size = random.Uniform(1, count > 7 ? 3 : 6);
  options.zero_sizes = options.zero_sizes || random.OneIn(4);
  options.hints = options.hints || random.OneIn(4);
  return RandomProblem(random.Next(), options);
}

Problem Scaled(const Problem& problem, std::int64_t factor) {
  Problem scaled = problem;
  for (Buffer& buffer : scaled.buffers) {
    buffer.size *= factor;
    if (buffer.alignment != 1) buffer.alignment *= factor;
    if (buffer.fixed_offset) *buffer.fixed_offset *= factor;
    if (buffer.offset_hint) *buffer.offset_hint *= factor;
    for (Gap& gap : buffer.gaps) {
      if (!gap.window) continue;
      gap.window->lower *= factor;
      gap.window->upper *= factor;
    }
  }
  return scaled;
}

Problem Shifted(const Problem& problem, std::int64_t ticks) {
  Problem shifted = problem;
  for (Buffer& buffer : shifted.buffers) {
    buffer.start += ticks;
    buffer.end += ticks;
    for (Gap& gap : buffer.gaps) {
      gap.start += ticks;
      gap.end += ticks;
    }
  }
  return shifted;
}

}  // namespace telamalloc::testing

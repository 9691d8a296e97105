// A buffer with gaps is a row of rectangles: full height between gaps, its window's height within one.
#include "client/cli/drawing.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "telamalloc/problem.h"

namespace telamalloc::cli {
namespace {

void AddBuffer(const Buffer& buffer, std::size_t b, std::int64_t offset, std::vector<Rectangle>& out) {
  std::vector<Gap> gaps = buffer.gaps;
  std::ranges::sort(gaps, {}, &Gap::start);
  const auto add = [&](std::int64_t start, std::int64_t end, const AddressWindow& bytes) {
    if (start >= end) return;
    out.push_back({.buffer = b,
                   .start = start,
                   .end = end,
                   .lower = offset + bytes.lower,
                   .upper = offset + bytes.upper});
  };
  const AddressWindow whole = {.lower = 0, .upper = buffer.size};
  std::int64_t tick = buffer.start;
  for (const Gap& gap : gaps) {
    add(tick, gap.start, whole);
    if (gap.window) add(gap.start, gap.end, *gap.window);
    tick = gap.end;
  }
  add(tick, buffer.end, whole);
}

}  // namespace

Drawing MakeDrawing(const Problem& problem, std::span<const std::int64_t> offsets) {
  Drawing drawing;
  for (std::size_t b = 0; b < problem.buffers.size(); ++b) {
    if (problem.buffers[b].size > 0) AddBuffer(problem.buffers[b], b, offsets[b], drawing.rectangles);
  }
  if (drawing.rectangles.empty()) return drawing;
  drawing.start = std::ranges::min(drawing.rectangles, {}, &Rectangle::start).start;
  drawing.end = std::ranges::max(drawing.rectangles, {}, &Rectangle::end).end;
  drawing.peak = std::ranges::max(drawing.rectangles, {}, &Rectangle::upper).upper;
  return drawing;
}

std::vector<LoadStep> LoadOf(const Drawing& drawing) {
  std::vector<LoadStep> changes;
  changes.reserve(2 * drawing.rectangles.size());
  for (const Rectangle& rectangle : drawing.rectangles) {
    changes.push_back({.tick = rectangle.start, .bytes = rectangle.upper - rectangle.lower});
    changes.push_back({.tick = rectangle.end, .bytes = rectangle.lower - rectangle.upper});
  }
  std::ranges::sort(changes, {}, [](const LoadStep& change) { return std::pair(change.tick, change.bytes); });
  std::vector<LoadStep> steps;
  std::int64_t bytes = 0;
  for (const LoadStep& change : changes) {
    bytes += change.bytes;
    if (!steps.empty() && steps.back().tick == change.tick) {
      steps.back().bytes = bytes;
    } else {
      steps.push_back({.tick = change.tick, .bytes = bytes});
    }
  }
  return steps;
}

}  // namespace telamalloc::cli

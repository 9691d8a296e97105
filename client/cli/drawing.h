// What both pictures draw: rectangles of time by address.
#ifndef TELAMALLOC_CLIENT_CLI_DRAWING_H_
#define TELAMALLOC_CLIENT_CLI_DRAWING_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "telamalloc/problem.h"

namespace telamalloc::cli {

// Bytes [lower, upper) that buffer `buffer` holds during ticks [start, end).
struct Rectangle {
  std::size_t buffer = 0;
  std::int64_t start = 0;
  std::int64_t end = 0;
  std::int64_t lower = 0;
  std::int64_t upper = 0;
};

// A placement cut at its gaps. Empty lifetimes between gaps and buffers of size 0 are left out.
struct Drawing {
  std::vector<Rectangle> rectangles;
  // The ticks from the first start to the last end; 0 and 1 when there is nothing.
  std::int64_t start = 0;
  std::int64_t end = 1;
  std::int64_t peak = 0;
};

// REQUIRES: the placement is valid for `problem`, capacity apart.
Drawing MakeDrawing(const Problem& problem, std::span<const std::int64_t> offsets);

// Live bytes from `tick` until the next step (0 after the last).
struct LoadStep {
  std::int64_t tick = 0;
  std::int64_t bytes = 0;
};

// The load over time, by ascending tick.
std::vector<LoadStep> LoadOf(const Drawing& drawing);

}  // namespace telamalloc::cli

#endif  // TELAMALLOC_CLIENT_CLI_DRAWING_H_

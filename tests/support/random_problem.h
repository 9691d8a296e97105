// Random valid problems, the same for a seed on every platform.
#ifndef TELAMALLOC_TESTS_SUPPORT_RANDOM_PROBLEM_H_
#define TELAMALLOC_TESTS_SUPPORT_RANDOM_PROBLEM_H_

#include <cstdint>

#include "telamalloc/problem.h"

namespace telamalloc::testing {

// splitmix64: small, seeded, and unlike the distributions of <random> the same everywhere.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t Next() {
    state_ += 0x9E3779B97F4A7C15U;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31);
  }

  // Uniform in [lowest, highest]. REQUIRES: lowest <= highest, less than 2^63 apart.
  std::int64_t Uniform(std::int64_t lowest, std::int64_t highest) {
    const std::uint64_t range = static_cast<std::uint64_t>(highest) - static_cast<std::uint64_t>(lowest) + 1;
    return lowest + static_cast<std::int64_t>(Next() % range);
  }

  bool OneIn(std::int64_t n) { return Uniform(1, n) == 1; }

 private:
  std::uint64_t state_;
};

struct RandomProblemOptions {
  std::int64_t buffers = 6;
  std::int64_t ticks = 8;     // lifetimes lie in [-ticks / 2, ticks - ticks / 2)
  std::int64_t max_size = 6;  // >= 1
  // Each switches on a feature for some of the buffers.
  bool alignments = false;  // 1 .. 4
  bool pins = false;        // never colliding, so that the problem stays valid; O(n cubed)
  bool gaps = false;
  bool windows = false;  // some of the gaps keep one; implies gaps
  bool colocation = false;
  bool hints = false;
  bool zero_sizes = false;
  bool ids = true;  // of every buffer; otherwise of none
};

// Everything on.
RandomProblemOptions AllFeatures();

// A valid problem without capacity. REQUIRES: ticks >= 1.
Problem RandomProblem(std::uint64_t seed, const RandomProblemOptions& options);

struct Rectangle {
  std::int64_t parts = 6;  // at most
  std::int64_t ticks = 8;  // >= 1
  std::int64_t bytes = 8;  // >= 1
};

// A rectangle cut in two, a part of it again, and so on: the load is `bytes` at all times, and the parts fit
// into that. Where each came from is its offset hint.
Problem CutRectangle(Random& random, const Rectangle& rectangle);

// The same buffers in another order.
Problem Shuffled(const Problem& problem, Random& random);

}  // namespace telamalloc::testing

#endif  // TELAMALLOC_TESTS_SUPPORT_RANDOM_PROBLEM_H_

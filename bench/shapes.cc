// std::mt19937_64 gives the same numbers everywhere; the standard's distributions do not, so that remainders
// are taken instead.
#include "bench/shapes.h"

#include <algorithm>
#include <array>
#include <random>
#include <string>

namespace telamalloc::bench {
namespace {

constexpr std::int64_t kSizeStep = 64;
constexpr std::uint64_t kSeed = 20230325;

// A size in [1, 256] steps, small ones more often.
std::int64_t DrawSize(std::mt19937_64& random) {
  const auto draw = [&] { return static_cast<std::int64_t>(random() % 16) + 1; };
  const std::int64_t first = draw();
  return kSizeStep * first * draw();
}

// `count` buffers that are live in [i * stride, i * stride + length) for the i-th.
Problem Staggered(std::int64_t count, std::int64_t stride, std::int64_t length) {
  std::mt19937_64 random(kSeed);
  Problem problem;
  for (std::int64_t index = 0; index < count; ++index) {
    problem.buffers.push_back({.start = index * stride,
                               .end = index * stride + length,
                               .size = DrawSize(random),
                               .id = "b" + std::to_string(index)});
  }
  return problem;
}

Problem NonOverlapping(std::int64_t count) { return Staggered(count, 1, 1); }
Problem FullOverlap(std::int64_t count) { return Staggered(count, 0, 1); }
Problem Chain(std::int64_t count) { return Staggered(count, 2, 4); }

Problem Random(std::int64_t count) {
  std::mt19937_64 random(kSeed);
  Problem problem;
  for (std::int64_t index = 0; index < count; ++index) {
    const auto start = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(count));
    const bool is_long = random() % 16 == 0;
    const auto length = static_cast<std::int64_t>(random() % (is_long ? 128 : 8)) + 1;
    problem.buffers.push_back({.start = start,
                               .end = std::min(start + length, count + 1),
                               .size = DrawSize(random),
                               .id = "b" + std::to_string(index)});
  }
  return problem;
}

constexpr std::array kShapes = {Shape{"NonOverlapping", &NonOverlapping}, Shape{"FullOverlap", &FullOverlap},
                                Shape{"Chain", &Chain}, Shape{"Random", &Random}};

}  // namespace

std::span<const Shape> Shapes() { return kShapes; }

}  // namespace telamalloc::bench

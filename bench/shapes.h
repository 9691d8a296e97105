// Problems of a given size and shape, equal in every run.
#ifndef TELAMALLOC_BENCH_SHAPES_H_
#define TELAMALLOC_BENCH_SHAPES_H_

#include <cstdint>
#include <span>

#include "telamalloc/problem.h"

namespace telamalloc::bench {

//   NonOverlapping   FullOverlap   Chain          Random
//   aabbccdd         aaaaaaaa      aaaabbbbcccc   lifetimes and sizes of a
//                    bbbbbbbb        ddddeeee     network's activations: many
//                    cccccccc                     short ones, a few long ones
//
// The first two are those of table 1 of the paper.
struct Shape {
  const char* name;
  Problem (*make)(std::int64_t buffers);
};

std::span<const Shape> Shapes();

}  // namespace telamalloc::bench

#endif  // TELAMALLOC_BENCH_SHAPES_H_

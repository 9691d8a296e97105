// Instances like those that a compiler asks about, by family, equal in every run.
#ifndef TELAMALLOC_BENCH_FAMILIES_H_
#define TELAMALLOC_BENCH_FAMILIES_H_

#include <cstdint>
#include <span>
#include <vector>

#include "telamalloc/problem.h"

namespace telamalloc::bench {

//   random        40 buffers, lifetimes and sizes uniform
//   conv          a chain of layers whose activations shrink stage by stage, with skips over two to six
//   layers inception     blocks of four branches between one input and one concatenated output transformer
//   blocks of attention and feed-forward around a residual stream unet          a chain down and up again;
//   each output on the way down waits for its partner tiling        a rectangle cut up: its load leaves not a
//   byte to spare, and a placement exists perturbed     one of the four model-like ones, jittered (jitter.h)
struct Family {
  const char* name;
  Problem (*make)(std::uint64_t seed);
  // Capacities asked about, in percent of the load.
  std::vector<std::int64_t> percents;
};

std::span<const Family> Families();

// Instance `seed` of `family`, with a capacity of `percent` of its load.
Problem MakeInstance(const Family& family, std::uint64_t seed, std::int64_t percent);

}  // namespace telamalloc::bench

#endif  // TELAMALLOC_BENCH_FAMILIES_H_

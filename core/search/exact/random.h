// splitmix64: small, seeded, and the same on every platform.
#ifndef TELAMALLOC_SEARCH_EXACT_RANDOM_H_
#define TELAMALLOC_SEARCH_EXACT_RANDOM_H_

#include <cstdint>

namespace telamalloc {

class SplitMix {
 public:
  explicit SplitMix(std::uint64_t seed) : state_(seed) {}

  std::uint64_t Next() {
    state_ += 0x9E3779B97F4A7C15U;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31);
  }

  // Uniform in [0, 1).
  double Unit() { return static_cast<double>(Next() >> 11) * 0x1.0p-53; }

 private:
  std::uint64_t state_;
};

}  // namespace telamalloc

#endif  // TELAMALLOC_SEARCH_EXACT_RANDOM_H_

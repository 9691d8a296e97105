// Which units TelaMalloc considers next: from the current phase only, the one with the longest lifetime, the
// largest size, the largest area.
#ifndef TELAMALLOC_SEARCH_CANDIDATES_H_
#define TELAMALLOC_SEARCH_CANDIDATES_H_

#include <array>
#include <cstdint>
#include <random>
#include <vector>

#include "search/placement.h"

namespace telamalloc {

// Static orders of the units by (phase, key), one per key. A cursor per key runs over units already placed;
// below a decision placed units stay placed, so a deeper decision starts from its parent's cursors.
class Candidates {
 public:
  static constexpr int kKeys = 3;
  using Cursors = std::array<std::int32_t, kKeys>;

  // `phase_of[u]`: TelaMalloc's contention phase of each unit of `instance`.
  Candidates(const SearchInstance& instance, std::vector<std::int32_t> phase_of);

  // Rebuilds the orders with each key scaled by a random factor in [1 - amount, 1 + amount].
  void Perturb(std::mt19937_64& random, double amount);

  // The unplaced picks of the current phase (the first with an unplaced unit), without repetition; at most
  // kKeys. Moves `cursors` over what is placed. Cost: amortised O(1) along a branch.
  [[nodiscard]] std::vector<std::int32_t> Picks(const Placement& placement, Cursors& cursors) const;

 private:
  void SetKeys();
  void Sort();

  const SearchInstance* instance_;
  std::vector<std::int32_t> phase_of_;
  std::array<std::vector<double>, kKeys> keys_;
  std::array<std::vector<std::int32_t>, kKeys> order_;
};

}  // namespace telamalloc

#endif  // TELAMALLOC_SEARCH_CANDIDATES_H_

// A 64-bit hash of a component's state, kept up to date decision by decision.
//
// State: per section the bytes left above height and ground, and which units are unplaced. Each is multiplied
// by a random word and summed, so that a change costs one product per word changed, and equal states have
// equal hashes whatever led to them. Bytes are counted from the component's capacity down: states of
// different capacities that leave the same room are the same.
#ifndef TELAMALLOC_SEARCH_EXACT_STATE_HASH_H_
#define TELAMALLOC_SEARCH_EXACT_STATE_HASH_H_

#include <cstdint>
#include <vector>

#include "search/exact/components.h"
#include "search/exact/skyline.h"

namespace telamalloc {

class StateHash {
 public:
  // REQUIRES: `skyline` outlives this object.
  explicit StateHash(const Skyline& skyline);

  [[nodiscard]] std::uint64_t value() const { return value_; }
  void Restore(std::uint64_t value) { value_ = value; }
  // The hash under which failures of `component` are kept.
  [[nodiscard]] std::uint64_t Key(const Component& component) const;

  // From scratch. Cost: O(sections and units of the component).
  void Compute(const Component& component);
  // Before `u` is placed at height `floor`. (Not with pins.)
  void Place(std::int32_t u, std::int64_t floor);
  // Before sections [begin, end) become waste by `bytes`. (Not with pins.)
  void Waste(std::int32_t begin, std::int32_t end, std::int64_t bytes);

 private:
  const Skyline* skyline_;
  std::vector<std::uint64_t> height_sums_;  // prefix sums of each section's word for its height
  std::vector<std::uint64_t> ground_;       // each section's word for its ground
  std::vector<std::uint64_t> unit_;         // each unit's word
  std::uint64_t value_ = 0;
};

}  // namespace telamalloc

#endif  // TELAMALLOC_SEARCH_EXACT_STATE_HASH_H_

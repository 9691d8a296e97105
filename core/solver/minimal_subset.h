// The smallest part of a set that still has a property: the common core of explaining and of spilling.
#ifndef TELAMALLOC_SOLVER_MINIMAL_SUBSET_H_
#define TELAMALLOC_SOLVER_MINIMAL_SUBSET_H_

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace telamalloc {

enum class Answer : std::int8_t {
  kYes,
  kNo,
  kUnknown,  // not within the limits of one question
  kStopped,  // no more questions are answered
};

struct MinimalSubset {
  std::vector<std::int32_t> elements;
  // Without any one of `elements` the property was denied: no proper subset has it.
  bool proven = false;
};

// Drops elements, the first ones first, as long as `holds` says yes of the rest.
//
// REQUIRES: `holds` is true of `elements`, and of every set that contains one of which it is true.
// The property holds of the result, whatever the answers. Deterministic if `holds` is.
// Cost: O(k log(n / k)) questions for a result of k out of n elements, at most about 2 n.
MinimalSubset ShrinkWhile(std::span<const std::int32_t> elements,
                          const std::function<Answer(std::span<const std::int32_t>)>& holds);

}  // namespace telamalloc

#endif  // TELAMALLOC_SOLVER_MINIMAL_SUBSET_H_

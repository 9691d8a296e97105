// The families of small problems on which all engines are compared, and the variants of one problem that must
// not change its answer.
#ifndef TELAMALLOC_TESTS_PROPERTY_FEATURES_H_
#define TELAMALLOC_TESTS_PROPERTY_FEATURES_H_

#include <cstdint>
#include <span>

#include "absl/strings/string_view.h"
#include "telamalloc/problem.h"

namespace telamalloc::testing {

// "plain", "align", "pins", "gaps", "windows", "colocation", "mixed". Problems of "plain" and "pins" are
// partly cut out of a full rectangle, so that no byte is to spare; all others are drawn buffer by buffer.
std::span<const absl::string_view> Features();

// A valid problem of 2 to 9 buffers, without capacity, with the named feature ("mixed": with all at once).
// REQUIRES: Features() has it.
Problem DrawProblem(std::uint64_t seed, absl::string_view feature);

// All bytes `factor` times as large; an alignment of 1 stays 1, so that there are more offsets than before
// but no better ones. REQUIRES: nothing overflows.
Problem Scaled(const Problem& problem, std::int64_t factor);

// All times moved by `ticks`. REQUIRES: nothing overflows.
Problem Shifted(const Problem& problem, std::int64_t ticks);

}  // namespace telamalloc::testing

#endif  // TELAMALLOC_TESTS_PROPERTY_FEATURES_H_

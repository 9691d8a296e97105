// Heuristics on whole problems, and lowest gaps found the slow way.
#ifndef TELAMALLOC_TESTS_CORE_SEARCH_HEURISTICS_SUPPORT_H_
#define TELAMALLOC_TESTS_CORE_SEARCH_HEURISTICS_SUPPORT_H_

#include <cstdint>
#include <optional>
#include <ostream>
#include <span>
#include <vector>

#include "absl/strings/string_view.h"
#include "core/timeline/build.h"  // IWYU pragma: export
#include "search/strategy.h"
#include "telamalloc/problem.h"
#include "telamalloc/solution.h"
#include "timeline/timeline.h"

namespace telamalloc {

// For failure messages of gtest.
inline void PrintTo(const NamedHeuristic& heuristic, std::ostream* out) { *out << heuristic.name; }

}  // namespace telamalloc

namespace telamalloc::testing {

// REQUIRES: there is such a heuristic.
const NamedHeuristic& HeuristicNamed(absl::string_view name);

// Offsets of the timeline's units, placed partition by partition; empty if a partition could not be placed.
// Peak: the largest of the placements'.
std::optional<Solution> PlaceUnits(const Timeline& timeline, const NamedHeuristic& heuristic);

// The offsets of the problem's buffers, given those of the units.
std::vector<std::int64_t> BufferOffsets(const Problem& problem, const Timeline& timeline,
                                        std::span<const std::int64_t> unit_offsets);

// PlaceUnits, by buffer. The peak is the one that the heuristic claims. REQUIRES: `problem` is valid.
std::optional<Solution> PlaceProblem(const Problem& problem, const NamedHeuristic& heuristic);

// Whether `unit` can be at `offset` beside those units that have an offset (kNoOffset: not placed): piece by
// piece against all others.
bool FitsBeside(const Timeline& timeline, std::span<const std::int64_t> unit_offsets, std::int32_t unit,
                std::int64_t offset);

// The lowest such offset >= `from`, by trying one after the other.
std::int64_t SlowLowestOffset(const Timeline& timeline, std::span<const std::int64_t> unit_offsets,
                              std::int32_t unit, std::int64_t from);

}  // namespace telamalloc::testing

#endif  // TELAMALLOC_TESTS_CORE_SEARCH_HEURISTICS_SUPPORT_H_

// What every engine answers, and the table of heuristics.
#ifndef TELAMALLOC_SEARCH_STRATEGY_H_
#define TELAMALLOC_SEARCH_STRATEGY_H_

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "absl/strings/string_view.h"
#include "timeline/budget.h"
#include "timeline/timeline.h"

namespace telamalloc {

// A placement of one partition: offsets[u - partition.unit_begin] belongs to timeline.units()[u].
struct PartitionPlacement {
  std::vector<std::int64_t> offsets;
  std::int64_t peak = 0;  // max(offset + size)
};

// Places every unit of `partition`, without regard to a capacity, honouring alignment, pins, gaps, windows.
// Empty when `budget` stopped it, or when an offset would not fit in 64 bits.
// Deterministic; does not depend on the order of rows but for units that are alike.
using Heuristic = std::optional<PartitionPlacement> (*)(const Timeline& timeline, const Partition& partition,
                                                        Budget& budget);

// How a heuristic's time grows, to choose by size of the problem.
enum class HeuristicCost {
  // O(n log n) for any shape: 0.1 to 0.2 us per unit, a million units in 0.1 to 0.2 s.
  kLinearithmic,
  // Grows with what a unit meets in time: a few dozens of others cost 0.1 to 0.5 us per unit, a million units
  // 0.4 s; thousands cost 10 us, 60,000 units with 180 million overlapping pairs 0.5 s.
  kOverlaps,
};

struct NamedHeuristic {
  absl::string_view name;  // as in SolveOptions::solver
  Heuristic place;
  HeuristicCost cost;
};

// All heuristics, the cheap ones that do well first: the first is linearithmic. A partition of one unit costs
// next to nothing in each.
std::span<const NamedHeuristic> Heuristics();

// Smallest multiple of `alignment` that is >= offset (>= 0); empty if it does not fit in 64 bits.
inline std::optional<std::int64_t> AlignUp(std::int64_t offset, std::int64_t alignment) {
  const std::int64_t rest = alignment == 1 ? 0 : offset % alignment;
  if (rest == 0) return offset;
  std::int64_t aligned = 0;
  if (__builtin_add_overflow(offset, alignment - rest, &aligned)) return std::nullopt;
  return aligned;
}

}  // namespace telamalloc

#endif  // TELAMALLOC_SEARCH_STRATEGY_H_

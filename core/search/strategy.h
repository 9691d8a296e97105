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

struct NamedHeuristic {
  absl::string_view name;  // as in SolveOptions::solver
  Heuristic place;
};

// All heuristics, the one that most often does best first. The first is cheap at any size: O(n log n).
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

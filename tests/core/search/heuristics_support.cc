#include "core/search/heuristics_support.h"

#include <algorithm>
#include <cstddef>

#include "timeline/budget.h"

namespace telamalloc::testing {

const NamedHeuristic& HeuristicNamed(absl::string_view name) {
  return *std::ranges::find(Heuristics(), name, &NamedHeuristic::name);
}

std::optional<Solution> PlaceUnits(const Timeline& timeline, const NamedHeuristic& heuristic) {
  Solution solution;
  for (const Partition& partition : timeline.partitions()) {
    Budget unlimited;
    const std::optional<PartitionPlacement> placement = heuristic.place(timeline, partition, unlimited);
    if (!placement) return std::nullopt;
    solution.offsets.insert(solution.offsets.end(), placement->offsets.begin(), placement->offsets.end());
    solution.peak = std::max(solution.peak, placement->peak);
  }
  return solution;
}

std::vector<std::int64_t> BufferOffsets(const Problem& problem, const Timeline& timeline,
                                        std::span<const std::int64_t> unit_offsets) {
  std::vector<std::int64_t> offsets;
  for (std::size_t b = 0; b < problem.buffers.size(); ++b) {
    const std::int32_t unit = timeline.unit_of_buffer()[b];
    offsets.push_back(unit == kNoUnit ? problem.buffers[b].fixed_offset.value_or(0) : unit_offsets[unit]);
  }
  return offsets;
}

std::optional<Solution> PlaceProblem(const Problem& problem, const NamedHeuristic& heuristic) {
  const Timeline timeline = BuildValid(problem);
  const std::optional<Solution> units = PlaceUnits(timeline, heuristic);
  if (!units) return std::nullopt;
  return Solution{.offsets = BufferOffsets(problem, timeline, units->offsets), .peak = units->peak};
}

bool FitsBeside(const Timeline& timeline, std::span<const std::int64_t> unit_offsets, std::int32_t unit,
                std::int64_t offset) {
  for (const Piece& mine : timeline.pieces_of(timeline.units()[unit])) {
    for (const Piece& other : timeline.pieces()) {
      const std::int64_t other_offset = unit_offsets[other.unit];
      if (other.unit == unit || other_offset == kNoOffset) continue;
      const bool same_time = mine.section_begin < other.section_end && other.section_begin < mine.section_end;
      const bool same_bytes = offset + mine.lower < other_offset + other.upper &&
                              other_offset + other.lower < offset + mine.upper;
      if (same_time && same_bytes) return false;
    }
  }
  return true;
}

std::int64_t SlowLowestOffset(const Timeline& timeline, std::span<const std::int64_t> unit_offsets,
                              std::int32_t unit, std::int64_t from) {
  std::int64_t offset = from;
  while (offset % timeline.units()[unit].alignment != 0 ||
         !FitsBeside(timeline, unit_offsets, unit, offset)) {
    ++offset;
  }
  return offset;
}

}  // namespace telamalloc::testing

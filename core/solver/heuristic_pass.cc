#include "solver/heuristic_pass.h"

#include <optional>

namespace telamalloc {

absl::Status RunHeuristics(const Timeline& timeline, std::span<const NamedHeuristic> heuristics,
                           std::int64_t target, Budget& budget, Incumbent& incumbent) {
  const auto partitions = timeline.partitions();
  for (const NamedHeuristic& heuristic : heuristics) {
    bool all_reached = true;
    for (std::size_t p = 0; p < partitions.size(); ++p) {
      if (incumbent.peak(p) <= target) continue;
      if (budget.Spend(1)) return incumbent.Publish();
      const Partition& partition = partitions[p];
      if (partition.unit_end - partition.unit_begin == 1) {
        const Unit& unit = timeline.units()[partition.unit_begin];
        incumbent.OfferSingle(p, unit.fixed_offset == kNoOffset ? 0 : unit.fixed_offset, Method::kGreedy);
        continue;
      }
      const std::optional<PartitionPlacement> placement = heuristic.place(timeline, partition, budget);
      if (placement) incumbent.Offer(p, *placement, Method::kGreedy);
      all_reached = all_reached && incumbent.peak(p) <= target;
    }
    if (absl::Status status = incumbent.Publish(); !status.ok()) return status;
    if (all_reached) break;
  }
  return absl::OkStatus();
}

}  // namespace telamalloc

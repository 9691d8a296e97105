#include "solver/heuristic_pass.h"

#include <optional>

namespace telamalloc {

absl::Status RunHeuristics(const Timeline& timeline, std::span<const NamedHeuristic> heuristics,
                           std::int64_t target, Budget& budget, Incumbent& incumbent) {
  const auto partitions = timeline.partitions();
  for (const NamedHeuristic& heuristic : heuristics) {
    bool all_reached = true;
    for (std::size_t p = 0; p < partitions.size(); ++p) {
      if (incumbent.Reaches(p, target)) continue;
      if (budget.Spend(1)) return incumbent.Publish();
      const std::optional<PartitionPlacement> placement = heuristic.place(timeline, partitions[p], budget);
      if (placement) incumbent.Offer(p, *placement, Method::kGreedy);
      all_reached = all_reached && incumbent.Reaches(p, target);
    }
    if (absl::Status status = incumbent.Publish(); !status.ok()) return status;
    if (all_reached) break;
  }
  return absl::OkStatus();
}

}  // namespace telamalloc

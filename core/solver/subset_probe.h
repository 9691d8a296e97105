// Whether some units of a partition fit without the others: the one question behind explanations and advice.
#ifndef TELAMALLOC_SOLVER_SUBSET_PROBE_H_
#define TELAMALLOC_SOLVER_SUBSET_PROBE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "search/capacity_search.h"
#include "search/strategy.h"
#include "solver/allowance.h"
#include "solver/prepared_problem.h"
#include "solver/unit_buffers.h"
#include "telamalloc/solver.h"
#include "timeline/timeline.h"

namespace telamalloc {

// Answers questions about parts of one problem within one capacity. All outlive what is made with it.
struct ProbeContext {
  const PreparedProblem::Impl* prepared = nullptr;
  const UnitBuffers* buffers = nullptr;
  std::int64_t capacity = 0;
  SearchOptions options;
  Allowance* allowance = nullptr;
  SolveStats* stats = nullptr;  // nodes and backtracks are added
};

enum class Fit : std::int8_t {
  kFits,
  kCannotFit,  // proven
  kUnknown,    // neither, within the nodes of this question
  kStopped,    // the allowance is used up
};

// Units that reach above the capacity in some placement, and that placement.
struct Overhang {
  std::vector<std::int32_t> units;
  std::vector<std::int64_t> offsets;  // as SubsetProbe::offsets, `units` included
  double weight = 0;                  // of `units`
};

// Not thread-safe. Units are those of the whole problem's timeline.
class SubsetProbe {
 public:
  SubsetProbe(const ProbeContext& context, const Partition& partition);

  // Whether the units `kept` (ascending, of the partition) have a placement within the capacity; the search
  // takes at most `nodes` decisions. Cost: O(k log k) for k units kept, plus the search; taken from the
  // allowance.
  Fit Ask(std::span<const std::int32_t> kept, std::int64_t nodes);

  // Of the last kFits: offsets()[u - partition.unit_begin]; kNoOffset for a unit that was not kept.
  [[nodiscard]] const std::vector<std::int64_t>& offsets() const { return offsets_; }

  // The placement of `kept` by a heuristic whose units above the capacity weigh least; weights[u -
  // partition.unit_begin]. Empty: the allowance is used up.
  std::optional<Overhang> LeastOverhang(std::span<const std::int32_t> kept, std::span<const double> weights);

 private:
  // Some units as a problem of their own.
  struct Remainder {
    Timeline timeline;
    std::vector<std::int32_t> original;  // by unit of `timeline`
  };

  [[nodiscard]] bool ExceedsByLoad(std::span<const std::int32_t> kept);
  std::optional<Remainder> Extract(std::span<const std::int32_t> kept, Budget& budget) const;
  // Whether the budget was stopped by more than its nodes; latches in the allowance.
  bool Stopped(const Budget& budget);
  // Whether a heuristic of that cost finds a placement within the capacity.
  bool PlaceByHeuristics(HeuristicCost cost, const Timeline& timeline, const Partition& part, Budget& budget,
                         PartitionPlacement& placement) const;
  Fit Search(const Timeline& timeline, const Partition& part, Budget& budget, PartitionPlacement& placement);
  Fit Place(const Timeline& timeline, const Partition& part, Budget& budget, PartitionPlacement& placement);
  void Keep(const Remainder& remainder, const Partition& part, const PartitionPlacement& placement,
            std::vector<std::int64_t>& offsets) const;
  [[nodiscard]] std::optional<Overhang> LeastOverhangOf(const Remainder& remainder, const Partition& part,
                                                        std::span<const double> weights, Budget& budget,
                                                        std::vector<std::int64_t>& offsets) const;

  const ProbeContext* context_;
  const Partition* partition_;
  std::vector<std::int64_t> offsets_;
  std::vector<std::int64_t> change_;  // scratch: of the load, by section
};

}  // namespace telamalloc

#endif  // TELAMALLOC_SOLVER_SUBSET_PROBE_H_

// Cheapest first: the load, summed on the timeline that is there already; then the units as a problem of
// their own, whose partitions go through the fast heuristics, the search (which places what is easy in fewer
// steps than the greedy orders take) and, where that leaves it open, the greedy orders.
#include "solver/subset_probe.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "search/engines.h"

namespace telamalloc {
namespace {

// Per unit: the greedy orders take a few microseconds for one.
constexpr std::int64_t kGreedyWork = 4;

}  // namespace

SubsetProbe::SubsetProbe(const ProbeContext& context, const Partition& partition)
    : context_(&context), partition_(&partition) {}

bool SubsetProbe::ExceedsByLoad(std::span<const std::int32_t> kept) {
  const Timeline& timeline = context_->prepared->timeline;
  change_.assign(partition_->section_end - partition_->section_begin + 1, 0);
  for (const std::int32_t u : kept) {
    const Unit& unit = timeline.units()[u];
    if (std::max<std::int64_t>(unit.fixed_offset, 0) + unit.size > context_->capacity) return true;
    for (const Piece& piece : timeline.pieces_of(unit)) {
      change_[piece.section_begin - partition_->section_begin] += piece.upper - piece.lower;
      change_[piece.section_end - partition_->section_begin] -= piece.upper - piece.lower;
    }
  }
  std::int64_t load = 0;
  return std::ranges::any_of(change_,
                             [&](std::int64_t change) { return (load += change) > context_->capacity; });
}

std::optional<SubsetProbe::Remainder> SubsetProbe::Extract(std::span<const std::int32_t> kept,
                                                           Budget& budget) const {
  Problem problem;
  std::vector<std::int32_t> owner;
  for (const std::int32_t u : kept) {
    for (const std::size_t b : context_->buffers->of(u)) {
      const Buffer& buffer = context_->prepared->problem.buffers[b];
      problem.buffers.push_back({.start = buffer.start,
                                 .end = buffer.end,
                                 .size = buffer.size,
                                 .alignment = buffer.alignment,
                                 .fixed_offset = buffer.fixed_offset,
                                 .gaps = buffer.gaps,
                                 .colocation_group = buffer.colocation_group});
      owner.push_back(u);
    }
  }
  // Part of a valid problem, so only the budget can refuse it.
  absl::StatusOr<Timeline> timeline = Timeline::Build(problem, budget);
  if (!timeline.ok()) return std::nullopt;
  Remainder remainder{.timeline = *std::move(timeline), .original = {}};
  remainder.original.resize(remainder.timeline.units().size());
  for (std::size_t b = 0; b < owner.size(); ++b) {
    remainder.original[remainder.timeline.unit_of_buffer()[b]] = owner[b];
  }
  return remainder;
}

bool SubsetProbe::Stopped(const Budget& budget) {
  if (budget.exhausted() && budget.cause() != Budget::Cause::kNodes) context_->allowance->stopped = true;
  return context_->allowance->stopped;
}

bool SubsetProbe::PlaceByHeuristics(HeuristicCost cost, const Timeline& timeline, const Partition& part,
                                    Budget& budget, PartitionPlacement& placement) const {
  for (const NamedHeuristic& heuristic : Heuristics()) {
    if (heuristic.cost != cost) continue;
    std::optional<PartitionPlacement> found = heuristic.place(timeline, part, budget);
    if (!found || found->peak > context_->capacity) continue;
    placement = *std::move(found);
    return true;
  }
  return false;
}

Fit SubsetProbe::Search(const Timeline& timeline, const Partition& part, Budget& budget,
                        PartitionPlacement& placement) {
  const auto search = MakeSearch(Engines::kAuto, timeline, part, context_->capacity, context_->options);
  if (!search || budget.nodes_left() == 0) return Fit::kUnknown;
  const std::int64_t nodes_before = budget.nodes();
  const SearchVerdict verdict = search->Run(budget.nodes_left(), budget, *context_->stats);
  const std::int64_t taken = budget.nodes() - nodes_before;
  context_->allowance->nodes -= taken;
  context_->allowance->work -= taken;
  if (verdict == SearchVerdict::kExhausted) return Fit::kCannotFit;
  if (verdict != SearchVerdict::kSolved) return Fit::kUnknown;
  placement = search->placement();
  return Fit::kFits;
}

Fit SubsetProbe::Place(const Timeline& timeline, const Partition& part, Budget& budget,
                       PartitionPlacement& placement) {
  if (PlaceByHeuristics(HeuristicCost::kLinearithmic, timeline, part, budget, placement)) return Fit::kFits;
  const Fit fit = Search(timeline, part, budget, placement);
  if (fit != Fit::kUnknown || Stopped(budget)) return fit;
  // Without the nodes, which are used up.
  context_->allowance->work -= kGreedyWork * (part.unit_end - part.unit_begin);
  Budget rest(context_->allowance->deadline, std::nullopt, context_->allowance->stop);
  const bool placed = PlaceByHeuristics(HeuristicCost::kOverlaps, timeline, part, rest, placement);
  return Stopped(rest) || !placed ? Fit::kUnknown : Fit::kFits;
}

void SubsetProbe::Keep(const Remainder& remainder, const Partition& part, const PartitionPlacement& placement,
                       std::vector<std::int64_t>& offsets) const {
  for (std::int32_t u = part.unit_begin; u < part.unit_end; ++u) {
    offsets[remainder.original[u] - partition_->unit_begin] = placement.offsets[u - part.unit_begin];
  }
}

Fit SubsetProbe::Ask(std::span<const std::int32_t> kept, std::int64_t nodes) {
  Allowance& allowance = *context_->allowance;
  if (allowance.used_up()) return Fit::kStopped;
  allowance.work -= static_cast<std::int64_t>(kept.size()) + 1;
  if (ExceedsByLoad(kept)) return Fit::kCannotFit;
  Budget budget(allowance.deadline, std::min(nodes, allowance.nodes), allowance.stop);
  const std::optional<Remainder> remainder = Extract(kept, budget);
  if (!remainder) {
    allowance.stopped = true;
    return Fit::kStopped;
  }
  offsets_.assign(partition_->unit_end - partition_->unit_begin, kNoOffset);
  Fit answer = Fit::kFits;
  for (const Partition& part : remainder->timeline.partitions()) {
    if (part.lower_bound > context_->capacity) return Fit::kCannotFit;
    PartitionPlacement placement;
    const Fit fit = Place(remainder->timeline, part, budget, placement);
    if (fit == Fit::kCannotFit) return fit;
    if (Stopped(budget)) return Fit::kStopped;
    if (fit != Fit::kFits) answer = Fit::kUnknown;
    if (answer == Fit::kFits) Keep(*remainder, part, placement, offsets_);
  }
  return answer;
}

std::optional<Overhang> SubsetProbe::LeastOverhangOf(const Remainder& remainder, const Partition& part,
                                                     std::span<const double> weights, Budget& budget,
                                                     std::vector<std::int64_t>& offsets) const {
  std::optional<Overhang> least;
  std::optional<PartitionPlacement> chosen;
  for (const NamedHeuristic& heuristic : Heuristics()) {
    std::optional<PartitionPlacement> placement = heuristic.place(remainder.timeline, part, budget);
    if (!placement) continue;
    Overhang overhang;
    for (std::int32_t u = part.unit_begin; u < part.unit_end; ++u) {
      // No sum wraps: a heuristic's placement fits in 64 bits.
      const std::int64_t top = placement->offsets[u - part.unit_begin] + remainder.timeline.units()[u].size;
      if (top <= context_->capacity) continue;
      overhang.units.push_back(remainder.original[u]);
      overhang.weight += weights[remainder.original[u] - partition_->unit_begin];
    }
    if (least && least->weight <= overhang.weight) continue;
    least = std::move(overhang);
    chosen = std::move(placement);
  }
  if (chosen) Keep(remainder, part, *chosen, offsets);
  return least;
}

std::optional<Overhang> SubsetProbe::LeastOverhang(std::span<const std::int32_t> kept,
                                                   std::span<const double> weights) {
  Allowance& allowance = *context_->allowance;
  if (allowance.used_up()) return std::nullopt;
  allowance.work -= (kGreedyWork + 1) * (static_cast<std::int64_t>(kept.size()) + 1);
  Budget budget(allowance.deadline, std::nullopt, allowance.stop);
  const std::optional<Remainder> remainder = Extract(kept, budget);
  if (!remainder) {
    allowance.stopped = true;
    return std::nullopt;
  }
  Overhang all;
  all.offsets.assign(partition_->unit_end - partition_->unit_begin, kNoOffset);
  for (const Partition& part : remainder->timeline.partitions()) {
    const std::optional<Overhang> overhang = LeastOverhangOf(*remainder, part, weights, budget, all.offsets);
    if (Stopped(budget) || !overhang) return std::nullopt;
    all.units.insert(all.units.end(), overhang->units.begin(), overhang->units.end());
    all.weight += overhang->weight;
  }
  std::ranges::sort(all.units);
  return all;
}

}  // namespace telamalloc

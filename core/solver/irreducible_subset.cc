// Deletion: what does not take part in the conflict goes while the search still proves the rest infeasible
// (minimal_subset.h). The units of low contention are dropped first: they are the least likely to matter.
//
// A question gets a quarter of the nodes that are left, so that one that is hard does not use up all of them;
// what stays undecided stays in the set, and the set is then not called irreducible.
//
// An overloaded section needs no search: of the units live there the largest are taken until they exceed the
// capacity. Without the smallest of these they do not, so neither without any other.
#include "solver/irreducible_subset.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <span>

#include "solver/minimal_subset.h"

namespace telamalloc {
namespace {

constexpr std::int64_t kLeastNodes = 1024;  // of one question

Answer AnswerOf(Fit fit) {
  switch (fit) {
    case Fit::kFits:
      return Answer::kNo;
    case Fit::kCannotFit:
      return Answer::kYes;
    case Fit::kUnknown:
      return Answer::kUnknown;
    case Fit::kStopped:
      return Answer::kStopped;
  }
  return Answer::kStopped;
}

// REQUIRES: `units`, in the order in which they are dropped, have no placement within the capacity.
IrreducibleSubset ReduceBySearch(const ProbeContext& context, const Partition& partition,
                                 std::span<const std::int32_t> units) {
  SubsetProbe probe(context, partition);
  std::vector<std::int32_t> kept;
  MinimalSubset subset = ShrinkWhile(units, [&](std::span<const std::int32_t> rest) {
    kept.assign(rest.begin(), rest.end());
    std::ranges::sort(kept);
    return AnswerOf(probe.Ask(kept, std::max(kLeastNodes, context.allowance->nodes / 4)));
  });
  std::ranges::sort(subset.elements);
  return {.units = std::move(subset.elements), .irreducible = subset.proven};
}

std::int64_t HeightIn(const Timeline& timeline, const Unit& unit, std::int32_t section) {
  std::int64_t height = 0;
  for (const Piece& piece : timeline.pieces_of(unit)) {
    if (piece.section_begin <= section && section < piece.section_end) height += piece.upper - piece.lower;
  }
  return height;
}

// Whether any all but one of `units` can be stacked, each at a multiple of all their alignments.
bool StackWithoutAny(const Timeline& timeline, std::span<const std::int32_t> units, std::int64_t capacity) {
  std::int64_t alignment = 1;
  for (const std::int32_t u : units) {
    const Unit& unit = timeline.units()[u];
    if (unit.fixed_offset != kNoOffset) return false;
    const std::int64_t factor = unit.alignment / std::gcd(alignment, unit.alignment);
    if (__builtin_mul_overflow(alignment, factor, &alignment)) return false;
  }
  std::int64_t stack = 0;
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  for (const std::int32_t u : units) {
    const auto padded = AlignUp(timeline.units()[u].size, alignment);
    if (!padded || __builtin_add_overflow(stack, *padded, &stack)) return false;
    least = std::min(least, *padded);
  }
  return stack - least <= capacity;
}

}  // namespace

IrreducibleSubset ReduceOverload(const ProbeContext& context, std::int32_t section) {
  const Timeline& timeline = context.prepared->timeline;
  const auto partition = std::ranges::find_if(timeline.partitions(), [&](const Partition& p) {
    return p.section_begin <= section && section < p.section_end;
  });
  struct Live {
    std::int32_t unit = 0;
    std::int64_t height = 0;
  };
  std::vector<Live> live;
  for (std::int32_t u = partition->unit_begin; u < partition->unit_end; ++u) {
    const std::int64_t height = HeightIn(timeline, timeline.units()[u], section);
    if (height > 0) live.push_back({.unit = u, .height = height});
  }
  std::ranges::stable_sort(live, std::ranges::greater{}, &Live::height);
  std::vector<std::int32_t> units;
  std::int64_t load = 0;
  for (const Live& l : live) {
    if (load > context.capacity) break;
    load += l.height;  // at most the section's contention
    units.push_back(l.unit);
  }
  if (StackWithoutAny(timeline, units, context.capacity)) {
    std::ranges::sort(units);
    return {.units = std::move(units), .irreducible = true};
  }
  if (context.allowance->nodes <= 0) {
    std::ranges::sort(units);
    return {.units = std::move(units), .irreducible = false};
  }
  std::ranges::reverse(units);  // the smallest goes first
  return ReduceBySearch(context, *partition, units);
}

IrreducibleSubset ReducePartition(const ProbeContext& context, const Partition& partition) {
  const Timeline& timeline = context.prepared->timeline;
  std::vector<std::int32_t> units(partition.unit_end - partition.unit_begin);
  std::iota(units.begin(), units.end(), partition.unit_begin);
  if (context.allowance->nodes <= 0 || context.allowance->used_up()) return {.units = std::move(units)};
  std::vector<std::int64_t> contention(units.size(), 0);
  for (const std::int32_t u : units) {
    const Unit& unit = timeline.units()[u];
    const auto sections =
        timeline.contention().subspan(unit.section_begin, unit.section_end - unit.section_begin);
    contention[u - partition.unit_begin] = *std::ranges::max_element(sections);
  }
  std::ranges::stable_sort(units, {}, [&](std::int32_t u) { return contention[u - partition.unit_begin]; });
  return ReduceBySearch(context, partition, units);
}

}  // namespace telamalloc

// Partitions do not disturb each other: each that does not fit gets sets of its own, and the cheapest sums of
// one set per partition are the sets of the problem.
//
//   partition 1   5  7        sums   5+1 = 6,  7+1 = 8,  5+4 = 9, ..
//   partition 2   1  4
//
// A set of the problem is minimal if its parts are: whether a member can be returned is a matter of its
// partition alone.
#include "solver/spill_advice.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "solver/partition_spills.h"

namespace telamalloc {
namespace {

static_assert(kSpilled == kNoOffset);

constexpr double kMaxCost = std::numeric_limits<double>::max();

double Sum(double a, double b) { return std::min(a + b, kMaxCost); }

std::int64_t SaturatingSum(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? std::numeric_limits<std::int64_t>::max() : sum;
}

// At most 2^127: no overflow.
double DefaultCost(const Buffer& buffer) {
  const std::uint64_t lifetime =
      static_cast<std::uint64_t>(buffer.end) - static_cast<std::uint64_t>(buffer.start);
  return static_cast<double>(buffer.size) * static_cast<double>(lifetime);
}

double CostOf(const ProbeContext& context, const SolveOptions& options, std::size_t b) {
  return options.spill_costs.empty() ? DefaultCost(context.prepared->problem.buffers[b])
                                     : options.spill_costs[b];
}

// A set per partition; those that fit have none.
struct Combination {
  double cost = 0;
  std::vector<std::size_t> chosen;  // by index in `parts`
};

struct Part {
  std::size_t partition = 0;
  std::vector<PartitionSpill> spills;
};

// The `count` cheapest sums.
std::vector<Combination> Combine(const std::vector<Part>& parts, std::size_t count) {
  std::vector<Combination> combinations = {Combination{}};
  for (const Part& part : parts) {
    std::vector<Combination> next;
    for (const Combination& combination : combinations) {
      for (std::size_t k = 0; k < part.spills.size(); ++k) {
        next.push_back(combination);
        next.back().cost = Sum(next.back().cost, part.spills[k].cost);
        next.back().chosen.push_back(k);
      }
    }
    std::ranges::stable_sort(next, {}, &Combination::cost);
    if (next.size() > count) next.resize(count);
    combinations = std::move(next);
  }
  return combinations;
}

class Adviser {
 public:
  Adviser(const ProbeContext& context, const SolveOptions& options, const Incumbent& incumbent)
      : context_(&context), options_(&options), incumbent_(&incumbent) {
    const Timeline& timeline = context.prepared->timeline;
    unit_costs_.assign(timeline.units().size(), 0);
    const auto unit_of_buffer = timeline.unit_of_buffer();
    for (std::size_t b = 0; b < unit_of_buffer.size(); ++b) {
      if (unit_of_buffer[b] == kNoUnit) continue;
      double& cost = unit_costs_[unit_of_buffer[b]];
      cost = Sum(cost, CostOf(context, options, b));
    }
  }

  absl::StatusOr<std::vector<SpillSet>> Run() {
    const auto count = static_cast<std::size_t>(options_->spill_advice);
    const std::vector<Part> parts = FindParts(count);
    std::vector<SpillSet> sets;
    for (const Combination& combination : Combine(parts, count)) {
      SpillSet set = SetOf(parts, combination);
      if (absl::Status status = Check(set); !status.ok()) return status;
      sets.push_back(std::move(set));
    }
    std::ranges::stable_sort(sets, {}, &SpillSet::cost);
    return sets;
  }

 private:
  // Each gets an equal share of what the allowance still holds.
  std::vector<Part> FindParts(std::size_t count) {
    std::vector<Part> parts;
    const auto partitions = context_->prepared->timeline.partitions();
    for (std::size_t p = 0; p < partitions.size(); ++p) {
      if (!incumbent_->Reaches(p, context_->capacity)) parts.push_back({.partition = p, .spills = {}});
    }
    for (std::size_t k = 0; k < parts.size(); ++k) {
      const Partition& partition = partitions[parts[k].partition];
      Allowance& whole = *context_->allowance;
      const auto shares = static_cast<std::int64_t>(parts.size() - k);
      Allowance share = whole;
      share.nodes /= shares;
      share.work /= shares;
      const Allowance before = share;
      ProbeContext context = *context_;
      context.allowance = &share;
      const std::size_t units = partition.unit_end - partition.unit_begin;
      parts[k].spills =
          FindPartitionSpills(context, partition,
                              {.costs = std::span(unit_costs_).subspan(partition.unit_begin, units),
                               .incumbent = incumbent_->unit_offsets().subspan(partition.unit_begin, units),
                               .count = count});
      whole.nodes -= before.nodes - share.nodes;
      whole.work -= before.work - share.work;
      whole.stopped = share.stopped;
    }
    return parts;
  }

  [[nodiscard]] SpillSet SetOf(const std::vector<Part>& parts, const Combination& combination) const {
    const Timeline& timeline = context_->prepared->timeline;
    std::vector<std::int64_t> unit_offsets(incumbent_->unit_offsets().begin(),
                                           incumbent_->unit_offsets().end());
    SpillSet set{.minimal = true};
    std::vector<std::int32_t> units;
    for (std::size_t k = 0; k < parts.size(); ++k) {
      const PartitionSpill& spill = parts[k].spills[combination.chosen[k]];
      std::ranges::copy(spill.offsets,
                        unit_offsets.begin() + timeline.partitions()[parts[k].partition].unit_begin);
      units.insert(units.end(), spill.units.begin(), spill.units.end());
      set.minimal = set.minimal && spill.minimal;
    }
    set.buffers = context_->buffers->of(units);
    const auto& buffers = context_->prepared->problem.buffers;
    for (const std::size_t b : set.buffers) {
      set.cost = Sum(set.cost, CostOf(*context_, *options_, b));
      set.bytes = SaturatingSum(set.bytes, buffers[b].size);
    }
    for (std::size_t b = 0; b < buffers.size(); ++b) {
      const std::int32_t unit = timeline.unit_of_buffer()[b];
      set.offsets.push_back(unit == kNoUnit ? buffers[b].fixed_offset.value_or(0) : unit_offsets[unit]);
      if (set.offsets.back() != kSpilled)
        set.peak = std::max(set.peak, TopOf(buffers[b], set.offsets.back()));
    }
    return set;
  }

  static std::int64_t TopOf(const Buffer& buffer, std::int64_t offset) {
    return buffer.size == 0 ? 0 : SaturatingSum(offset, buffer.size);
  }

  // The problem without the spilled buffers, against the same independent code as every answer.
  [[nodiscard]] absl::Status Check(const SpillSet& set) const {
    Problem kept{.capacity = context_->capacity};
    std::vector<std::int64_t> offsets;
    for (std::size_t b = 0; b < set.offsets.size(); ++b) {
      if (std::ranges::binary_search(set.buffers, b)) continue;
      kept.buffers.push_back(context_->prepared->problem.buffers[b]);
      offsets.push_back(set.offsets[b]);
    }
    const VerifyReport report = Verify(kept, offsets);
    if (report.ok() && report.peak == set.peak) return absl::OkStatus();
    return absl::InternalError(absl::StrCat("a placement to spill by failed verification: ",
                                            report.ok()
                                                ? absl::StrCat("peak ", set.peak, ", verified ", report.peak)
                                                : report.violations.front().description));
  }

  const ProbeContext* context_;
  const SolveOptions* options_;
  const Incumbent* incumbent_;
  std::vector<double> unit_costs_;
};

}  // namespace

absl::Status CheckSpillOptions(const Problem& problem, const SolveOptions& options) {
  if (options.spill_advice < 0 || options.spill_advice > kMaxSpillSets) {
    return absl::InvalidArgumentError(
        absl::StrCat("spill_advice: must be 0 to ", kMaxSpillSets, ", got ", options.spill_advice));
  }
  if (options.spill_costs.empty()) return absl::OkStatus();
  if (options.spill_costs.size() != problem.buffers.size()) {
    return absl::InvalidArgumentError(absl::StrCat("spill_costs: must be empty or one per buffer, got ",
                                                   options.spill_costs.size(), " for ",
                                                   problem.buffers.size(), " buffers"));
  }
  for (std::size_t b = 0; b < options.spill_costs.size(); ++b) {
    const double cost = options.spill_costs[b];
    if (std::isfinite(cost) && cost >= 0) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("spill_costs[", b, "]: must be finite and not negative, got ", cost));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<SpillSet>> AdviseSpills(const ProbeContext& context, const SolveOptions& options,
                                                   const Incumbent& incumbent) {
  if (!incumbent.complete()) return std::vector<SpillSet>();
  return Adviser(context, options, incumbent).Run();
}

}  // namespace telamalloc

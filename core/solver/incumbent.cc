#include "solver/incumbent.h"

#include <algorithm>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "search/hints.h"

namespace telamalloc {

Incumbent::Incumbent(const PreparedProblem::Impl& prepared, const SolveOptions& options,
                     std::optional<Budget::Clock::time_point> deadline)
    : prepared_(&prepared),
      options_(&options),
      deadline_(deadline),
      hinted_(std::ranges::any_of(prepared.timeline.units(),
                                  [](const Unit& unit) { return unit.offset_hint != kNoOffset; })),
      offsets_(prepared.timeline.units().size(), 0),
      peaks_(prepared.timeline.partitions().size(), kNoPeak),
      methods_(prepared.timeline.partitions().size(), Method::kNone),
      missing_(prepared.timeline.partitions().size()) {}

void Incumbent::Keep(std::size_t p, std::int64_t peak, Method method) {
  if (!placed(p)) --missing_;
  peaks_[p] = peak;
  methods_[p] = method;
}

void Incumbent::Offer(std::size_t p, const PartitionPlacement& placement, Method method) {
  if (placed(p) && placement.peak >= peaks_[p]) return;
  const Partition& partition = prepared_->timeline.partitions()[p];
  std::ranges::copy(placement.offsets, offsets_.begin() + partition.unit_begin);
  Keep(p, placement.peak, method);
}

void Incumbent::PlaceSingles(Method method) {
  const auto units = prepared_->timeline.units();
  const auto partitions = prepared_->timeline.partitions();
  for (std::size_t p = 0; p < partitions.size(); ++p) {
    const std::int32_t u = partitions[p].unit_begin;
    if (partitions[p].unit_end - u != 1) continue;
    offsets_[u] = units[u].fixed_offset == kNoOffset ? 0 : units[u].fixed_offset;
    Keep(p, offsets_[u] + units[u].size, method);
  }
}

std::int64_t Incumbent::HighestPeak() const { return peaks_.empty() ? 0 : *std::ranges::max_element(peaks_); }

Solution Incumbent::Assemble() const {
  std::vector<std::int64_t> unit_offsets = offsets_;
  if (hinted_) {
    const std::int64_t peak = HighestPeak();
    const bool fit = options_->objective == Objective::kFit;
    const std::int64_t limit = fit ? std::max(peak, prepared_->problem.capacity.value_or(peak)) : peak;
    Budget budget(deadline_, std::nullopt, options_->stop);
    HonourHints(prepared_->timeline, unit_offsets, limit, budget);
  }
  Solution solution;
  const auto unit_of_buffer = prepared_->timeline.unit_of_buffer();
  const auto& buffers = prepared_->problem.buffers;
  solution.offsets.reserve(buffers.size());
  for (std::size_t b = 0; b < buffers.size(); ++b) {
    if (unit_of_buffer[b] == kNoUnit) {
      solution.offsets.push_back(buffers[b].fixed_offset.value_or(0));
      continue;
    }
    solution.offsets.push_back(unit_offsets[unit_of_buffer[b]]);
    solution.peak = std::max(solution.peak, solution.offsets.back() + buffers[b].size);
  }
  return solution;
}

absl::Status Incumbent::Publish() {
  if (!complete()) return absl::OkStatus();
  const std::int64_t peak = HighestPeak();
  if (solution_ && peak >= published_peak_) return absl::OkStatus();
  Solution solution = Assemble();
  // The capacity is judged by the outcome: a placement above it is a plan to spill by.
  const VerifyReport report = Verify(prepared_->problem, solution.offsets, CapacityRule::kIgnored);
  if (!report.ok()) {
    return absl::InternalError(
        absl::StrCat("a placement failed verification: ", report.violations.front().description));
  }
  if (report.peak != solution.peak) {
    return absl::InternalError(
        absl::StrCat("a placement failed verification: peak ", solution.peak, ", verified ", report.peak));
  }
  published_peak_ = peak;
  published_method_ = Method::kNone;
  for (const Method method : methods_) published_method_ = std::max(published_method_, method);
  const bool better = !solution_ || solution.peak < solution_->peak;
  solution_ = std::move(solution);
  if (better && options_->on_incumbent) options_->on_incumbent(*solution_, published_method_);
  return absl::OkStatus();
}

}  // namespace telamalloc

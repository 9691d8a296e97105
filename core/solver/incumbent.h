// The best placement known so far: per partition while it is being improved, as a verified Solution outside.
#ifndef TELAMALLOC_SOLVER_INCUMBENT_H_
#define TELAMALLOC_SOLVER_INCUMBENT_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "search/strategy.h"
#include "solver/prepared_problem.h"
#include "telamalloc/solver.h"

namespace telamalloc {

// Nothing leaves it unverified. Not thread-safe.
class Incumbent {
 public:
  // A hint may lift a buffer's top up to the capacity when fitting, else up to the peak only; hints are left
  // alone after `deadline`. REQUIRES: `prepared` and `options` outlive this object.
  Incumbent(const PreparedProblem::Impl& prepared, const SolveOptions& options,
            std::optional<Budget::Clock::time_point> deadline);

  // Keeps `placement` of partition `p` if its peak is lower than what is known. REQUIRES: it is valid.
  void Offer(std::size_t p, const PartitionPlacement& placement, Method method);
  // Offers every partition of one unit its only sensible placement: at its pin, else at 0.
  void PlaceSingles(Method method);

  // Every partition has a placement.
  [[nodiscard]] bool complete() const { return missing_ == 0; }
  // Partition `p` has a placement with a peak of at most `target`.
  [[nodiscard]] bool Reaches(std::size_t p, std::int64_t target) const {
    return placed(p) && peaks_[p] <= target;
  }
  [[nodiscard]] bool placed(std::size_t p) const { return peaks_[p] != kNoPeak; }
  // REQUIRES: placed(p).
  [[nodiscard]] std::int64_t peak(std::size_t p) const { return peaks_[p]; }

  // By unit of the timeline; of partitions that are placed. Hints are not honoured yet.
  [[nodiscard]] std::span<const std::int64_t> unit_offsets() const { return offsets_; }

  // If complete and better than what was published: honours hints, verifies, hands the placement to
  // options.on_incumbent. kInternal if verification fails: then this placement is dropped for good.
  // Cost: O(n log n) when there is something new.
  absl::Status Publish();

  // The last published placement.
  [[nodiscard]] const std::optional<Solution>& solution() const { return solution_; }
  // The engine behind it: the search as soon as one partition comes from it.
  [[nodiscard]] Method method() const { return published_method_; }

 private:
  static constexpr std::int64_t kNoPeak = -1;

  void Keep(std::size_t p, std::int64_t peak, Method method);
  [[nodiscard]] std::int64_t HighestPeak() const;
  [[nodiscard]] Solution Assemble() const;

  // Immutable after construction.
  const PreparedProblem::Impl* prepared_;
  const SolveOptions* options_;
  std::optional<Budget::Clock::time_point> deadline_;
  bool hinted_ = false;

  std::vector<std::int64_t> offsets_;  // by unit of the timeline
  std::vector<std::int64_t> peaks_;    // by partition
  std::vector<Method> methods_;        // by partition
  std::size_t missing_ = 0;
  std::int64_t published_peak_ = kNoPeak;  // before hints
  Method published_method_ = Method::kNone;
  std::optional<Solution> solution_;
};

}  // namespace telamalloc

#endif  // TELAMALLOC_SOLVER_INCUMBENT_H_

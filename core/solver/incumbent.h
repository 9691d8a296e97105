// The best placement known so far: per partition while it is being improved, as a verified Solution outside.
#ifndef TELAMALLOC_SOLVER_INCUMBENT_H_
#define TELAMALLOC_SOLVER_INCUMBENT_H_

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "search/strategy.h"
#include "solver/prepared_problem.h"
#include "telamalloc/solver.h"

namespace telamalloc {

// Nothing leaves it unverified. Not thread-safe.
class Incumbent {
 public:
  static constexpr std::int64_t kNoPeak = std::numeric_limits<std::int64_t>::max();

  // `hint_limit`: a hint may lift a buffer's top up to there; unset: up to the peak only.
  // REQUIRES: `prepared` and `options` outlive this object.
  Incumbent(const PreparedProblem::Impl& prepared, const SolveOptions& options,
            std::optional<std::int64_t> hint_limit);

  // Keeps `placement` of partition `p` if its peak is lower than what is known. REQUIRES: it is valid.
  void Offer(std::size_t p, const PartitionPlacement& placement, Method method);
  // The same for a partition of one unit.
  void OfferSingle(std::size_t p, std::int64_t offset, Method method);

  // Every partition has a placement.
  [[nodiscard]] bool complete() const { return missing_ == 0; }
  // kNoPeak while partition `p` has none.
  [[nodiscard]] std::int64_t peak(std::size_t p) const { return peaks_[p]; }

  // If complete and better than what was published: honours hints, verifies, hands the placement to
  // options.on_incumbent. kInternal if verification fails: then this placement is dropped for good.
  // Cost: O(n log n) when there is something new.
  absl::Status Publish();

  // The last published placement.
  [[nodiscard]] const std::optional<Solution>& solution() const { return solution_; }
  // The engine behind it: the search as soon as one partition comes from it.
  [[nodiscard]] Method method() const { return published_method_; }

 private:
  [[nodiscard]] Solution Assemble() const;

  // Immutable after construction.
  const PreparedProblem::Impl* prepared_;
  const SolveOptions* options_;
  std::optional<std::int64_t> hint_limit_;
  bool hinted_ = false;

  std::vector<std::int64_t> offsets_;  // by unit of the timeline
  std::vector<std::int64_t> peaks_;    // by partition
  std::vector<Method> methods_;        // by partition
  std::size_t missing_ = 0;
  std::int64_t published_peak_ = kNoPeak;
  Method published_method_ = Method::kNone;
  std::optional<Solution> solution_;
};

}  // namespace telamalloc

#endif  // TELAMALLOC_SOLVER_INCUMBENT_H_

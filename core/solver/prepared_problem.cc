#include "solver/prepared_problem.h"

#include <memory>
#include <optional>
#include <utility>

namespace telamalloc {

absl::StatusOr<PreparedProblem> PreparedProblem::Create(Problem problem, std::function<bool()> stop) {
  Budget budget(std::nullopt, std::nullopt, std::move(stop));
  absl::StatusOr<Timeline> timeline = Timeline::Build(problem, budget);
  if (!timeline.ok()) return timeline.status();
  return PreparedProblem(
      std::make_shared<const Impl>(Impl{.problem = std::move(problem), .timeline = *std::move(timeline)}));
}

const Problem& PreparedProblem::problem() const { return impl_->problem; }

std::int64_t PreparedProblem::lower_bound() const { return impl_->timeline.lower_bound(); }

}  // namespace telamalloc

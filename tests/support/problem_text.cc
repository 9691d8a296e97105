#include "support/problem_text.h"

#include "absl/strings/str_cat.h"
#include "telamalloc/csv.h"

namespace telamalloc::testing {
namespace {

std::string CapacityLine(const Problem& problem) {
  return absl::StrCat("capacity ", problem.capacity ? absl::StrCat(*problem.capacity) : "unset", "\n");
}

}  // namespace

std::string ProblemToText(const Problem& problem) { return CapacityLine(problem) + WriteProblemCsv(problem); }

std::string PlacementToText(const Problem& problem, std::span<const std::int64_t> offsets) {
  return CapacityLine(problem) + WritePlacementCsv(problem, offsets);
}

}  // namespace telamalloc::testing

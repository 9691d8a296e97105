#include "support/problem_text.h"

#include "absl/strings/str_cat.h"
#include "telamalloc/csv.h"

namespace telamalloc::testing {

std::string ProblemToText(const Problem& problem) {
  const std::string capacity = problem.capacity ? absl::StrCat(*problem.capacity) : "unset";
  return absl::StrCat("capacity ", capacity, "\n", WriteProblemCsv(problem));
}

}  // namespace telamalloc::testing

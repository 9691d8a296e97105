// Collecting broken rules at a door of the library.
#ifndef TELAMALLOC_PROBLEM_VIOLATIONS_H_
#define TELAMALLOC_PROBLEM_VIOLATIONS_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "telamalloc/problem.h"

namespace telamalloc {

// Keeps the first kMaxReportedViolations and counts the rest, whose texts are never made.
class ViolationList {
 public:
  void Add(absl::FunctionRef<FieldViolation()> make) {
    if (violations_.size() < kMaxReportedViolations) violations_.push_back(make());
    ++total_;
  }

  [[nodiscard]] bool empty() const { return total_ == 0; }
  // OK when empty, else the status that InvalidProblem describes, with `code` in place of kInvalidArgument.
  [[nodiscard]] absl::Status ToStatus(absl::StatusCode code) const;

 private:
  std::vector<FieldViolation> violations_;
  std::size_t total_ = 0;
};

// `text` for a message: in quotes, printable ASCII whatever its bytes, long texts shortened.
std::string Quoted(absl::string_view text);

}  // namespace telamalloc

#endif  // TELAMALLOC_PROBLEM_VIOLATIONS_H_

// Collecting broken rules of a message, by field path.
#ifndef TELAMALLOC_PROTO_CONVERT_VIOLATIONS_H_
#define TELAMALLOC_PROTO_CONVERT_VIOLATIONS_H_

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "telamalloc/problem.h"

namespace telamalloc {

// Keeps the first kMaxReportedViolations and counts the rest.
class WireViolations {
 public:
  void Add(std::string field, std::string description) {
    if (violations_.size() < kMaxReportedViolations) {
      violations_.push_back({.field = std::move(field), .description = std::move(description)});
    }
    ++total_;
  }

  // OK when there are none.
  [[nodiscard]] absl::Status ToStatus() const {
    return total_ == 0 ? absl::OkStatus() : InvalidProblem(violations_, total_);
  }

 private:
  std::vector<FieldViolation> violations_;
  std::size_t total_ = 0;
};

}  // namespace telamalloc

#endif  // TELAMALLOC_PROTO_CONVERT_VIOLATIONS_H_

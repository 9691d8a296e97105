// Every peak from the largest number of live bytes upwards, depth first over the rows, the largest areas
// first. Nothing clever but one thing: what naive.h says of two rows, which depends on the difference of
// their offsets alone, is asked once per difference and remembered.
#include "support/brute_force.h"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <numeric>
#include <vector>

#include "support/naive.h"

namespace telamalloc::testing {
namespace {

// Whether two rows may stay, by the difference of their offsets.
class PairRule {
 public:
  PairRule(const Problem& problem, const Buffer& a, const Buffer& b) : a_(&a), b_(&b) {
    if (!a.colocation_group.empty() && a.colocation_group == b.colocation_group) {
      const auto has_bytes = [&](const Buffer& other) {
        return other.colocation_group == a.colocation_group && other.size > 0;
      };
      kind_ = std::ranges::any_of(problem.buffers, has_bytes) ? Kind::kTogether : Kind::kFree;
    } else if (a.size == 0 || b.size == 0) {
      kind_ = Kind::kFree;
    } else {
      answers_.resize(a.size + b.size, Answer::kUnknown);
    }
  }

  bool Allows(std::int64_t offset_a, std::int64_t offset_b) {
    if (kind_ != Kind::kApart) return kind_ == Kind::kFree || offset_a == offset_b;
    const std::int64_t difference = offset_b - offset_a;
    if (difference >= a_->size || -difference >= b_->size) return true;
    Answer& answer = answers_[difference + b_->size];
    if (answer == Answer::kUnknown) {
      answer = Compatible(*a_, offset_a, *b_, offset_b) ? Answer::kYes : Answer::kNo;
    }
    return answer == Answer::kYes;
  }

 private:
  enum class Kind { kApart, kTogether, kFree };
  enum class Answer : char { kUnknown, kYes, kNo };

  const Buffer* a_;
  const Buffer* b_;
  Kind kind_ = Kind::kApart;
  std::vector<Answer> answers_;
};

class Enumeration {
 public:
  explicit Enumeration(const Problem& problem)
      : problem_(&problem), order_(problem.buffers.size()), offsets_(problem.buffers.size()) {
    std::iota(order_.begin(), order_.end(), 0);
    const auto area = [&](std::size_t b) {
      const Buffer& buffer = problem.buffers[b];
      const double length = static_cast<double>(buffer.end) - static_cast<double>(buffer.start);
      return static_cast<double>(buffer.size) * length;
    };
    std::ranges::stable_sort(order_, std::ranges::greater{}, area);
    for (std::size_t k = 0; k < order_.size(); ++k) {
      std::vector<PairRule>& row = rules_.emplace_back();
      for (std::size_t j = 0; j < k; ++j) {
        row.emplace_back(problem, problem.buffers[order_[j]], problem.buffers[order_[k]]);
      }
    }
  }

  // A placement with a peak of at most `limit`.
  std::optional<Solution> Within(std::int64_t limit) {
    limit_ = limit;
    if (!Place(0)) return std::nullopt;
    return Solution{.offsets = offsets_, .peak = PeakOf(*problem_, offsets_)};
  }

 private:
  // Tries all ways to place the rows order_[k], order_[k + 1], ... within limit_ until one does.
  bool Place(std::size_t k) {
    if (k == order_.size()) {
      assert(IsValidPlacement(*problem_, offsets_));
      return true;
    }
    const Buffer& buffer = problem_->buffers[order_[k]];
    const std::int64_t first = buffer.fixed_offset.value_or(0);
    const std::int64_t highest = std::max<std::int64_t>(limit_ - buffer.size, 0);
    const std::int64_t last = buffer.fixed_offset.value_or(highest);
    for (std::int64_t offset = first; offset <= last; offset += buffer.alignment) {
      if (buffer.size > 0 && offset + buffer.size > limit_) return false;
      offsets_[order_[k]] = offset;
      if (Fits(k) && Place(k + 1)) return true;
      // Size 0 may lie anywhere, unless it shares a group's offset.
      if (buffer.size == 0 && buffer.colocation_group.empty()) return false;
    }
    return false;
  }

  // Whether the k-th row goes with those before it.
  [[nodiscard]] bool Fits(std::size_t k) {
    for (std::size_t j = 0; j < k; ++j) {
      if (!rules_[k][j].Allows(offsets_[order_[j]], offsets_[order_[k]])) return false;
    }
    return true;
  }

  const Problem* problem_;
  std::int64_t limit_;                        // peaks above it are of no interest
  std::vector<std::size_t> order_;            // of rows
  std::vector<std::vector<PairRule>> rules_;  // [k][j]: of order_[j] and order_[k], j < k
  std::vector<std::int64_t> offsets_;         // by row
};

}  // namespace

std::optional<Solution> BruteForce(const Problem& problem, std::int64_t bound) {
  Enumeration enumeration(problem);
  std::int64_t load = 0;
  for (const std::int64_t tick : CriticalTicks(problem)) load = std::max(load, ContentionAt(problem, tick));
  for (std::int64_t limit = load; limit <= bound; ++limit) {
    std::optional<Solution> solution = enumeration.Within(limit);
    if (solution) return solution;
  }
  return std::nullopt;
}

std::int64_t StackedBytes(const Problem& problem) {
  std::int64_t bytes = 0;
  for (const Buffer& buffer : problem.buffers) {
    bytes += buffer.size + buffer.alignment + buffer.fixed_offset.value_or(0);
  }
  return bytes;
}

}  // namespace telamalloc::testing

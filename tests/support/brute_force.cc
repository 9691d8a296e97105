// Depth first over the rows. Nothing clever but one thing: a placement that does not beat the best known peak
// is not completed.
#include "support/brute_force.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "support/naive.h"

namespace telamalloc::testing {
namespace {

class Enumeration {
 public:
  Enumeration(const Problem& problem, std::int64_t bound) : problem_(&problem), limit_(bound) {}

  std::optional<Solution> Run() {
    Place(0);
    return best_;
  }

 private:
  // Places buffers b, b + 1, ... in all ways whose peak is at most limit_.
  void Place(std::size_t b) {
    if (b == problem_->buffers.size()) {
      if (!IsValidPlacement(*problem_, offsets_)) return;
      best_ = Solution{.offsets = offsets_, .peak = PeakOf(*problem_, offsets_)};
      limit_ = best_->peak - 1;
      return;
    }
    const Buffer& buffer = problem_->buffers[b];
    const std::int64_t first = buffer.fixed_offset.value_or(0);
    // Size 0 may lie anywhere; where it shares a group's offset, that is below the limit too.
    const std::int64_t last = buffer.fixed_offset.value_or(std::max<std::int64_t>(limit_, 0));
    for (std::int64_t offset = first; offset <= last; offset += buffer.alignment) {
      if (buffer.size > 0 && offset + buffer.size > limit_) return;
      offsets_.push_back(offset);
      if (Fits(b)) Place(b + 1);
      offsets_.pop_back();
      if (buffer.size == 0 && buffer.colocation_group.empty()) return;
    }
  }

  // Whether the last placed buffer goes with those before it. What concerns size 0 is left to the end.
  [[nodiscard]] bool Fits(std::size_t b) const {
    const Buffer& buffer = problem_->buffers[b];
    for (std::size_t a = 0; a < b; ++a) {
      const Buffer& other = problem_->buffers[a];
      if (buffer.size == 0 || other.size == 0) continue;
      if (!Compatible(buffer, offsets_[b], other, offsets_[a])) return false;
    }
    return true;
  }

  const Problem* problem_;
  std::int64_t limit_;  // peaks above it are of no interest
  std::vector<std::int64_t> offsets_;
  std::optional<Solution> best_;
};

}  // namespace

std::optional<Solution> BruteForce(const Problem& problem, std::int64_t bound) {
  return Enumeration(problem, bound).Run();
}

std::int64_t StackedBytes(const Problem& problem) {
  std::int64_t bytes = 0;
  for (const Buffer& buffer : problem.buffers) {
    bytes += buffer.size + buffer.alignment + buffer.fixed_offset.value_or(0);
  }
  return bytes;
}

}  // namespace telamalloc::testing

// Which buffers a unit stands for: one, or the members of a colocation group.
#ifndef TELAMALLOC_SOLVER_UNIT_BUFFERS_H_
#define TELAMALLOC_SOLVER_UNIT_BUFFERS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "timeline/timeline.h"

namespace telamalloc {

class UnitBuffers {
 public:
  // Cost: O(buffers).
  explicit UnitBuffers(const Timeline& timeline) : begin_(timeline.units().size() + 1, 0) {
    const auto unit_of_buffer = timeline.unit_of_buffer();
    for (const std::int32_t unit : unit_of_buffer) {
      if (unit != kNoUnit) ++begin_[unit + 1];
    }
    std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
    buffers_.resize(begin_.back());
    std::vector<std::size_t> next(begin_.begin(), begin_.end() - 1);
    for (std::size_t b = 0; b < unit_of_buffer.size(); ++b) {
      if (unit_of_buffer[b] != kNoUnit) buffers_[next[unit_of_buffer[b]]++] = b;
    }
  }

  // Positions in Problem::buffers, ascending.
  [[nodiscard]] std::span<const std::size_t> of(std::int32_t unit) const {
    return std::span(buffers_).subspan(begin_[unit], begin_[unit + 1] - begin_[unit]);
  }

  // The buffers of all `units`, ascending.
  [[nodiscard]] std::vector<std::size_t> of(std::span<const std::int32_t> units) const {
    std::vector<std::size_t> buffers;
    for (const std::int32_t unit : units) {
      const auto members = of(unit);
      buffers.insert(buffers.end(), members.begin(), members.end());
    }
    std::ranges::sort(buffers);
    return buffers;
  }

 private:
  std::vector<std::size_t> begin_;  // by unit, one more
  std::vector<std::size_t> buffers_;
};

}  // namespace telamalloc

#endif  // TELAMALLOC_SOLVER_UNIT_BUFFERS_H_

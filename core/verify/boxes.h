// A placement as boxes in time and address space.
#ifndef TELAMALLOC_VERIFY_BOXES_H_
#define TELAMALLOC_VERIFY_BOXES_H_

#include <cstdint>
#include <span>
#include <vector>

#include "telamalloc/problem.h"

namespace telamalloc::verify {

// Stands for "no group" in Box::group.
inline constexpr std::int32_t kNoGroup = -1;

// Ticks [start, end) x addresses [lower, upper), neither empty.
struct Box {
  std::int64_t start = 0;
  std::int64_t end = 0;
  std::int64_t lower = 0;
  std::int64_t upper = 0;
  std::int32_t buffer = 0;  // position in Problem::buffers; for a group, one that is live there
  std::int32_t group = kNoGroup;
};

// Appends what `buffer` occupies at `offset`: its lifetime without its gaps, and their windows.
// REQUIRES: offset + size fits in 64 bits. Anything else may be invalid; then some part is left out.
void AppendBoxes(const Buffer& buffer, std::int64_t offset, Box stamp, std::vector<Box>& boxes);

// Appends boxes that cover what `members` (boxes of one group) cover, such that none overlaps another.
// Cost: O(n (log n + w)), w = distinct lower ends live at once.
void AppendUnion(std::span<const Box> members, std::vector<Box>& boxes);

}  // namespace telamalloc::verify

#endif  // TELAMALLOC_VERIFY_BOXES_H_

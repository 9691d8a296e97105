// A placement as boxes in time and address space.
#ifndef TELAMALLOC_VERIFY_BOXES_H_
#define TELAMALLOC_VERIFY_BOXES_H_

#include <cstdint>
#include <span>

#include "memory/large_pages.h"
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

using Boxes = LargeVector<Box>;

// Whose box it is.
struct Owner {
  std::int32_t buffer = 0;
  std::int32_t group = kNoGroup;
};

// AppendBoxes for a buffer with gaps.
void AppendBoxesBetweenGaps(const Buffer& buffer, std::int64_t offset, Owner owner, Boxes& boxes);

// Appends what `buffer` occupies at `offset`: its lifetime without its gaps, and their windows.
// REQUIRES: offset + size fits in 64 bits. Anything else may be invalid; then some part is left out.
inline void AppendBoxes(const Buffer& buffer, std::int64_t offset, Owner owner, Boxes& boxes) {
  if (!buffer.gaps.empty()) {
    AppendBoxesBetweenGaps(buffer, offset, owner, boxes);
  } else if (buffer.start < buffer.end && buffer.size > 0) {
    boxes.push_back({.start = buffer.start,
                     .end = buffer.end,
                     .lower = offset,
                     .upper = offset + buffer.size,
                     .buffer = owner.buffer,
                     .group = owner.group});
  }
}

// Appends boxes that cover what `members` (boxes of one group) cover, such that none overlaps another.
// Cost: O(n (log n + w)), w = distinct lower ends live at once.
void AppendUnion(std::span<const Box> members, Boxes& boxes);

}  // namespace telamalloc::verify

#endif  // TELAMALLOC_VERIFY_BOXES_H_

// A partition as the corner search reads it: rectangles to place, found by where they begin and end, and pins
// as obstacles.
#ifndef TELAMALLOC_SEARCH_EXACT_CORNER_INSTANCE_H_
#define TELAMALLOC_SEARCH_EXACT_CORNER_INSTANCE_H_

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "search/instance.h"

namespace telamalloc {

// Height of what nothing can be placed above: the border of a component, a section without pins above.
inline constexpr std::int64_t kNoWall = std::numeric_limits<std::int64_t>::max();

// A unit that is one full rectangle and is not pinned.
struct CornerUnit {
  std::int32_t begin = 0;  // sections [begin, end)
  std::int32_t end = 0;
  std::int64_t size = 0;
  std::int64_t alignment = 1;
  std::uint64_t lifetime = 0;  // ticks
  std::int32_t unit = 0;       // in SearchInstance::units

  [[nodiscard]] bool AlikeTo(const CornerUnit& other) const {
    return begin == other.begin && end == other.end && size == other.size && alignment == other.alignment;
  }
};

// Bytes [lower, upper) of one section that a pin takes.
struct CornerPin {
  std::int64_t lower = 0;
  std::int64_t upper = 0;
};

struct CornerInstance {
  std::int32_t section_count = 0;
  std::vector<CornerUnit> units;  // ordered by (begin, end, size, alignment): those alike stand together
  // units[first_at[s], first_at[s + 1]) begin at section s.
  std::vector<std::int32_t> first_at;
  // by_end[last_at[s], last_at[s + 1]) end at section s, alike ones together.
  std::vector<std::int32_t> last_at;
  std::vector<std::int32_t> by_end;
  // pins[pin_at[s], pin_at[s + 1]) are those of section s, upwards.
  std::vector<std::int32_t> pin_at;
  std::vector<CornerPin> pins;
  std::vector<std::int64_t> load;  // per section, pins included
  // No pins and no alignments: a unit that spans its whole component may then be put on top of it.
  bool plain = true;

  [[nodiscard]] std::int32_t unit_count() const { return static_cast<std::int32_t>(units.size()); }
  [[nodiscard]] std::span<const std::int32_t> ending_at(std::int32_t section) const {
    return std::span(by_end).subspan(last_at[section], last_at[section + 1] - last_at[section]);
  }
};

// Whether every unit of `instance` is one full rectangle: what the corner search takes.
bool AllRectangles(const SearchInstance& instance);

// REQUIRES: AllRectangles(instance). Cost: O(n log n + pins x their sections).
CornerInstance BuildCornerInstance(const SearchInstance& instance);

}  // namespace telamalloc

#endif  // TELAMALLOC_SEARCH_EXACT_CORNER_INSTANCE_H_

// What can be done at a corner of a valley.
//
//      |            |       the left corner of valley [l, r) is the cell above its floor in section l.
//      |            |       In a placement pushed down as far as it goes that cell is
//      +--+      +--+         - the bottom left of a unit that begins at l, ends by r and rests on the floor,
//      or
//         |*     |            - waste: then nothing rests before the next section where a unit could,
//         +------+              and nothing covers what is left of it below the lowest level where something
//         l      r              could rest again.
//
// The right corner is its mirror image.
//
// Why a unit in the corner begins at l: what lies left of l is higher than the floor, or a border. Why it
// rests on the floor: it covers the cell right above it. What a unit rests on must be real (the top of a
// buffer, a pin, or address 0), up to its alignment, or it could be pushed down further.
//
// Source: the corner argument is that of two-dimensional packing (Chazelle 1983, "The bottom-left bin-packing
// heuristic"), with time as the axis that is fixed.
#ifndef TELAMALLOC_SEARCH_EXACT_CORNERS_H_
#define TELAMALLOC_SEARCH_EXACT_CORNERS_H_

#include <cstdint>
#include <vector>

#include "search/exact/skyline.h"
#include "telamalloc/solver.h"

namespace telamalloc {

enum class Side : std::int8_t { kLeft, kRight };

// Sections [begin, end) become waste up to `to`.
struct WasteOption {
  bool allowed = false;
  std::int32_t begin = 0;
  std::int32_t end = 0;
  std::int64_t to = 0;
};

struct CornerRank {
  std::int32_t options = 0;
  Side side = Side::kLeft;
};

class Corners {
 public:
  // REQUIRES: `skyline` outlives this object.
  Corners(const Skyline& skyline, const ExactRules& rules);

  // Whether the segment that starts at `l` is a valley.
  [[nodiscard]] bool IsValley(std::int32_t l) const;

  // The side of the valley at `l` with fewer options. Cost: the valley's width plus the units inside.
  [[nodiscard]] CornerRank Rank(std::int32_t l);

  // Appends the units that may lie in the corner to `units`; of those alike only the first.
  // Returns the option to leave the corner empty.
  WasteOption List(std::int32_t l, Side side, std::vector<std::int32_t>& units);

 private:
  struct Valley {
    std::int32_t l = 0;
    std::int32_t r = 0;
    std::int64_t floor = 0;
    std::int64_t lower_wall = 0;
  };

  [[nodiscard]] Valley Look(std::int32_t l);
  [[nodiscard]] bool Inside(const Valley& valley, std::int32_t u) const;
  [[nodiscard]] bool Rests(const Valley& valley, const CornerUnit& unit) const;
  template <typename Visit>
  void ForEachInCorner(const Valley& valley, Side side, Visit visit) const;
  [[nodiscard]] bool RestsAt(const Valley& valley, Side side, std::int32_t boundary) const;
  [[nodiscard]] WasteOption Waste(const Valley& valley, Side side) const;
  [[nodiscard]] bool CouldBeCovered(const Valley& valley, Side side, const WasteOption& waste) const;
  [[nodiscard]] std::int64_t LowestRest(const Valley& valley, Side side, const WasteOption& waste) const;
  [[nodiscard]] std::int64_t LowestAligned(const Valley& valley) const;
  [[nodiscard]] std::int64_t LowestPin(const Valley& valley, const WasteOption& waste) const;
  [[nodiscard]] bool LeavesUsableHole(const Valley& valley, const WasteOption& waste) const;
  [[nodiscard]] bool FitsHole(const Valley& valley, const WasteOption& waste, const CornerUnit& unit) const;

  const Skyline* skyline_;
  const CornerInstance* instance_;
  ExactRules rules_;
  bool plain_;
  // Per section of the valley last looked at: the next one with real ground at its floor.
  std::vector<std::int32_t> next_real_;
};

}  // namespace telamalloc

#endif  // TELAMALLOC_SEARCH_EXACT_CORNERS_H_

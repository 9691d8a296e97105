#include "search/scanned_occupancy.h"

#include <algorithm>

namespace telamalloc {

bool ScannedOccupancy::Raise(std::int32_t p, Riser& riser, Budget& budget) const {
  const Piece& piece = timeline().pieces()[p];
  if (budget.Spend(1 + static_cast<std::int64_t>(placed_.size()))) return false;
  for (const Placed& placed : placed_) {
    if (placed.section_begin >= piece.section_end || piece.section_begin >= placed.section_end) continue;
    if (placed.bottom >= riser.top()) break;
    if (placed.top > riser.bottom() && !riser.RiseTo(placed.top)) return false;
  }
  return true;
}

void ScannedOccupancy::Cover(std::int32_t p, std::int64_t bottom, std::int64_t top, Budget& /*budget*/) {
  const Piece& piece = timeline().pieces()[p];
  const auto above = std::ranges::upper_bound(placed_, bottom, {}, &Placed::bottom);
  placed_.insert(above, {bottom, top, piece.section_begin, piece.section_end});
}

}  // namespace telamalloc

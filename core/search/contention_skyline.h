// The paper's own heuristic: go to the section with the highest contention, put its units on the skyline.
#ifndef TELAMALLOC_SEARCH_CONTENTION_SKYLINE_H_
#define TELAMALLOC_SEARCH_CONTENTION_SKYLINE_H_

#include <optional>

#include "search/strategy.h"

namespace telamalloc {

// As `Heuristic`. Sections are taken by contention, the earlier first among equals; the units of a section by
// lifetime, then size, the largest first. Each goes to the lowest offset above the skyline of its sections
// that meets no pin. Holes are never filled.
//
// Pins do not push the skyline: what fits below one may go there.
// Cost: O(n log n).
// Source: Maas et al., ASPLOS 2023.
std::optional<PartitionPlacement> PlaceOnContentionSkyline(const Timeline& timeline,
                                                           const Partition& partition, Budget& budget);

}  // namespace telamalloc

#endif  // TELAMALLOC_SEARCH_CONTENTION_SKYLINE_H_

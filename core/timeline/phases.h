// TelaMalloc's contention phases: which units are placed first.
#ifndef TELAMALLOC_TIMELINE_PHASES_H_
#define TELAMALLOC_TIMELINE_PHASES_H_

#include <cstdint>
#include <vector>

#include "timeline/timeline.h"

namespace telamalloc {

// The phase of each unit of `partition`, counted from 0 without holes: phases[u - partition.unit_begin].
//
// For percent = 100, 90, ... 20 of `capacity`, each maximal run of sections with at least that contention is
// a region, left to right; each unit without a phase that has a piece in a region joins the first such
// region's phase. A last phase takes what is left.
//
// REQUIRES: capacity >= 0.
// Cost: linear in units, pieces and sections of the partition.
// Source: Maas et al., ASPLOS 2023, section 5.3; the last phase is ours.
std::vector<std::int32_t> ComputePhases(const Timeline& timeline, const Partition& partition,
                                        std::int64_t capacity);

}  // namespace telamalloc

#endif  // TELAMALLOC_TIMELINE_PHASES_H_

// Pins that contradict each other.
#ifndef TELAMALLOC_TIMELINE_PINNED_COLLISIONS_H_
#define TELAMALLOC_TIMELINE_PINNED_COLLISIONS_H_

#include "absl/status/status.h"
#include "telamalloc/problem.h"
#include "timeline/budget.h"
#include "timeline/timeline.h"

namespace telamalloc {

// Errors: kInvalidArgument if two pinned units share bytes while both are live, naming both, the bytes and
// the
//   ticks; kCancelled if `budget` stopped.
// Cost: O(p log p) for p pieces of pinned units.
absl::Status CheckPinnedCollisions(const Problem& problem, const Timeline& timeline, Budget& budget);

}  // namespace telamalloc

#endif  // TELAMALLOC_TIMELINE_PINNED_COLLISIONS_H_

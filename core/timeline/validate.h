// The rules of problem.h that concern one buffer, or the ids of all.
#ifndef TELAMALLOC_TIMELINE_VALIDATE_H_
#define TELAMALLOC_TIMELINE_VALIDATE_H_

#include "absl/status/status.h"
#include "telamalloc/problem.h"
#include "timeline/budget.h"

namespace telamalloc {

// Errors: kInvalidArgument with every broken rule; else kOutOfRange where fixed_offset + size does not fit in
//   64 bits or there are too many buffers for 32-bit indices; kCancelled if `budget` stopped.
// Cost: linear, with a hash set for the ids unless they ascend.
absl::Status ValidateBuffers(const Problem& problem, Budget& budget);

// The status of everything in this folder when its budget stopped.
absl::Status StoppedError();

}  // namespace telamalloc

#endif  // TELAMALLOC_TIMELINE_VALIDATE_H_

// New instances that look like given ones.
#ifndef TELAMALLOC_BENCH_JITTER_H_
#define TELAMALLOC_BENCH_JITTER_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "support/random_problem.h"
#include "telamalloc/problem.h"

namespace telamalloc::bench {

// The problem in the CSV file at `path`, named after it. Errors: kNotFound, and those of ReadProblemCsv.
absl::StatusOr<Problem> ReadProblemFile(const std::string& path);

// `problem` with every size changed by up to 10 %, in steps of the sizes' common divisor, and every start and
// end moved by up to two of the ticks at which something starts or ends. Pins, hints, gaps and groups are
// dropped. Equal for equal states of `random`.
Problem Jittered(const Problem& problem, testing::Random& random);

// `problem` with the buffers of overloaded sections scaled down, section by section, until no more than
// `capacity` bytes are live at any time. A buffer of one step that still is too much is dropped. Nobody knows
// whether what results has a placement. REQUIRES: capacity > 0; no pins, gaps or groups.
Problem WithinLoad(Problem problem, std::int64_t capacity);

// `problem` with buffers scaled down until it has a placement within `capacity`: everything pushed down in
// the order of `offsets`, chains of buffers that reach above the capacity shrink. With the offsets of a
// placement of what `problem` was made from, little shrinks. REQUIRES: as above; one offset per buffer.
Problem WithinPlacement(Problem problem, const std::vector<std::int64_t>& offsets, std::int64_t capacity);

}  // namespace telamalloc::bench

#endif  // TELAMALLOC_BENCH_JITTER_H_

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

// Like `problem`, which has the placement `offsets` within `capacity`, and known to have one too: the address
// axis of the placement is stretched here and squeezed there, by up to about 10 %, and starts and ends move
// by up to two ticks where the placement allows it. What was full of live bytes is nearly full again.
// REQUIRES: as above; one offset per buffer; the placement is valid.
Problem JitteredPlacement(const Problem& problem, const std::vector<std::int64_t>& offsets,
                          std::int64_t capacity, testing::Random& random);

}  // namespace telamalloc::bench

#endif  // TELAMALLOC_BENCH_JITTER_H_

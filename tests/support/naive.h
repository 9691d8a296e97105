// The rules of problem.h in the plainest form: pair by pair, tick by tick. The reference for everything
// faster.
#ifndef TELAMALLOC_TESTS_SUPPORT_NAIVE_H_
#define TELAMALLOC_TESTS_SUPPORT_NAIVE_H_

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "telamalloc/problem.h"

namespace telamalloc::testing {

// The bytes from its offset that `buffer` holds at `tick`; empty if it holds none.
std::optional<AddressWindow> BytesAt(const Buffer& buffer, std::int64_t tick);

// Ticks at which anything in `problem` may change, ascending: starts and ends of lifetimes and gaps.
std::vector<std::int64_t> CriticalTicks(const Problem& problem);

// Bytes in use at `tick`, those that members of a group share counted once. Small sizes only: O(bytes).
std::int64_t ContentionAt(const Problem& problem, std::int64_t tick);

// Whether the two buffers at these offsets may stay: no shared byte at a shared tick, and for members of one
// group the same offset instead. O(gaps squared).
bool Compatible(const Buffer& a, std::int64_t offset_a, const Buffer& b, std::int64_t offset_b);

// Whether `offsets` keeps every rule of a valid `problem` but the capacity. O(n squared).
bool IsValidPlacement(const Problem& problem, std::span<const std::int64_t> offsets);

// max(offset + size) over buffers of non-zero size; 0 without any.
std::int64_t PeakOf(const Problem& problem, std::span<const std::int64_t> offsets);

}  // namespace telamalloc::testing

#endif  // TELAMALLOC_TESTS_SUPPORT_NAIVE_H_

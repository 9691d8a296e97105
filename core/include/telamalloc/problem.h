// What is to be placed: buffers with known lifetimes and sizes, and the memory they share.
//
//   address                       Glossary (one word per concept, used in all code and docs)
//      ^                            buffer      what needs a place: one row of the problem
//      |      +--------+            lifetime    [start, end): the ticks at which a buffer is live
//  c --+ - - -|- - - - |- -         tick        one unit of time; only the order of ticks matters
//      |  +---+--+  b  |            size, alignment, offset, capacity, peak   all in bytes
//      |  |  a   |-----+            section     maximal time interval with a constant live set
//      |  |      |  | d |           cut         buffers that cross a section boundary
//      +--+------+--+---+---> time  partition   buffers separated from the rest by a zero cut
//            start      end         contention  sum of live sizes in a section
//
//   unit (what one offset places: a buffer, or a colocation group) and piece (a rectangle of a unit: some
//   ticks x some bytes) are the words of the model inside; phase (TelaMalloc's contention group), floor,
//   decision, level, minor and major backtrack, conflict, reason belong to the search; incumbent, lower
//   bound, outcome, limit, fallback to its results (solution.h, solver.h).
//
// Sizes, offsets and capacity are bytes; times are opaque ticks; all intervals are half-open.
// Source of the model: Maas et al., "TelaMalloc", ASPLOS 2023, section 2; gaps, windows, pins, hints and
// colocation are what users of MiniMalloc, TFLite and XLA planners rely on (docs/algorithm.md).
#ifndef TELAMALLOC_PROBLEM_H_
#define TELAMALLOC_PROBLEM_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"

namespace telamalloc {

// Bytes of a buffer counted from its offset: [lower, upper), 0 <= lower < upper <= size.
struct AddressWindow {
  std::int64_t lower = 0;
  std::int64_t upper = 0;
  friend bool operator==(const AddressWindow&, const AddressWindow&) = default;
};

// Ticks [start, end) inside a lifetime at which the buffer holds nothing, so that others may use its bytes.
// The gaps of one buffer may touch but not overlap.
struct Gap {
  std::int64_t start = 0;
  std::int64_t end = 0;
  // The bytes that stay in use during the gap. Unset: none.
  std::optional<AddressWindow> window = std::nullopt;
  friend bool operator==(const Gap&, const Gap&) = default;
};

struct Buffer {
  // Lifetime [start, end), start < end; any 64-bit integers, negative too.
  std::int64_t start = 0;
  std::int64_t end = 0;
  // Bytes, >= 0. A buffer of size 0 conflicts with nothing and never counts towards the peak.
  std::int64_t size = 0;
  // The offset must be a multiple of it. Any integer >= 1, not only powers of two.
  std::int64_t alignment = 1;
  // The offset is given (a pin): >= 0 and a multiple of `alignment`. Unset: ours to choose.
  std::optional<std::int64_t> fixed_offset = std::nullopt;
  // A preferred offset, >= 0. Honoured where it costs nothing: it never changes feasibility, nor the peak
  // when that is minimised.
  std::optional<std::int64_t> offset_hint = std::nullopt;
  std::vector<Gap> gaps = {};
  // Text, kept byte for byte; unique where not empty. Results go by position, never by id.
  std::string id = {};
  // Buffers that name the same non-empty group share one offset and may overlap each other; the group
  // behaves as one buffer with the union of its members' lifetimes. Members of size 0 take part, but a group
  // of nothing else binds nothing.
  std::string colocation_group = {};
  friend bool operator==(const Buffer&, const Buffer&) = default;
};

struct Problem {
  std::vector<Buffer> buffers = {};
  // Bytes of memory, >= 0; no buffer may end above it. Unset: unbounded (only when minimising the peak).
  std::optional<std::int64_t> capacity = std::nullopt;
  // For logs and reports; not part of the problem.
  std::string name = {};
  friend bool operator==(const Problem&, const Problem&) = default;
};

// One broken rule: where, and which rule with the offending value.
struct FieldViolation {
  std::string field;        // path in the problem, e.g. "buffers[12].size"
  std::string description;  // e.g. "must not be negative, got -4"
  friend bool operator==(const FieldViolation&, const FieldViolation&) = default;
};

// At most this many violations are reported for one problem; the rest are only counted in the message.
inline constexpr std::size_t kMaxReportedViolations = 20;

// The status that refuses a problem: kInvalidArgument, every violation in its message, and the violations
// themselves attached for FieldViolationsOf. REQUIRES: !violations.empty(). `total` counts the unreported
// too.
absl::Status InvalidProblem(const std::vector<FieldViolation>& violations, std::size_t total);

// The violations attached to a status of this library; empty when there are none.
std::vector<FieldViolation> FieldViolationsOf(const absl::Status& status);

// How many more violations than these there were.
std::size_t UnreportedViolationsOf(const absl::Status& status);

// The rules above that concern the capacity, one buffer, or the ids of all: what PreparedProblem::Create
// (solver.h) looks at first, in the same words, without preparing anything.
//
// Errors: kInvalidArgument with every broken rule; else kOutOfRange where fixed_offset + size does not fit in
//   64 bits or there are too many buffers for 32-bit indices.
// Cost: linear. Thread-safe.
absl::Status CheckBuffers(const Problem& problem);

}  // namespace telamalloc

#endif  // TELAMALLOC_PROBLEM_H_

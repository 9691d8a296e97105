// What the searches have in common: one partition, one capacity, is there a placement?
#ifndef TELAMALLOC_SEARCH_CAPACITY_SEARCH_H_
#define TELAMALLOC_SEARCH_CAPACITY_SEARCH_H_

#include <cstdint>

#include "search/strategy.h"
#include "telamalloc/solver.h"
#include "timeline/budget.h"

namespace telamalloc {

enum class SearchVerdict {
  kSolved,     // placement() fits
  kExhausted,  // proven: nothing fits
  kGaveUp,     // the search ended without either (only with some rules off)
  kStopped,    // the slice or the budget is used up; Run may be called again
};

struct SearchOptions {
  SearchRules rules;       // of TelaMalloc's search
  ExactRules exact_rules;  // of the exact search
  std::uint64_t random_seed = 0;
};

// Looks for a placement of one partition within a capacity. Resumable: Run continues where it stopped.
// Not thread-safe. Deterministic for equal options when stopped by nodes only.
class CapacitySearch {
 public:
  CapacitySearch() = default;
  virtual ~CapacitySearch() = default;
  CapacitySearch(const CapacitySearch&) = delete;
  CapacitySearch& operator=(const CapacitySearch&) = delete;
  CapacitySearch(CapacitySearch&&) = delete;
  CapacitySearch& operator=(CapacitySearch&&) = delete;

  // Takes at most `nodes` decisions. Adds to `stats` nodes and backtracks.
  virtual SearchVerdict Run(std::int64_t nodes, Budget& budget, SolveStats& stats) = 0;

  // Looks for another capacity from now on, keeping what was learned. False, and nothing changes, if the
  // engine cannot.
  virtual bool Retarget(std::int64_t /*capacity*/) { return false; }

  // The least peak above the capacity that need be considered: peaks of placements pushed down are multiples
  // of the common divisor of sizes, pins and alignments. At most 2^63 - 1.
  [[nodiscard]] virtual std::int64_t next_peak() const = 0;

  // REQUIRES: Run returned kSolved.
  [[nodiscard]] virtual PartitionPlacement placement() const = 0;

  // The engine behind the last verdict.
  [[nodiscard]] virtual Method method() const = 0;
};

}  // namespace telamalloc

#endif  // TELAMALLOC_SEARCH_CAPACITY_SEARCH_H_

// TelaMalloc: a search heuristic that asks a constraint solver for guidance, one decision at a time.
//
// Source: Maas et al., ASPLOS 2023, sections 4 and 5. Where the paper is silent, docs/algorithm.md says what
// was chosen and why.
#ifndef TELAMALLOC_SEARCH_TELAMALLOC_H_
#define TELAMALLOC_SEARCH_TELAMALLOC_H_

#include <cstdint>
#include <memory>

#include "search/strategy.h"
#include "telamalloc/solver.h"
#include "timeline/budget.h"
#include "timeline/timeline.h"

namespace telamalloc {

enum class SearchVerdict {
  kSolved,     // placement() fits
  kExhausted,  // proven: nothing fits
  kGaveUp,     // the search ended without either (only with some rules off)
  kStopped,    // the slice or the budget is used up; Run may be called again
};

struct SearchOptions {
  SearchRules rules;
  std::uint64_t random_seed = 0;
};

// Looks for a placement of one partition within a capacity. Resumable: Run continues where it stopped.
// Not thread-safe. Deterministic for equal options when stopped by nodes only.
class TelamallocSearch {
 public:
  // Whether the search takes this partition: its memory grows with (piece, section) pairs.
  static bool Accepts(const Timeline& timeline, const Partition& partition);

  // REQUIRES: Accepts(...); `timeline` outlives this object.
  // Cost: O(n log n + incidences).
  TelamallocSearch(const Timeline& timeline, const Partition& partition, std::int64_t capacity,
                   const SearchOptions& options);
  ~TelamallocSearch();
  TelamallocSearch(const TelamallocSearch&) = delete;
  TelamallocSearch& operator=(const TelamallocSearch&) = delete;

  // Takes at most `nodes` decisions. Adds to `stats` nodes and backtracks.
  SearchVerdict Run(std::int64_t nodes, Budget& budget, SolveStats& stats);

  // The least peak above the capacity that need be considered: peaks of placements pushed down are multiples
  // of the common divisor of sizes, pins and alignments. At most 2^63 - 1.
  [[nodiscard]] std::int64_t next_peak() const;

  // REQUIRES: Run returned kSolved.
  [[nodiscard]] PartitionPlacement placement() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace telamalloc

#endif  // TELAMALLOC_SEARCH_TELAMALLOC_H_

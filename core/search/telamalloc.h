// TelaMalloc: a search heuristic that asks a constraint solver for guidance, one decision at a time.
//
// Source: Maas et al., ASPLOS 2023, sections 4 and 5. Where the paper is silent, docs/algorithm.md says what
// was chosen and why.
#ifndef TELAMALLOC_SEARCH_TELAMALLOC_H_
#define TELAMALLOC_SEARCH_TELAMALLOC_H_

#include <cstdint>
#include <memory>

#include "search/capacity_search.h"
#include "timeline/timeline.h"

namespace telamalloc {

// Takes any partition that Accepts admits.
class TelamallocSearch final : public CapacitySearch {
 public:
  // Whether the search takes this partition: its memory grows with (piece, section) pairs.
  static bool Accepts(const Timeline& timeline, const Partition& partition);

  // REQUIRES: Accepts(...); `timeline` outlives this object.
  // Cost: O(n log n + incidences).
  TelamallocSearch(const Timeline& timeline, const Partition& partition, std::int64_t capacity,
                   const SearchOptions& options);
  ~TelamallocSearch() override;
  TelamallocSearch(const TelamallocSearch&) = delete;
  TelamallocSearch& operator=(const TelamallocSearch&) = delete;
  TelamallocSearch(TelamallocSearch&&) = delete;
  TelamallocSearch& operator=(TelamallocSearch&&) = delete;

  SearchVerdict Run(std::int64_t nodes, Budget& budget, SolveStats& stats) override;
  [[nodiscard]] std::int64_t next_peak() const override;
  [[nodiscard]] PartitionPlacement placement() const override;
  [[nodiscard]] Method method() const override { return Method::kTelamalloc; }

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace telamalloc

#endif  // TELAMALLOC_SEARCH_TELAMALLOC_H_

// The exact search: fills the skyline corner by corner, in many orders, until one succeeds or the space is
// exhausted.
//
// See docs/algorithm.md, "The exact search", for the idea, the proof and what did not work.
#ifndef TELAMALLOC_SEARCH_EXACT_EXACT_H_
#define TELAMALLOC_SEARCH_EXACT_EXACT_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "search/capacity_search.h"
#include "search/exact/corner_instance.h"
#include "search/exact/corner_search.h"
#include "search/exact/failed_states.h"
#include "search/exact/random.h"
#include "search/instance.h"
#include "timeline/timeline.h"

namespace telamalloc {

// Takes partitions whose units are full rectangles: any alignment, any pins, colocation; no gap within a
// unit's lifetime.
class ExactSearch final : public CapacitySearch {
 public:
  static bool Accepts(const Timeline& timeline, const Partition& partition);

  // REQUIRES: Accepts(...); `timeline` outlives this object.
  // Cost: O(n log n + incidences).
  ExactSearch(const Timeline& timeline, const Partition& partition, std::int64_t capacity,
              const SearchOptions& options);

  SearchVerdict Run(std::int64_t nodes, Budget& budget, SolveStats& stats) override;
  bool Retarget(std::int64_t capacity) override;
  [[nodiscard]] std::int64_t next_peak() const override;
  [[nodiscard]] PartitionPlacement placement() const override;
  [[nodiscard]] Method method() const override { return Method::kExact; }

 private:
  [[nodiscard]] bool FitsByLoad() const;
  void OpenRun();
  [[nodiscard]] std::vector<double> Keys();

  const ExactRules rules_;
  const SearchInstance instance_;
  const CornerInstance corner_instance_;
  std::int64_t capacity_ = 0;  // in the instance's units
  FailedStates failed_;
  std::unique_ptr<CornerSearch> corner_;  // null if the load alone is too much
  std::vector<std::int64_t> blame_;       // by unit of the corner instance, over all capacities
  SplitMix random_;
  std::size_t runs_ = 0;
  double short_nodes_ = 0;    // that short runs were given so far
  double next_long_run_ = 0;  // nodes
  std::int64_t run_left_ = 0;
  SearchVerdict verdict_ = SearchVerdict::kStopped;
};

}  // namespace telamalloc

#endif  // TELAMALLOC_SEARCH_EXACT_EXACT_H_

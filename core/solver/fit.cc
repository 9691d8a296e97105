// Searches of several partitions take turns with slices that double, so that one hard partition neither
// starves an easy one nor hides another's proof of infeasibility.
#include "solver/fit.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "search/engines.h"

namespace telamalloc {
namespace {

constexpr std::int64_t kFirstSlice = 1024;  // nodes

struct Open {
  std::size_t partition = 0;
  std::unique_ptr<CapacitySearch> search;
};

// Partitions above `capacity`, the one furthest above first.
std::vector<Open> HardestFirst(const Timeline& timeline, std::int64_t capacity, const Incumbent& incumbent) {
  std::vector<Open> open;
  for (std::size_t p = 0; p < timeline.partitions().size(); ++p) {
    if (!incumbent.Reaches(p, capacity)) open.push_back({.partition = p, .search = nullptr});
  }
  const auto peak = [&](const Open& o) {
    return incumbent.placed(o.partition) ? incumbent.peak(o.partition)
                                         : timeline.partitions()[o.partition].lower_bound;
  };
  std::ranges::stable_sort(open, std::ranges::greater{}, peak);
  return open;
}

}  // namespace

absl::StatusOr<ProvenBound> FitBySearch(const Timeline& timeline, std::int64_t capacity,
                                        const SearchPlan& plan, Budget& budget, Incumbent& incumbent,
                                        SolveStats& stats) {
  std::vector<Open> open = HardestFirst(timeline, capacity, incumbent);
  for (std::int64_t slice = kFirstSlice; !open.empty(); slice *= 2) {
    std::vector<Open> undecided;
    for (Open& o : open) {
      const Partition& partition = timeline.partitions()[o.partition];
      if (!o.search) o.search = MakeSearch(plan.engines, timeline, partition, capacity, plan.options);
      if (!o.search) continue;  // none takes it
      const SearchVerdict verdict = o.search->Run(slice, budget, stats);
      if (verdict == SearchVerdict::kExhausted) {
        return ProvenBound{.partition = static_cast<std::ptrdiff_t>(o.partition),
                           .lower_bound = o.search->next_peak(),
                           .method = o.search->method()};
      }
      if (verdict == SearchVerdict::kSolved) {
        incumbent.Offer(o.partition, o.search->placement(), o.search->method());
      } else if (verdict == SearchVerdict::kStopped) {
        undecided.push_back(std::move(o));
      }
      if (budget.exhausted()) return ProvenBound{};
    }
    if (absl::Status status = incumbent.Publish(); !status.ok()) return status;
    open = std::move(undecided);
  }
  return ProvenBound{};
}

}  // namespace telamalloc

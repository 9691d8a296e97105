// kAuto where the exact search accepts: it goes first, since it closes in thousands of nodes what
// TelaMalloc's search does not in millions, at a twentieth of the time per node. What resists is rare and of
// a kind of its own, so from then on TelaMalloc's search gets a share of the nodes too:
//
//   exact      ------------ 2^20 nodes ------------|-- slice --|      |-- slice --|     ...
//   telamalloc                                                 |- 1/1024|         |- 1/1024
#include "search/engines.h"

#include <algorithm>
#include <utility>

#include "search/exact/exact.h"
#include "search/telamalloc.h"

namespace telamalloc {
namespace {

constexpr std::int64_t kExactAlone = 1 << 20;  // nodes
constexpr std::int64_t kShare = 1024;

class BothSearches final : public CapacitySearch {
 public:
  BothSearches(const Timeline& timeline, const Partition& partition, std::int64_t capacity,
               const SearchOptions& options)
      : timeline_(&timeline),
        partition_(&partition),
        capacity_(capacity),
        options_(options),
        exact_(timeline, partition, capacity, options) {}

  SearchVerdict Run(std::int64_t nodes, Budget& budget, SolveStats& stats) override {
    const SearchVerdict verdict = exact_.Run(nodes, budget, stats);
    exact_nodes_ += nodes;
    if (verdict != SearchVerdict::kStopped || exact_nodes_ < kExactAlone || budget.exhausted())
      return verdict;
    if (!telamalloc_) {
      telamalloc_ = std::make_unique<TelamallocSearch>(*timeline_, *partition_, capacity_, options_);
    }
    const SearchVerdict second = telamalloc_->Run(std::max<std::int64_t>(1, nodes / kShare), budget, stats);
    telamalloc_decided_ = second == SearchVerdict::kSolved || second == SearchVerdict::kExhausted;
    return telamalloc_decided_ ? second : SearchVerdict::kStopped;
  }

  bool Retarget(std::int64_t capacity) override {
    capacity_ = capacity;
    telamalloc_.reset();
    telamalloc_decided_ = false;
    return exact_.Retarget(capacity);
  }
  [[nodiscard]] std::int64_t next_peak() const override { return exact_.next_peak(); }
  [[nodiscard]] PartitionPlacement placement() const override {
    return telamalloc_decided_ ? telamalloc_->placement() : exact_.placement();
  }
  [[nodiscard]] Method method() const override {
    return telamalloc_decided_ ? Method::kTelamalloc : Method::kExact;
  }

 private:
  const Timeline* timeline_;
  const Partition* partition_;
  std::int64_t capacity_;
  SearchOptions options_;
  ExactSearch exact_;
  std::int64_t exact_nodes_ = 0;
  std::unique_ptr<TelamallocSearch> telamalloc_;
  bool telamalloc_decided_ = false;
};

}  // namespace

std::unique_ptr<CapacitySearch> MakeSearch(Engines engines, const Timeline& timeline,
                                           const Partition& partition, std::int64_t capacity,
                                           const SearchOptions& options) {
  const bool telamalloc = engines != Engines::kExact && TelamallocSearch::Accepts(timeline, partition);
  if (engines != Engines::kTelamalloc && ExactSearch::Accepts(timeline, partition)) {
    if (!telamalloc) return std::make_unique<ExactSearch>(timeline, partition, capacity, options);
    return std::make_unique<BothSearches>(timeline, partition, capacity, options);
  }
  if (!telamalloc) return nullptr;
  return std::make_unique<TelamallocSearch>(timeline, partition, capacity, options);
}

}  // namespace telamalloc

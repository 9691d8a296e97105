// The peak is the largest over the partitions, so only the partition that sets it is worth lowering, and only
// down to the largest of the partitions' bounds.
//
//   peak of the incumbent   ---- 128     five probes take turns:
//                           ---- 124       an eighth and a quarter of the way down (improve it a little,
//                           often)
//                           ---- 121
//                           ---- 114       half-way and three quarters down (improve it a lot, sometimes)
//                           ---- 107
//   proven bound            ---- 100       at the bound (ends the work at once, or raises the bound)
//
// Several, because how hard a capacity is does not grow evenly as it shrinks: of two neighbours one may take
// ten times as long. A probe that finds a placement lowers the incumbent; one that exhausts its search raises
// the bound to the next possible peak; one that stops says nothing and is resumed, also when the ladder has
// moved, as long as its capacity lies on it. Slices double whenever a turn brought nothing.
#include "solver/minimize.h"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "search/engines.h"

namespace telamalloc {
namespace {

constexpr std::int64_t kFirstSlice = 512;  // nodes

struct Probe {
  std::int64_t capacity = -1;
  std::unique_ptr<CapacitySearch> search;
  bool gave_up = false;
};

// Of one partition.
struct Ladder {
  std::int64_t lower_bound = 0;
  std::int64_t slice = kFirstSlice;
  std::int64_t step = 1;        // bytes between peaks worth telling apart; known once the bottom has a search
  std::array<Probe, 5> probes;  // bottom, then from the top down
  bool closed = false;          // no search can lower it further
};

class Minimizer {
 public:
  Minimizer(const Timeline& timeline, const SearchPlan& plan, Budget& budget, Incumbent& incumbent,
            SolveStats& stats)
      : timeline_(&timeline),
        plan_(&plan),
        budget_(&budget),
        incumbent_(&incumbent),
        stats_(&stats),
        ladders_(timeline.partitions().size()),
        lower_bound_(timeline.lower_bound()) {
    for (std::size_t p = 0; p < ladders_.size(); ++p) {
      ladders_[p].lower_bound = timeline.partitions()[p].lower_bound;
    }
  }

  absl::StatusOr<ProvenBound> Run() {
    while (!ladders_.empty() && !budget_->exhausted()) {
      const std::size_t p = Highest();
      if (incumbent_->peak(p) <= lower_bound_ || ladders_[p].closed) break;
      Climb(p);
      if (absl::Status status = incumbent_->Publish(); !status.ok()) return status;
    }
    return proven_;
  }

 private:
  [[nodiscard]] std::size_t Highest() const {
    std::size_t highest = 0;
    for (std::size_t p = 1; p < ladders_.size(); ++p) {
      if (incumbent_->peak(p) > incumbent_->peak(highest)) highest = p;
    }
    return highest;
  }

  // One turn of the probes of partition `p`.
  void Climb(std::size_t p) {
    Ladder& ladder = ladders_[p];
    const std::int64_t peak_before = incumbent_->peak(p);
    bool all_gave_up = true;
    for (std::size_t rung = 0; rung < ladder.probes.size(); ++rung) {
      const std::int64_t floor = std::max(ladder.lower_bound, lower_bound_);
      const std::int64_t top = incumbent_->peak(p) - 1;
      if (floor > top) return;
      const std::int64_t steps = (top - floor) / ladder.step;
      const std::array<std::int64_t, 5> heights = {0, steps - steps / 8, steps - steps / 4, steps / 2,
                                                   steps / 4};
      if (rung > 0 && heights[rung] == 0) continue;
      if (rung > 1 && heights[rung] == heights[rung - 1]) continue;
      Probe& probe = ladder.probes[rung];
      Aim(probe, p, floor + heights[rung] * ladder.step, floor, top);
      if (rung == 0 && probe.search) {
        ladder.step = std::max<std::int64_t>(1, probe.search->next_peak() - probe.capacity);
      }
      if (!probe.gave_up) Step(probe, p);
      all_gave_up = all_gave_up && probe.gave_up;
      if (budget_->exhausted()) return;
    }
    ladder.closed = all_gave_up;
    if (incumbent_->peak(p) == peak_before) ladder.slice *= 2;
  }

  // A probe keeps its search while its capacity is still worth deciding.
  void Aim(Probe& probe, std::size_t p, std::int64_t capacity, std::int64_t floor, std::int64_t top) {
    if (probe.search && floor <= probe.capacity && probe.capacity <= top) return;
    probe.capacity = capacity;
    if (!probe.search || !probe.search->Retarget(capacity)) {
      probe.search =
          MakeSearch(plan_->engines, *timeline_, timeline_->partitions()[p], capacity, plan_->options);
    }
    probe.gave_up = probe.search == nullptr;
  }

  void Step(Probe& probe, std::size_t p) {
    Ladder& ladder = ladders_[p];
    switch (probe.search->Run(ladder.slice, *budget_, *stats_)) {
      case SearchVerdict::kSolved:
        incumbent_->Offer(p, probe.search->placement(), probe.search->method());
        break;
      case SearchVerdict::kExhausted: {
        const std::int64_t next_peak = std::min(probe.search->next_peak(), incumbent_->peak(p));
        ladder.lower_bound = std::max(ladder.lower_bound, next_peak);
        if (ladder.lower_bound <= lower_bound_) break;
        lower_bound_ = ladder.lower_bound;
        proven_ = {.partition = static_cast<std::ptrdiff_t>(p),
                   .lower_bound = lower_bound_,
                   .method = probe.search->method()};
        break;
      }
      case SearchVerdict::kGaveUp:
        probe.gave_up = true;
        break;
      case SearchVerdict::kStopped:
        break;
    }
  }

  const Timeline* timeline_;
  const SearchPlan* plan_;
  Budget* budget_;
  Incumbent* incumbent_;
  SolveStats* stats_;
  std::vector<Ladder> ladders_;
  std::int64_t lower_bound_;  // of the problem: by load, or proven_
  ProvenBound proven_;
};

}  // namespace

absl::StatusOr<ProvenBound> MinimizeBySearch(const Timeline& timeline, const SearchPlan& plan, Budget& budget,
                                             Incumbent& incumbent, SolveStats& stats) {
  return Minimizer(timeline, plan, budget, incumbent, stats).Run();
}

}  // namespace telamalloc

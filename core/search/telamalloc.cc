// One loop over a stack of frames, one frame per decision:
//
//   frame 0: candidates  [b3] b7  b1        <- chosen b3 at its lowest valid position
//   frame 1: candidates   b7 [b1]           <- b7 failed there (minor backtrack), b1 chosen
//   frame 2: candidates   b7  b4  b9        <- all failed: major backtrack
//
// A failed placement is undone and the next candidate tried: a minor backtrack. When the candidates of a
// frame are used up, its conflict (the union of its children's reasons) says which decisions matter: frames
// whose decision is not among them are skipped, and at the first that is, the blamed unit is tried first: a
// major backtrack. Too many backtracks below one decision (stuck): jump half-way up instead.
//
// Completeness (SearchRules::complete). A conflict (reason R, victims V) says: with R where it is, V cannot
// all be placed. For a frame, start from the children that failed and close the set: V holds every tried unit
// and every victim of its failure; R every reason but the unit itself, and every decided unit that keeps a
// tried one from a lower position. When every unit of V has been tried, (R, V) is proven: in any placement of
// V around R, pushed down as far as it goes, the unit of V with the lowest offset stands at the lowest
// position that R leaves it, which is the child that failed. So after the paper's three picks only the
// untried units of V follow. A round in which nothing was abandoned and whose root frame fails has proven
// infeasibility. The argument needs pieces that start at their unit's offset (SearchInstance::flat_bottoms);
// else the verdict is kGaveUp.
//
// Rounds (SearchRules::restarts). Run times are heavy-tailed, so a round that used up its share of backtracks
// is followed by one with twice the stuck threshold and perturbed keys; blame is kept. Odd rounds are
// complete, even rounds take the paper's picks only.
#include "search/telamalloc.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <random>
#include <utility>
#include <vector>

#include "search/candidates.h"
#include "search/conflict.h"
#include "search/instance.h"
#include "search/placement.h"
#include "search/propagate.h"
#include "timeline/phases.h"

namespace telamalloc {
namespace {

constexpr std::int64_t kMaxIncidences = 8'000'000;
constexpr std::int32_t kMaxUnits = 50'000;

// Backtracks below one decision before it counts as stuck, in the first round.
constexpr std::int64_t kStuckThreshold = 128;
// Rounds that fail at once, without a proof, go on for as long as the budget lets them.
constexpr std::int64_t kMaxStuckThreshold = std::int64_t{1} << 40;
// A round ends after this many thresholds of backtracks.
constexpr std::int64_t kThresholdsPerRound = 16;
// How far restarts perturb lifetimes, sizes and areas.
constexpr double kPerturbation = 0.3;

struct Frame {
  std::vector<std::int32_t> queue;  // candidates, those before `next` tried or dropped
  std::size_t next = 0;
  std::vector<std::int32_t> tried;
  std::int32_t chosen = -1;
  Candidates::Cursors cursors{};
  std::int64_t backtracks_before = 0;  // when the frame was opened
  bool failed_once = false;            // merged is in use
  Conflict merged;

  [[nodiscard]] bool WasTried(std::int32_t unit) const {
    return std::ranges::find(tried, unit) != tried.end();
  }
};

}  // namespace

class TelamallocSearch::Impl {
 public:
  Impl(const Timeline& timeline, const Partition& partition, std::int64_t capacity,
       const SearchOptions& options)
      : options_(options),
        instance_(BuildInstance(timeline, partition)),
        placement_(instance_, capacity / instance_.scale),
        propagator_(placement_, options.rules),
        candidates_(instance_, ComputePhases(timeline, partition, capacity)),
        random_(options.random_seed),
        blamed_at_(instance_.units.size(), 0) {}

  SearchVerdict Run(std::int64_t nodes, Budget& budget, SolveStats& stats) {
    if (verdict_ != SearchVerdict::kStopped) return verdict_;
    const SolveStats before = stats_;
    verdict_ = Search(nodes, budget);
    stats.nodes += stats_.nodes - before.nodes;
    stats.minor_backtracks += stats_.minor_backtracks - before.minor_backtracks;
    stats.major_backtracks += stats_.major_backtracks - before.major_backtracks;
    return verdict_;
  }

  [[nodiscard]] std::int64_t next_peak() const {
    std::int64_t peak = 0;
    const bool wraps = __builtin_add_overflow(placement_.capacity(), 1, &peak) ||
                       __builtin_mul_overflow(peak, instance_.scale, &peak);
    return wraps ? std::numeric_limits<std::int64_t>::max() : peak;
  }

  [[nodiscard]] PartitionPlacement placement() const {
    PartitionPlacement result;
    for (std::int32_t u = 0; u < instance_.unit_count(); ++u) {
      const std::int64_t offset = placement_.offset(u) * instance_.scale;
      result.offsets.push_back(offset);
      result.peak = std::max(result.peak, offset + instance_.units[u].size * instance_.scale);
    }
    return result;
  }

 private:
  SearchVerdict Search(std::int64_t nodes, Budget& budget);
  SearchVerdict RootFailed(bool proven);
  void OpenRound();
  void OpenFrame();
  std::int32_t NextCandidate(Frame& frame);
  bool Usable(const Frame& frame, std::int32_t unit) const;
  void Absorb(Frame& frame, std::int32_t unit, const Conflict& conflict);
  void FailChosen(const Conflict& conflict);
  bool MajorBacktrack(Conflict conflict);
  void JumpFromStuck(const Conflict& conflict);
  Conflict Abandoned(const Conflict& conflict) const;
  void UndoTop();

  [[nodiscard]] bool complete_round() const {
    return options_.rules.complete && (!options_.rules.restarts || round_ % 2 == 1);
  }
  Frame& top() { return frames_[depth_ - 1]; }

  const SearchOptions options_;
  const SearchInstance instance_;

  // Search state. frames_[0, depth_) are open; the others keep their memory for later.
  Placement placement_;
  Propagator propagator_;
  Candidates candidates_;
  std::vector<Frame> frames_;
  std::int32_t depth_ = 0;
  std::int32_t root_level_ = 0;  // placement level with only the fixed units placed

  // What later rounds keep.
  std::mt19937_64 random_;
  std::vector<std::int64_t> blamed_at_;  // 0: never; the larger, the later
  std::vector<std::int32_t> blamed_;     // units ever blamed
  std::int64_t blames_ = 0;
  std::int64_t round_ = -1;
  std::int64_t stuck_threshold_ = kStuckThreshold / 2;
  std::int64_t backtracks_ = 0;
  std::int64_t round_start_ = 0;  // backtracks_ when the round began
  SolveStats stats_;
  SearchVerdict verdict_ = SearchVerdict::kStopped;
};

SearchVerdict TelamallocSearch::Impl::Search(std::int64_t nodes, Budget& budget) {
  if (round_ < 0) {
    if (!propagator_.Start()) return SearchVerdict::kExhausted;
    root_level_ = placement_.level();
    if (placement_.unplaced_count() == 0) return SearchVerdict::kSolved;
    OpenRound();
  }
  const std::int64_t node_limit = nodes > std::numeric_limits<std::int64_t>::max() - stats_.nodes
                                      ? std::numeric_limits<std::int64_t>::max()
                                      : stats_.nodes + nodes;
  while (true) {
    if (stats_.nodes >= node_limit || budget.Spend(16 + propagator_.TakeSteps()))
      return SearchVerdict::kStopped;
    Frame& frame = top();
    const std::int32_t unit = NextCandidate(frame);
    bool open = true;
    if (unit < 0) {
      open = MajorBacktrack(frame.merged);
    } else {
      if (budget.SpendNode()) {
        --frame.next;
        return SearchVerdict::kStopped;
      }
      ++stats_.nodes;
      frame.tried.push_back(unit);
      if (propagator_.Place(unit, placement_.lowest_offset(unit))) {
        if (placement_.unplaced_count() == 0) return SearchVerdict::kSolved;
        frame.chosen = unit;
        OpenFrame();
        continue;
      }
      ++backtracks_;
      ++stats_.minor_backtracks;
      placement_.BacktrackTo(placement_.level() - 1);
      const Conflict& conflict = propagator_.conflict();
      if (conflict.reason.Contains(unit)) {
        Absorb(frame, unit, conflict);
      } else {
        open = MajorBacktrack(conflict);  // it fails here whatever is tried
      }
    }
    if (open) continue;
    const SearchVerdict verdict = RootFailed(frames_[0].merged.proven);
    if (verdict != SearchVerdict::kStopped) return verdict;
    OpenRound();
  }
}

// kStopped: go on with another round.
SearchVerdict TelamallocSearch::Impl::RootFailed(bool proven) {
  if (proven && instance_.flat_bottoms) return SearchVerdict::kExhausted;
  if (!options_.rules.restarts || proven) return SearchVerdict::kGaveUp;
  return SearchVerdict::kStopped;
}

void TelamallocSearch::Impl::OpenRound() {
  ++round_;
  stuck_threshold_ = std::min(2 * stuck_threshold_, kMaxStuckThreshold);
  round_start_ = backtracks_;
  placement_.BacktrackTo(root_level_);
  depth_ = 0;
  if (round_ > 0) candidates_.Perturb(random_, kPerturbation);
  OpenFrame();
}

void TelamallocSearch::Impl::OpenFrame() {
  if (static_cast<std::size_t>(depth_) == frames_.size()) frames_.emplace_back();
  Frame& frame = frames_[depth_];
  frame.cursors = depth_ == 0 ? Candidates::Cursors{} : frames_[depth_ - 1].cursors;
  ++depth_;
  frame.queue.clear();
  frame.next = 0;
  frame.tried.clear();
  frame.chosen = -1;
  frame.backtracks_before = backtracks_;
  frame.failed_once = false;
  std::int32_t latest = -1;
  for (const std::int32_t unit : blamed_) {
    if (!placement_.placed(unit) && (latest < 0 || blamed_at_[unit] > blamed_at_[latest])) latest = unit;
  }
  if (latest >= 0) frame.queue.push_back(latest);
  const std::vector<std::int32_t> picks = candidates_.Picks(placement_, frame.cursors);
  frame.queue.insert(frame.queue.end(), picks.begin(), picks.end());
}

bool TelamallocSearch::Impl::Usable(const Frame& frame, std::int32_t unit) const {
  return !placement_.placed(unit) && !frame.WasTried(unit);
}

// The next untried candidate; -1 when they are used up. Units alike are represented by the first unplaced
// one.
std::int32_t TelamallocSearch::Impl::NextCandidate(Frame& frame) {
  const auto representative = [&](std::int32_t unit) {
    if (!options_.rules.symmetry || placement_.placed(unit)) return unit;
    std::int32_t first = instance_.units[unit].alike;
    while (placement_.placed(first)) ++first;
    return first;
  };
  while (frame.next < frame.queue.size()) {
    const std::int32_t unit = representative(frame.queue[frame.next++]);
    if (Usable(frame, unit)) {
      frame.queue[frame.next - 1] = unit;
      return unit;
    }
  }
  assert(frame.failed_once);  // while something is unplaced, at least one candidate was tried
  std::int32_t untried = -1;
  frame.merged.victims.ForEach([&](std::int32_t unit) {
    if (untried < 0 && Usable(frame, representative(unit))) untried = representative(unit);
  });
  if (untried < 0) return -1;
  if (!complete_round()) {
    frame.merged.proven = false;
    return -1;
  }
  frame.queue.push_back(untried);
  ++frame.next;
  return untried;
}

// The child `unit` of `frame` failed. REQUIRES: it is undone; conflict.reason contains it.
void TelamallocSearch::Impl::Absorb(Frame& frame, std::int32_t unit, const Conflict& conflict) {
  Conflict& merged = frame.merged;
  if (!frame.failed_once) {
    frame.failed_once = true;
    merged = conflict;
  } else {
    merged.reason.InsertAll(conflict.reason);
    merged.victims.InsertAll(conflict.victims);
    merged.blamed = conflict.blamed;
    merged.proven = merged.proven && conflict.proven;
  }
  merged.reason.Erase(unit);
  merged.victims.Insert(unit);
  const std::int64_t lowest = placement_.lowest_offset(unit);
  propagator_.ForEachNeighbor(unit, [&](std::int32_t v) {
    if (placement_.decided(v) && placement_.offset(v) < lowest) merged.reason.Insert(v);
  });
}

void TelamallocSearch::Impl::UndoTop() {
  --depth_;
  if (depth_ > 0) placement_.BacktrackTo(root_level_ + depth_ - 1);
}

// The chosen child of the top frame failed below: the blamed unit is tried next there. REQUIRES: it is
// undone.
void TelamallocSearch::Impl::FailChosen(const Conflict& conflict) {
  Frame& frame = top();
  Absorb(frame, frame.chosen, conflict);
  frame.chosen = -1;
  if (conflict.blamed >= 0 && Usable(frame, conflict.blamed)) {
    frame.queue.insert(frame.queue.begin() + frame.next, conflict.blamed);
  }
}

// The top frame failed because of `conflict`: closes frames up to the deepest decision in its reason and
// makes the blamed unit its next candidate. False when no decision is to blame: the root failed.
bool TelamallocSearch::Impl::MajorBacktrack(Conflict conflict) {
  ++stats_.major_backtracks;
  ++backtracks_;
  while (true) {
    UndoTop();
    if (depth_ == 0) {
      frames_[0].merged = std::move(conflict);
      return false;
    }
    if (conflict.reason.Contains(top().chosen)) break;
  }
  const std::int32_t blamed = conflict.blamed;
  if (blamed >= 0) {
    if (blamed_at_[blamed] == 0) blamed_.push_back(blamed);
    blamed_at_[blamed] = ++blames_;
  }
  FailChosen(conflict);
  if (backtracks_ - round_start_ > kThresholdsPerRound * stuck_threshold_ && options_.rules.restarts) {
    conflict.proven = false;
    frames_[0].merged = std::move(conflict);
    return false;
  }
  if (backtracks_ - top().backtracks_before > stuck_threshold_) JumpFromStuck(conflict);
  return true;
}

// Gives up on everything below the frame half-way up, and on its present child.
void TelamallocSearch::Impl::JumpFromStuck(const Conflict& conflict) {
  const std::int32_t target = std::max(1, depth_ / 2);
  if (target == depth_) {
    top().merged.proven = false;
    top().next = top().queue.size();
    return;
  }
  while (depth_ > target) UndoTop();
  top().backtracks_before = backtracks_;
  FailChosen(Abandoned(conflict));
}

// An unproven conflict that blames every decision and every unplaced unit.
Conflict TelamallocSearch::Impl::Abandoned(const Conflict& conflict) const {
  Conflict abandoned = conflict;
  abandoned.proven = false;
  for (std::int32_t u = 0; u < instance_.unit_count(); ++u) {
    if (placement_.decided(u)) abandoned.reason.Insert(u);
    if (!placement_.placed(u)) abandoned.victims.Insert(u);
  }
  return abandoned;
}

bool TelamallocSearch::Accepts(const Timeline& timeline, const Partition& partition) {
  return partition.unit_end - partition.unit_begin <= kMaxUnits &&
         CountIncidences(timeline, partition) <= kMaxIncidences;
}

TelamallocSearch::TelamallocSearch(const Timeline& timeline, const Partition& partition,
                                   std::int64_t capacity, const SearchOptions& options)
    : impl_(std::make_unique<Impl>(timeline, partition, capacity, options)) {}

TelamallocSearch::~TelamallocSearch() = default;

SearchVerdict TelamallocSearch::Run(std::int64_t nodes, Budget& budget, SolveStats& stats) {
  return impl_->Run(nodes, budget, stats);
}

std::int64_t TelamallocSearch::next_peak() const { return impl_->next_peak(); }

PartitionPlacement TelamallocSearch::placement() const { return impl_->placement(); }

}  // namespace telamalloc

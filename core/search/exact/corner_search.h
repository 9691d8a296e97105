// Depth-first search over the corners of the skyline, with one order of trying things.
#ifndef TELAMALLOC_SEARCH_EXACT_CORNER_SEARCH_H_
#define TELAMALLOC_SEARCH_EXACT_CORNER_SEARCH_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "search/exact/components.h"
#include "search/exact/corner_instance.h"
#include "search/exact/corners.h"
#include "search/exact/failed_states.h"
#include "search/exact/section_set.h"
#include "search/exact/skyline.h"
#include "search/exact/state_hash.h"
#include "telamalloc/solver.h"
#include "timeline/budget.h"

namespace telamalloc {

enum class CornerVerdict : std::int8_t {
  kSolved,     // every unit has an offset
  kExhausted,  // proven: nothing fits
  kStopped,    // the nodes or the budget are used up; Run may be called again
};

class CornerSearch {
 public:
  // Adds to `blame`, by unit, how often its placement was part of a failure.
  // REQUIRES: `instance`, `failed` and `blame` outlive this object; load <= capacity in every section; pins'
  // tops <= capacity. `failed` may hold failures of other searches of `instance`; with pins or alignments
  // only of those with the same capacity.
  CornerSearch(const CornerInstance& instance, std::int64_t capacity, const ExactRules& rules,
               FailedStates& failed, std::vector<std::int64_t>& blame);

  // Starts over from the root. Of the units in a corner those with a larger key are tried earlier, next to
  // how well they fit the corner; `keys` has one >= 0 for each unit of the instance.
  void Restart(std::vector<double> keys);

  // Takes at most `nodes` decisions; a dead end counts as one. REQUIRES: Restart was called.
  CornerVerdict Run(std::int64_t nodes, Budget& budget);

  // Decisions and dead ends so far.
  [[nodiscard]] std::int64_t nodes() const { return nodes_; }
  // Decisions undone because a later one failed.
  [[nodiscard]] std::int64_t backtracks() const { return backtracks_; }
  // Decisions skipped on the way back since the failure does not depend on them.
  [[nodiscard]] std::int64_t jumps() const { return jumps_; }

  // REQUIRES: Run returned kSolved.
  [[nodiscard]] std::int64_t offset(std::int32_t u) const { return skyline_.offset(u); }

 private:
  struct Frame {
    // The state before the decision.
    std::size_t trail = 0;
    Components::Mark components;
    std::uint64_t hash = 0;
    std::uint64_t key = 0;
    bool first_of_component = false;
    // The corner.
    std::int32_t l = 0;
    WasteOption waste;
    // options_[next_option, option_end) are still to be tried; those of this frame start at option_begin.
    std::int32_t option_begin = 0;
    std::int32_t next_option = 0;
    std::int32_t option_end = 0;
    SectionSet touched;   // by the option now taken
    SectionSet conflict;  // what the failures so far depend on
  };

  [[nodiscard]] std::optional<SectionSet> FailsAtOnce();
  [[nodiscard]] std::int32_t ChooseValley() const;
  [[nodiscard]] SectionSet Surroundings(std::int32_t l) const;
  void OpenFrame();
  void SortOptions(const Frame& frame, Side side);
  void TakeNextOption(Frame& frame);
  void RefreshRank(std::int32_t l);
  void RefreshAround(std::int32_t start, std::int32_t end);
  void RefreshParts();
  void EnterComponent();
  void Undo(const Frame& frame);
  void DropFramesAbove(std::int32_t frame);
  bool Backtrack(SectionSet conflict);

  const CornerInstance* instance_;
  std::int64_t capacity_;
  ExactRules rules_;
  FailedStates* failed_;
  std::vector<std::int64_t>* blame_;
  SectionBits bits_;
  Skyline skyline_;
  Corners corners_;
  Components components_;
  StateHash hash_;
  std::vector<double> keys_;
  std::vector<double> rank_;  // scratch, by unit

  std::vector<Frame> frames_;
  std::vector<std::int32_t> options_;  // units, kWaste last
  bool entered_ = false;               // the current component has no frame yet
  std::int32_t valley_ = -1;           // chosen for the next frame
  std::int64_t nodes_ = 0;
  std::int64_t backtracks_ = 0;
  std::int64_t jumps_ = 0;
};

}  // namespace telamalloc

#endif  // TELAMALLOC_SEARCH_EXACT_CORNER_SEARCH_H_

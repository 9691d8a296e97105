// The constraint solver's half of TelaMalloc: after each placement, what does it forbid?
//
// Domains are [lowest_offset(u), capacity - size]; the pairwise no-overlap constraints keep each lower end at
// a valid position. Beyond the paper, per section: free bytes that nothing unplaced can use are lost
// (SearchRules::section_sums), and the unplaced units that cannot start below an offset must fit above it
// (SearchRules::tail_sums).
#ifndef TELAMALLOC_SEARCH_PROPAGATE_H_
#define TELAMALLOC_SEARCH_PROPAGATE_H_

#include <cstdint>
#include <vector>

#include "search/conflict.h"
#include "search/placement.h"
#include "telamalloc/solver.h"

namespace telamalloc {

class Propagator {
 public:
  // REQUIRES: `placement` outlives this object.
  Propagator(Placement& placement, const SearchRules& rules);

  // Places the fixed units (no level of theirs is ever undone by the search) and makes every lower end valid.
  // False if that is impossible: the problem has no placement within the capacity.
  [[nodiscard]] bool Start();

  // Places `unit` and propagates. False on a conflict, which is then in conflict(); the caller backtracks.
  [[nodiscard]] bool Place(std::int32_t unit, std::int64_t offset);

  // Of the last failed call. Its reason is complete: it holds every decided unit behind the rule that fired.
  [[nodiscard]] const Conflict& conflict() const { return conflict_; }

  // Adds to `set` the decided units whose lifetime touches that of `unit`.
  void AddDecidedNeighbors(std::int32_t unit, UnitSet& set) const;

  // Steps of work done since the last call, for the budget.
  std::int64_t TakeSteps();

  // Calls visit(v) for every other unit whose hull shares a section with that of `unit`.
  // The units live at its first section, then those that start later within it: a contiguous range of the
  // canonical order, so no list of pairs is kept.
  template <typename Visit>
  void ForEachNeighbor(std::int32_t unit, const Visit& visit) const {
    const auto& units = placement_->instance().units;
    const SearchUnit& u = units[unit];
    if (u.section_begin == u.section_end) return;
    for (std::int32_t k = hull_begin_[u.section_begin]; k < hull_begin_[u.section_begin + 1]; ++k) {
      if (hull_live_[k] != unit) visit(hull_live_[k]);
    }
    for (std::int32_t v = first_starting_[u.section_begin + 1]; v < first_starting_[u.section_end]; ++v) {
      if (v != unit) visit(v);
    }
  }

 private:
  bool UpdateNeighbors(std::int32_t unit);
  bool CheckSections(std::int32_t unit);
  bool SectionSumFits(std::int32_t section);
  bool TailSumsFit(std::int32_t section);
  bool FreeBytesUsable(std::int32_t section, std::int64_t lower, std::int64_t upper) const;
  void StartConflict();
  void ExplainUnit(std::int32_t unit);
  void ExplainSection(std::int32_t section);

  // Immutable after construction.
  Placement* placement_;
  SearchRules rules_;
  std::vector<std::int32_t>
      hull_begin_;  // units whose hull contains section s: hull_live_[hull_begin_[s], ..)
  std::vector<std::int32_t> hull_live_;
  std::vector<std::int32_t> first_starting_;  // first unit with section_begin >= s

  // Scratch.
  struct Tail {
    std::int64_t lowest = 0;
    std::int64_t bytes = 0;
  };
  std::vector<Tail> tails_;
  Conflict conflict_;
  std::int64_t steps_ = 0;
};

}  // namespace telamalloc

#endif  // TELAMALLOC_SEARCH_PROPAGATE_H_

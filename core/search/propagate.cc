// Section sums. Of a section's free bytes below the capacity, an interval counts as lost when no unplaced
// piece live there fits into it at or above its own lowest offset. Since occupied + unplaced bytes of a
// section never change (their sum is its contention), the section fails when contention + lost > capacity:
//
//     capacity -----------        x: 3 free bytes below u1, but the smallest unplaced piece live here needs
//     4,
//        |    free    |              so they are lost: contention + 3 <= capacity must still hold.
//        +----u1------+
//        xxxxxxxxxxxxxx
//        +----u0------+
//
// Tail sums. Sort the unplaced pieces of a section by lowest offset, highest first. The first k of them all
// lie in [lowest of the k-th, capacity), next to what is occupied there: their bytes must fit.
//
// Reasons. Occupied intervals of a section come from units live in it; a lowest offset comes from units that
// share a section with its unit. So the decided neighbours of all units live in the section are a complete
// reason for either rule, whatever else was decided.
//
// Cost of one placement: O(neighbours + sections of the unit x live in them).
// Source: the pairwise part is the paper's CP model; section sums as in MiniMalloc's section inference.
#include "search/propagate.h"

#include <algorithm>

namespace telamalloc {

Propagator::Propagator(Placement& placement, const SearchRules& rules)
    : placement_(&placement), rules_(rules) {
  const SearchInstance& instance = placement.instance();
  const std::int32_t sections = instance.section_count();
  hull_begin_.assign(sections + 1, 0);
  first_starting_.assign(sections + 1, 0);
  for (const SearchUnit& unit : instance.units) {
    for (std::int32_t s = unit.section_begin; s < unit.section_end; ++s) ++hull_begin_[s + 1];
    if (unit.section_begin < sections) ++first_starting_[unit.section_begin + 1];
  }
  for (std::int32_t s = 0; s < sections; ++s) {
    hull_begin_[s + 1] += hull_begin_[s];
    first_starting_[s + 1] += first_starting_[s];
  }
  hull_live_.resize(hull_begin_.back());
  std::vector<std::int32_t> next(hull_begin_.begin(), hull_begin_.end() - 1);
  for (std::int32_t u = 0; u < instance.unit_count(); ++u) {
    const SearchUnit& unit = instance.units[u];
    for (std::int32_t s = unit.section_begin; s < unit.section_end; ++s) hull_live_[next[s]++] = u;
  }
  conflict_.reason = UnitSet(instance.unit_count());
  conflict_.victims = UnitSet(instance.unit_count());
}

bool Propagator::Start() {
  const SearchInstance& instance = placement_->instance();
  for (std::int32_t u = 0; u < instance.unit_count(); ++u) {
    const SearchUnit& unit = instance.units[u];
    if (unit.size > placement_->capacity()) return false;
    if (unit.fixed_offset == kNoOffset) continue;
    if (unit.fixed_offset > placement_->capacity() - unit.size) return false;
    placement_->Place(u, unit.fixed_offset);
  }
  for (std::int32_t u = 0; u < instance.unit_count(); ++u) {
    if (placement_->placed(u)) continue;
    const std::optional<std::int64_t> lowest = placement_->LowestFree(u, 0);
    if (!lowest) return false;
    if (*lowest > 0) placement_->RaiseLowest(u, *lowest);
  }
  for (std::int32_t s = 0; s < instance.section_count(); ++s) {
    if (instance.contention[s] > placement_->capacity()) return false;
    if (rules_.section_sums && !SectionSumFits(s)) return false;
    if (rules_.tail_sums && !TailSumsFit(s)) return false;
  }
  return true;
}

bool Propagator::Place(std::int32_t unit, std::int64_t offset) {
  placement_->Place(unit, offset);
  return UpdateNeighbors(unit) && CheckSections(unit);
}

std::int64_t Propagator::TakeSteps() { return std::exchange(steps_, 0); }

bool Propagator::UpdateNeighbors(std::int32_t unit) {
  const auto& units = placement_->instance().units;
  const std::int64_t lower = placement_->offset(unit);
  const std::int64_t upper = lower + units[unit].size;
  std::int32_t wiped_out = -1;
  ForEachNeighbor(unit, [&](std::int32_t v) {
    ++steps_;
    if (wiped_out >= 0 || placement_->placed(v)) return;
    const std::int64_t lowest = placement_->lowest_offset(v);
    if (lowest >= upper || lowest + units[v].size <= lower) return;
    steps_ += units[v].section_end - units[v].section_begin;
    const std::optional<std::int64_t> raised = placement_->LowestFree(v, lowest);
    if (!raised) {
      wiped_out = v;
    } else if (*raised > lowest) {
      placement_->RaiseLowest(v, *raised);
    }
  });
  if (wiped_out < 0) return true;
  ExplainUnit(wiped_out);
  return false;
}

bool Propagator::CheckSections(std::int32_t unit) {
  if (!rules_.section_sums && !rules_.tail_sums) return true;
  const SearchInstance& instance = placement_->instance();
  for (const SearchPiece& piece : instance.pieces_of(instance.units[unit])) {
    for (std::int32_t s = piece.section_begin; s < piece.section_end; ++s) {
      ++steps_;
      const bool fits = (!rules_.section_sums || SectionSumFits(s)) && (!rules_.tail_sums || TailSumsFit(s));
      if (fits) continue;
      ExplainSection(s);
      return false;
    }
  }
  return true;
}

bool Propagator::FreeBytesUsable(std::int32_t section, std::int64_t lower, std::int64_t upper) const {
  const SearchInstance& instance = placement_->instance();
  return std::ranges::any_of(instance.live_in(section), [&](std::int32_t p) {
    const SearchPiece& piece = instance.pieces[p];
    if (placement_->placed(piece.unit)) return false;
    const std::int64_t start = std::max(lower, placement_->lowest_offset(piece.unit) + piece.lower);
    return piece.upper - piece.lower <= upper - start;
  });
}

bool Propagator::SectionSumFits(std::int32_t section) {
  const std::int64_t slack = placement_->capacity() - placement_->instance().contention[section];
  const auto taken = placement_->occupied(section);
  if (taken.empty()) return true;
  const std::int64_t occupied_bytes =
      placement_->instance().contention[section] - placement_->unplaced_bytes(section);
  if (taken.back().upper - occupied_bytes <= slack) return true;  // even if all below the top were lost
  std::int64_t lost = 0;
  std::int64_t top = 0;
  for (const Occupied& interval : taken) {
    if (interval.lower > top) {
      steps_ += placement_->instance().live_in(section).size();
      if (!FreeBytesUsable(section, top, interval.lower)) lost += interval.lower - top;
      if (lost > slack) return false;
    }
    top = interval.upper;
  }
  return true;
}

bool Propagator::TailSumsFit(std::int32_t section) {
  const SearchInstance& instance = placement_->instance();
  if (placement_->unplaced_bytes(section) == 0) return true;
  tails_.clear();
  for (const std::int32_t p : instance.live_in(section)) {
    const SearchPiece& piece = instance.pieces[p];
    if (placement_->placed(piece.unit)) continue;
    tails_.push_back(
        {.lowest = placement_->lowest_offset(piece.unit) + piece.lower, .bytes = piece.upper - piece.lower});
  }
  steps_ += 4 * static_cast<std::int64_t>(tails_.size());
  std::ranges::sort(tails_, std::ranges::greater{}, &Tail::lowest);
  const auto taken = placement_->occupied(section);
  auto above = taken.end();  // occupied intervals from here on lie above the present tail
  std::int64_t bytes = 0;
  for (const Tail& tail : tails_) {
    bytes += tail.bytes;
    while (above != taken.begin() && std::prev(above)->lower >= tail.lowest) {
      --above;
      bytes += above->upper - above->lower;
    }
    if (bytes > placement_->capacity() - tail.lowest) return false;
  }
  return true;
}

void Propagator::AddDecidedNeighbors(std::int32_t unit, UnitSet& set) const {
  ForEachNeighbor(unit, [&](std::int32_t v) {
    if (placement_->decided(v)) set.Insert(v);
  });
}

void Propagator::StartConflict() {
  conflict_.reason.Clear();
  conflict_.victims.Clear();
  conflict_.blamed = -1;
  conflict_.proven = true;
}

void Propagator::ExplainUnit(std::int32_t unit) {
  StartConflict();
  conflict_.victims.Insert(unit);
  conflict_.blamed = unit;
  AddDecidedNeighbors(unit, conflict_.reason);
}

void Propagator::ExplainSection(std::int32_t section) {
  const SearchInstance& instance = placement_->instance();
  StartConflict();
  for (const std::int32_t p : instance.live_in(section)) {
    const std::int32_t u = instance.pieces[p].unit;
    if (placement_->decided(u)) conflict_.reason.Insert(u);
    if (placement_->placed(u)) continue;
    conflict_.victims.Insert(u);
    AddDecidedNeighbors(u, conflict_.reason);
    if (conflict_.blamed < 0 || instance.units[u].size > instance.units[conflict_.blamed].size) {
      conflict_.blamed = u;
    }
  }
}

}  // namespace telamalloc

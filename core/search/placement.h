// The mutable state of a search: which units are placed where, and what that leaves to the others.
//
//        section 0   section 1                 occupied, per section, ordered by address:
//      +-----------+                             section 0: [0,4) u0, [6,9) u1
//   9  |    u1     |                             section 1: [0,4) u0
//   6  +-----------+                           lowest_offset(u2), u2 live in section 1: 4
//   4  +-----------+-----------+
//   0  |          u0           |
//
// All of it changes through this class alone, and every change is logged: BacktrackTo(level) restores the
// state at that level exactly.
//
// Invariants (CheckInvariants):
//  1. occupied(s) holds exactly the pieces live in s of placed units, ordered, pairwise disjoint, below
//  capacity.
//  2. unplaced_bytes(s) + occupied bytes of s == contention of s.
//  3. lowest_offset(u) of an unplaced u is <= its lowest valid position.
#ifndef TELAMALLOC_SEARCH_PLACEMENT_H_
#define TELAMALLOC_SEARCH_PLACEMENT_H_

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "search/instance.h"

namespace telamalloc {

// Bytes [lower, upper) taken by a piece of `unit`.
struct Occupied {
  std::int64_t lower = 0;
  std::int64_t upper = 0;
  std::int32_t unit = 0;
};

class Placement {
 public:
  // REQUIRES: `instance` outlives this object.
  Placement(const SearchInstance& instance, std::int64_t capacity);

  [[nodiscard]] const SearchInstance& instance() const { return *instance_; }
  [[nodiscard]] std::int64_t capacity() const { return capacity_; }

  [[nodiscard]] bool placed(std::int32_t unit) const { return offset_[unit] != kNoOffset; }
  // Placed by a decision: not a pin.
  [[nodiscard]] bool decided(std::int32_t unit) const {
    return placed(unit) && instance_->units[unit].fixed_offset == kNoOffset;
  }
  [[nodiscard]] std::int64_t offset(std::int32_t unit) const { return offset_[unit]; }
  [[nodiscard]] std::int64_t lowest_offset(std::int32_t unit) const { return lowest_offset_[unit]; }
  [[nodiscard]] std::int32_t unplaced_count() const { return unplaced_count_; }
  [[nodiscard]] std::span<const Occupied> occupied(std::int32_t section) const {
    return std::span(occupied_).subspan(instance_->live_begin[section], occupied_count_[section]);
  }
  [[nodiscard]] std::int64_t unplaced_bytes(std::int32_t section) const { return unplaced_bytes_[section]; }

  // Number of placements so far, fixed units included; the argument of BacktrackTo.
  [[nodiscard]] std::int32_t level() const { return static_cast<std::int32_t>(levels_.size()); }

  // Lowest multiple of the alignment >= `from` at which all pieces of `unit` are free and below capacity.
  // Cost: O(sections of the unit x occupied) per position tried.
  [[nodiscard]] std::optional<std::int64_t> LowestFree(std::int32_t unit, std::int64_t from) const;

  // Opens a level and places `unit`. REQUIRES: not placed; free at `offset`.
  void Place(std::int32_t unit, std::int64_t offset);

  // Raises lowest_offset(unit) in the current level. REQUIRES: unplaced; `offset` >= the present value.
  void RaiseLowest(std::int32_t unit, std::int64_t offset);

  // Undoes every placement above `level`, the last first.
  void BacktrackTo(std::int32_t level);

  // Whether the invariants hold; for tests and debug builds.
  [[nodiscard]] bool CheckInvariants() const;

 private:
  struct Level {
    std::int32_t unit = 0;
    std::int32_t trail_size = 0;
  };
  struct TrailEntry {
    std::int32_t unit = 0;
    std::int64_t lowest_offset = 0;
  };

  void Insert(std::int32_t section, const Occupied& occupied);
  void Remove(std::int32_t section, std::int64_t lower);

  // Immutable after construction.
  const SearchInstance* instance_;
  std::int64_t capacity_;

  // Search state, restored by BacktrackTo.
  std::vector<std::int64_t> offset_;
  std::vector<std::int64_t> lowest_offset_;
  std::vector<Occupied> occupied_;  // slots of section s start at live_begin[s]
  std::vector<std::int32_t> occupied_count_;
  std::vector<std::int64_t> unplaced_bytes_;
  std::int32_t unplaced_count_ = 0;
  std::vector<Level> levels_;
  std::vector<TrailEntry> trail_;
};

}  // namespace telamalloc

#endif  // TELAMALLOC_SEARCH_PLACEMENT_H_

// The mutable state of the corner search: how high each section is filled, and what is still to place.
//
//        height      a segment is a maximal run of sections of equal height between two borders;
//      3 |    +--+   it is a valley if both neighbours are higher (a border is infinitely high).
//      2 |    |  |
//      1 +----+  +---+       segments [0, 2), [2, 3), [3, 5), [5, 6); valleys [0, 2) and [3, 5)
//      0 |           | ...
//        +-----------+--
//          0 1  2  3 4  5
//
// Everything below the height is decided: buffers, pins, or bytes declared waste. `ground` is the top of the
// highest buffer or pin below the height: they differ by the waste on top of it. A border is a section
// boundary that no unplaced unit crosses.
//
// All of it changes through this class, and each change is logged in one trail of (cell, old value):
// BacktrackTo(mark) restores the state at that mark exactly.
//
// Invariants (CheckInvariants):
//  1. Neighbouring segments without a border between them differ in height.
//  2. slack(s) == capacity - height(s) - bytes above it >= 0: unplaced units, pins, units placed on top.
//  3. ground(s) <= height(s) <= ceiling(s); height(s) == ceiling(s) only while pins are being absorbed.
#ifndef TELAMALLOC_SEARCH_EXACT_SKYLINE_H_
#define TELAMALLOC_SEARCH_EXACT_SKYLINE_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "search/exact/corner_instance.h"

namespace telamalloc {

class Skyline {
 public:
  // REQUIRES: `instance` outlives this object; load <= capacity in every section; pins' tops <= capacity.
  Skyline(const CornerInstance& instance, std::int64_t capacity);
  Skyline(const Skyline&) = delete;
  Skyline& operator=(const Skyline&) = delete;
  Skyline(Skyline&&) = delete;
  Skyline& operator=(Skyline&&) = delete;
  ~Skyline() = default;

  [[nodiscard]] const CornerInstance& instance() const { return *instance_; }

  // Segments. REQUIRES: a segment starts at `l`, or ends at `r`.
  [[nodiscard]] std::int32_t segment_end(std::int32_t l) const { return Narrow(segment_end_[l]); }
  [[nodiscard]] std::int64_t height(std::int32_t l) const { return height_[l]; }
  [[nodiscard]] std::int64_t left_wall(std::int32_t l) const {
    return border_[l] != 0 ? kNoWall : height_[segment_begin_[l]];
  }
  [[nodiscard]] std::int64_t right_wall(std::int32_t r) const {
    return border_[r] != 0 ? kNoWall : height_[r];
  }
  // Start of the segment that ends at `r`. REQUIRES: r > 0.
  [[nodiscard]] std::int32_t segment_before(std::int32_t r) const { return Narrow(segment_begin_[r]); }
  // Start of the segment that contains `section`, searched from the segment that starts at `from`.
  [[nodiscard]] std::int32_t SegmentAt(std::int32_t section, std::int32_t from) const {
    while (segment_end_[from] <= section) from = Narrow(segment_end_[from]);
    return from;
  }

  // Sections.
  [[nodiscard]] bool border(std::int32_t boundary) const { return border_[boundary] != 0; }
  // Number of unplaced units that cross the boundary.
  [[nodiscard]] std::int64_t crossing(std::int32_t boundary) const { return crossing_[boundary]; }
  [[nodiscard]] std::int64_t ground(std::int32_t section) const { return ground_[section]; }
  [[nodiscard]] std::int64_t slack(std::int32_t section) const { return slack_[section]; }
  // The pins at or above the height, upwards.
  [[nodiscard]] std::span<const CornerPin> pins_above(std::int32_t section) const {
    return std::span(instance_->pins)
        .subspan(next_pin_[section], instance_->pin_at[section + 1] - next_pin_[section]);
  }
  // Bottom and top of the lowest pin at or above the height; kNoWall if there is none.
  [[nodiscard]] std::int64_t ceiling(std::int32_t section) const {
    return HasPin(section) ? instance_->pins[next_pin_[section]].lower : kNoWall;
  }
  [[nodiscard]] std::int64_t pin_top(std::int32_t section) const {
    return HasPin(section) ? instance_->pins[next_pin_[section]].upper : kNoWall;
  }

  // Units.
  [[nodiscard]] bool placed(std::int32_t u) const { return placed_[u] != 0; }
  // Of a placed unit.
  [[nodiscard]] std::int64_t offset(std::int32_t u) const { return offset_[u]; }
  // Least end of the unplaced units that begin at section `s`; greatest begin of those that end at `s`.
  [[nodiscard]] std::int64_t nearest_end(std::int32_t s) const { return nearest_end_[s]; }
  [[nodiscard]] std::int64_t nearest_begin(std::int32_t s) const { return nearest_begin_[s]; }

  // Places `u` on the valley that starts at `l`. REQUIRES: it fits there.
  // Returns the start of the segment that then contains the unit's first section.
  std::int32_t Place(std::int32_t l, std::int32_t u);
  // Places `u` at `offset` above everything that will be placed in its sections.
  void PlaceOnTop(std::int32_t u, std::int64_t offset);
  // Declares the sections [begin, end) of the valley that starts at `l` waste up to `to`.
  // Returns the start of the segment that then contains `begin`.
  std::int32_t Waste(std::int32_t l, std::int32_t begin, std::int32_t end, std::int64_t to);
  // Makes `boundary` a border. REQUIRES: nothing crosses it; a segment starts at `from` <= boundary.
  void AddBorder(std::int32_t boundary, std::int32_t from);
  // What was last said of the segment that starts at `l`; kNoRank if it is no valley. Kept here for the
  // trail.
  static constexpr std::int64_t kNoRank = -1;
  [[nodiscard]] std::int64_t rank(std::int32_t l) const { return rank_[l]; }
  void SetRank(std::int32_t l, std::int64_t rank);
  // Valleys that have a rank, 64 boundaries a word.
  [[nodiscard]] std::uint64_t ranked_word(std::int32_t word) const {
    return static_cast<std::uint64_t>(ranked_[word]);
  }

  [[nodiscard]] std::size_t mark() const { return trail_.size(); }
  void BacktrackTo(std::size_t mark);

  // Whether the invariants hold; for tests and debug builds. Cost: O(sections x units).
  [[nodiscard]] bool CheckInvariants() const;

 private:
  struct Saved {
    std::int64_t* cell;
    std::int64_t value;
  };

  static std::int32_t Narrow(std::int64_t value) { return static_cast<std::int32_t>(value); }
  [[nodiscard]] bool HasPin(std::int32_t section) const {
    return next_pin_[section] < instance_->pin_at[section + 1];
  }
  void Set(std::int64_t& cell, std::int64_t value) {
    trail_.push_back({&cell, cell});
    cell = value;
  }
  std::int32_t AbsorbPins(std::int32_t begin, std::int32_t end, std::int32_t from);
  void Remove(std::int32_t u);
  std::int32_t Raise(std::int32_t l, std::int32_t begin, std::int32_t end, std::int64_t to);

  // Immutable after construction.
  const CornerInstance* instance_;
  std::int64_t capacity_;

  // Search state, restored by the trail: views of `cells_`.
  std::vector<std::int64_t> cells_;
  std::int64_t* height_;         // by start of segment
  std::int64_t* segment_end_;    // by start of segment
  std::int64_t* segment_begin_;  // by end of segment
  std::int64_t* rank_;           // by start of segment
  std::int64_t* ranked_;         // bits
  std::int64_t* border_;         // by boundary
  std::int64_t* crossing_;       // by boundary
  std::int64_t* ground_;         // by section
  std::int64_t* slack_;          // by section
  std::int64_t* next_pin_;       // by section
  std::int64_t* nearest_end_;    // by section
  std::int64_t* nearest_begin_;  // by boundary
  std::int64_t* placed_;         // by unit
  std::vector<std::int64_t> offset_;
  std::vector<Saved> trail_;
};

}  // namespace telamalloc

#endif  // TELAMALLOC_SEARCH_EXACT_SKYLINE_H_

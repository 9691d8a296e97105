// Sections keep their occupied intervals in flat sorted slots, one per live piece, so a placement shifts a
// few entries and allocates nothing. Placements are undone in reverse, so the occupied slots need no log:
// only the raised lower offsets are trailed.
//
// LowestFree walks the sections of the unit's pieces round and round, lifting the candidate over whatever it
// hits, until one whole round hits nothing. The offset only grows and each lift passes one occupied interval,
// so it ends; it stops early above the capacity.
#include "search/placement.h"

#include <algorithm>
#include <cassert>

#include "search/strategy.h"

namespace telamalloc {

Placement::Placement(const SearchInstance& instance, std::int64_t capacity)
    : instance_(&instance),
      capacity_(capacity),
      offset_(instance.units.size(), kNoOffset),
      lowest_offset_(instance.units.size(), 0),
      occupied_(instance.live.size()),
      occupied_count_(instance.section_count(), 0),
      unplaced_bytes_(instance.contention),
      unplaced_count_(instance.unit_count()) {
  levels_.reserve(instance.units.size());
}

std::optional<std::int64_t> Placement::LowestFree(std::int32_t unit, std::int64_t from) const {
  const SearchUnit& u = instance_->units[unit];
  const std::int64_t highest = capacity_ - u.size;
  std::optional<std::int64_t> offset = AlignUp(from, u.alignment);
  bool lifted = true;
  while (lifted) {
    lifted = false;
    for (const SearchPiece& piece : instance_->pieces_of(u)) {
      for (std::int32_t s = piece.section_begin; s < piece.section_end; ++s) {
        if (!offset || *offset > highest) return std::nullopt;
        const auto taken = occupied(s);
        auto it = std::ranges::upper_bound(taken, *offset + piece.lower, {}, &Occupied::upper);
        while (it != taken.end() && it->lower < *offset + piece.upper) {
          offset = AlignUp(it->upper - piece.lower, u.alignment);
          if (!offset || *offset > highest) return std::nullopt;
          lifted = true;
          ++it;
          while (it != taken.end() && it->upper <= *offset + piece.lower) ++it;
        }
      }
    }
  }
  if (!offset || *offset > highest) return std::nullopt;
  return offset;
}

void Placement::Insert(std::int32_t section, const Occupied& occupied) {
  Occupied* const begin = occupied_.data() + instance_->live_begin[section];
  Occupied* const end = begin + occupied_count_[section];
  Occupied* const at = std::upper_bound(
      begin, end, occupied.lower, [](std::int64_t lower, const Occupied& o) { return lower < o.lower; });
  std::move_backward(at, end, end + 1);
  *at = occupied;
  ++occupied_count_[section];
}

void Placement::Remove(std::int32_t section, std::int64_t lower) {
  Occupied* const begin = occupied_.data() + instance_->live_begin[section];
  Occupied* const end = begin + occupied_count_[section];
  Occupied* const at = std::lower_bound(
      begin, end, lower, [](const Occupied& o, std::int64_t value) { return o.lower < value; });
  assert(at != end && at->lower == lower);
  std::move(at + 1, end, at);
  --occupied_count_[section];
}

void Placement::Place(std::int32_t unit, std::int64_t offset) {
  assert(!placed(unit));
  levels_.push_back({.unit = unit, .trail_size = static_cast<std::int32_t>(trail_.size())});
  offset_[unit] = offset;
  --unplaced_count_;
  for (const SearchPiece& piece : instance_->pieces_of(instance_->units[unit])) {
    for (std::int32_t s = piece.section_begin; s < piece.section_end; ++s) {
      Insert(s, {.lower = offset + piece.lower, .upper = offset + piece.upper, .unit = unit});
      unplaced_bytes_[s] -= piece.upper - piece.lower;
    }
  }
}

void Placement::RaiseLowest(std::int32_t unit, std::int64_t offset) {
  assert(offset >= lowest_offset_[unit]);
  trail_.push_back({.unit = unit, .lowest_offset = lowest_offset_[unit]});
  lowest_offset_[unit] = offset;
}

void Placement::BacktrackTo(std::int32_t level) {
  while (this->level() > level) {
    const Level undone = levels_.back();
    levels_.pop_back();
    while (static_cast<std::int32_t>(trail_.size()) > undone.trail_size) {
      lowest_offset_[trail_.back().unit] = trail_.back().lowest_offset;
      trail_.pop_back();
    }
    const std::int64_t offset = offset_[undone.unit];
    for (const SearchPiece& piece : instance_->pieces_of(instance_->units[undone.unit])) {
      for (std::int32_t s = piece.section_begin; s < piece.section_end; ++s) {
        Remove(s, offset + piece.lower);
        unplaced_bytes_[s] += piece.upper - piece.lower;
      }
    }
    offset_[undone.unit] = kNoOffset;
    ++unplaced_count_;
  }
}

bool Placement::CheckInvariants() const {
  for (std::int32_t s = 0; s < instance_->section_count(); ++s) {
    std::int64_t bytes = 0;
    std::int64_t top = 0;
    for (const Occupied& taken : occupied(s)) {
      if (taken.lower < top || taken.upper > capacity_ || !placed(taken.unit)) return false;
      top = taken.upper;
      bytes += taken.upper - taken.lower;
    }
    if (bytes + unplaced_bytes_[s] != instance_->contention[s]) return false;
  }
  for (std::int32_t u = 0; u < instance_->unit_count(); ++u) {
    if (placed(u)) continue;
    const std::optional<std::int64_t> lowest = LowestFree(u, 0);
    if (lowest && *lowest < lowest_offset_[u]) return false;
  }
  return true;
}

}  // namespace telamalloc

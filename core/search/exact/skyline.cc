// Raising sections [begin, end) of a segment cuts it in up to three and joins the middle with a neighbour
// that has the new height already; nothing else of the skyline changes, so a step costs what it touches.
#include "search/exact/skyline.h"

#include <algorithm>
#include <array>

namespace telamalloc {

Skyline::Skyline(const CornerInstance& instance, std::int64_t capacity)
    : instance_(&instance), capacity_(capacity) {
  const std::int32_t sections = instance.section_count;
  const std::size_t stride = static_cast<std::size_t>(sections) + 1;
  const std::array<std::int64_t**, 12> arrays = {&height_, &segment_end_, &segment_begin_, &rank_,
                                                 &ranked_, &border_,      &crossing_,      &ground_,
                                                 &slack_,  &next_pin_,    &nearest_end_,   &nearest_begin_};
  cells_.assign(arrays.size() * stride + instance.units.size(), 0);
  for (std::size_t a = 0; a < arrays.size(); ++a) *arrays[a] = &cells_[a * stride];
  placed_ = cells_.data() + arrays.size() * stride;
  offset_.assign(instance.units.size(), kNoOffset);

  segment_end_[0] = sections;
  border_[0] = 1;
  border_[sections] = 1;
  std::fill_n(rank_, stride, kNoRank);
  std::fill_n(nearest_end_, stride, kNoWall);
  std::fill_n(nearest_begin_, stride, -1);
  for (std::int32_t s = 0; s < sections; ++s) {
    slack_[s] = capacity - instance.load[s];
    next_pin_[s] = instance.pin_at[s];
  }
  for (const CornerUnit& unit : instance.units) {
    nearest_end_[unit.begin] = std::min<std::int64_t>(nearest_end_[unit.begin], unit.end);
    nearest_begin_[unit.end] = std::max<std::int64_t>(nearest_begin_[unit.end], unit.begin);
    for (std::int32_t s = unit.begin + 1; s < unit.end; ++s) ++crossing_[s];
  }
  AbsorbPins(0, sections, 0);
  trail_.clear();
}

std::int32_t Skyline::Place(std::int32_t l, std::int32_t u) {
  const CornerUnit& unit = instance_->units[u];
  offset_[u] = height_[l];
  const std::int64_t top = height_[l] + unit.size;
  for (std::int32_t s = unit.begin; s < unit.end; ++s) Set(ground_[s], top);
  Remove(u);
  return AbsorbPins(unit.begin, unit.end, Raise(l, unit.begin, unit.end, top));
}

void Skyline::PlaceOnTop(std::int32_t u, std::int64_t offset) {
  offset_[u] = offset;
  Remove(u);
}

std::int32_t Skyline::Waste(std::int32_t l, std::int32_t begin, std::int32_t end, std::int64_t to) {
  const std::int64_t lost = to - height_[l];
  for (std::int32_t s = begin; s < end; ++s) Set(slack_[s], slack_[s] - lost);
  return AbsorbPins(begin, end, Raise(l, begin, end, to));
}

void Skyline::AddBorder(std::int32_t boundary, std::int32_t from) {
  if (border_[boundary] != 0) return;
  Set(border_[boundary], 1);
  const std::int32_t l = SegmentAt(boundary, from);
  if (l == boundary) return;
  const std::int64_t r = segment_end_[l];
  SetRank(l, kNoRank);
  Set(segment_end_[l], boundary);
  Set(segment_begin_[boundary], l);
  Set(segment_end_[boundary], r);
  Set(segment_begin_[r], boundary);
  Set(height_[boundary], height_[l]);
}

// Swallows the pins that the sections [begin, end) have reached; a segment starts at `start` <= begin.
// Returns the start of the segment that then contains `begin`.
std::int32_t Skyline::AbsorbPins(std::int32_t begin, std::int32_t end, std::int32_t start) {
  if (instance_->pins.empty()) return start;
  std::int32_t l = start;
  for (std::int32_t s = begin; s < end;) {
    l = SegmentAt(s, l);
    if (ceiling(s) != height_[l]) {
      ++s;
      continue;
    }
    const std::int64_t top = pin_top(s);
    const std::int32_t last = std::min(end, Narrow(segment_end_[l]));
    std::int32_t run = s;
    for (; run < last && ceiling(run) == height_[l] && pin_top(run) == top; ++run) {
      Set(ground_[run], top);
      Set(next_pin_[run], next_pin_[run] + 1);
    }
    l = Raise(l, s, run, top);  // section s is looked at again: pins may stand on each other
    if (s == begin) start = l;
  }
  return start;
}

void Skyline::SetRank(std::int32_t l, std::int64_t rank) {
  if (rank_[l] == rank) return;
  Set(rank_[l], rank);
  const std::uint64_t bit = std::uint64_t{1} << (l & 63);
  const auto old = static_cast<std::uint64_t>(ranked_[l >> 6]);
  const std::uint64_t bits = rank == kNoRank ? old & ~bit : old | bit;
  if (bits != old) Set(ranked_[l >> 6], static_cast<std::int64_t>(bits));
}

void Skyline::BacktrackTo(std::size_t mark) {
  while (trail_.size() > mark) {
    *trail_.back().cell = trail_.back().value;
    trail_.pop_back();
  }
}

void Skyline::Remove(std::int32_t u) {
  const CornerUnit& unit = instance_->units[u];
  Set(placed_[u], 1);
  std::int64_t end = kNoWall;
  for (std::int32_t v = instance_->first_at[unit.begin]; v < instance_->first_at[unit.begin + 1]; ++v) {
    if (placed_[v] != 0) continue;
    end = instance_->units[v].end;  // the nearest comes first
    break;
  }
  if (end != nearest_end_[unit.begin]) Set(nearest_end_[unit.begin], end);
  std::int64_t begin = -1;
  for (const std::int32_t v : instance_->ending_at(unit.end)) {
    if (placed_[v] == 0) begin = instance_->units[v].begin;  // the nearest comes last
  }
  if (begin != nearest_begin_[unit.end]) Set(nearest_begin_[unit.end], begin);
  for (std::int32_t s = unit.begin + 1; s < unit.end; ++s) Set(crossing_[s], crossing_[s] - 1);
}

// Returns the start of the segment that contains `begin` then.
std::int32_t Skyline::Raise(std::int32_t l, std::int32_t begin, std::int32_t end, std::int64_t to) {
  const std::int32_t r = Narrow(segment_end_[l]);
  const std::int64_t from = height_[l];
  if (begin > l) {
    Set(segment_end_[l], begin);
    Set(segment_begin_[begin], l);
  }
  if (end < r) {
    Set(height_[end], from);
    Set(segment_end_[end], r);
    Set(segment_begin_[r], end);
  }
  std::int32_t first = begin;
  std::int32_t last = end;
  if (begin == l && left_wall(l) == to) {
    SetRank(l, kNoRank);
    first = Narrow(segment_begin_[l]);
  }
  if (end == r && right_wall(r) == to) {
    SetRank(r, kNoRank);
    last = Narrow(segment_end_[r]);
  }
  Set(segment_end_[first], last);
  Set(segment_begin_[last], first);
  Set(height_[first], to);
  return first;
}

bool Skyline::CheckInvariants() const {
  const std::int32_t sections = instance_->section_count;
  for (std::int32_t l = 0; l < sections; l = segment_end(l)) {
    if (segment_end(l) <= l || segment_before(segment_end(l)) != l) return false;
    if (left_wall(l) == height(l)) return false;
    for (std::int32_t s = l; s < segment_end(l); ++s) {
      std::int64_t left = 0;
      for (std::int32_t u = 0; u < instance_->unit_count(); ++u) {
        const CornerUnit& unit = instance_->units[u];
        const bool above = !placed(u) || offset(u) >= height(l);
        if (above && unit.begin <= s && s < unit.end) left += unit.size;
      }
      for (std::int64_t p = next_pin_[s]; p < instance_->pin_at[s + 1]; ++p) {
        left += instance_->pins[p].upper - instance_->pins[p].lower;
      }
      if (slack(s) < 0 || ground(s) > height(l) || height(l) >= ceiling(s)) return false;
      if (slack(s) != capacity_ - height(l) - left) return false;
    }
  }
  return true;
}

}  // namespace telamalloc

// Why waste may be raised to `to` at once. Let the corner's cell be empty, and [begin, end) the sections up
// to the next one where a unit could rest on the floor. A unit that covers part of them below `to` lies
// inside the valley (it would have to be as high as a wall otherwise), and rests on real ground: on the
// floor, which only units beginning (for the right corner: ending) elsewhere do; at the next multiple of its
// alignment above the floor; on a pin of the valley; or, directly or not, on a unit that rests on the floor
// outside [begin, end). `to` is the least of all these levels.
//
// A hole that an unplaced unit fits into is never left: moving the unit down into it gives a placement that
// is no worse, and the sum of offsets falls, so a placement of least sum has no such hole. The same sum falls
// when a unit is pushed down, so both rules hold in one placement.
#include "search/exact/corners.h"

#include <algorithm>
#include <limits>

namespace telamalloc {
namespace {

constexpr std::int32_t kNowhere = std::numeric_limits<std::int32_t>::max();

std::int64_t RoundUp(std::int64_t offset, std::int64_t alignment) {
  const std::int64_t rest = alignment == 1 ? 0 : offset % alignment;
  if (rest == 0) return offset;
  const std::int64_t add = alignment - rest;
  return offset > kNoWall - add ? kNoWall : offset + add;
}

}  // namespace

Corners::Corners(const Skyline& skyline, const ExactRules& rules)
    : skyline_(&skyline),
      instance_(&skyline.instance()),
      rules_(rules),
      plain_(instance_->plain),
      next_real_(instance_->section_count, 0) {}

bool Corners::IsValley(std::int32_t l) const {
  const std::int64_t height = skyline_->height(l);
  return skyline_->left_wall(l) > height && skyline_->right_wall(skyline_->segment_end(l)) > height;
}

CornerRank Corners::Rank(std::int32_t l) {
  const Valley valley = Look(l);
  CornerRank best{.options = kNowhere};
  for (const Side side : {Side::kLeft, Side::kRight}) {
    std::int32_t options = 0;
    ForEachInCorner(valley, side, [&](std::int32_t) { ++options; });
    if (options < best.options && Waste(valley, side).allowed) ++options;
    if (options < best.options) best = {.options = options, .side = side};
    if (options == 0) break;
  }
  return best;
}

WasteOption Corners::List(std::int32_t l, Side side, std::vector<std::int32_t>& units) {
  const Valley valley = Look(l);
  ForEachInCorner(valley, side, [&](std::int32_t u) { units.push_back(u); });
  return Waste(valley, side);
}

Corners::Valley Corners::Look(std::int32_t l) {
  const std::int32_t r = skyline_->segment_end(l);
  const Valley valley = {.l = l,
                         .r = r,
                         .floor = skyline_->height(l),
                         .lower_wall = std::min(skyline_->left_wall(l), skyline_->right_wall(r))};
  std::int32_t next = kNowhere;
  for (std::int32_t s = r - 1; s >= l; --s) {
    if (skyline_->ground(s) == valley.floor) next = s;
    next_real_[s] = next;
  }
  return valley;
}

bool Corners::Inside(const Valley& valley, std::int32_t u) const {
  const CornerUnit& unit = instance_->units[u];
  return !skyline_->placed(u) && unit.begin >= valley.l && unit.end <= valley.r;
}

// REQUIRES: `unit` lies inside the valley.
bool Corners::Rests(const Valley& valley, const CornerUnit& unit) const {
  if (plain_) return !rules_.real_ground || next_real_[unit.begin] < unit.end;
  if (valley.floor % unit.alignment != 0) return false;
  std::int64_t ground = 0;
  for (std::int32_t s = unit.begin; s < unit.end; ++s) {
    if (skyline_->ceiling(s) - valley.floor < unit.size) return false;
    ground = std::max(ground, skyline_->ground(s));
  }
  return !rules_.real_ground || valley.floor - ground < unit.alignment;
}

template <typename Visit>
void Corners::ForEachInCorner(const Valley& valley, Side side, Visit visit) const {
  const CornerUnit* last = nullptr;
  const auto offer = [&](std::int32_t u) {
    const CornerUnit& unit = instance_->units[u];
    if (!Inside(valley, u) || (last != nullptr && last->AlikeTo(unit)) || !Rests(valley, unit)) return;
    last = &unit;
    visit(u);
  };
  if (side == Side::kLeft) {
    for (std::int32_t u = instance_->first_at[valley.l]; u < instance_->first_at[valley.l + 1]; ++u) offer(u);
  } else {
    for (const std::int32_t u : instance_->ending_at(valley.r)) offer(u);
  }
}

// Whether a unit that begins (right: ends) at `boundary` could rest on the floor.
bool Corners::RestsAt(const Valley& valley, Side side, std::int32_t boundary) const {
  const auto rests = [&](std::int32_t u) { return Inside(valley, u) && Rests(valley, instance_->units[u]); };
  if (side == Side::kRight) {
    return skyline_->nearest_begin(boundary) >= valley.l &&
           std::ranges::any_of(instance_->ending_at(boundary), rests);
  }
  if (skyline_->nearest_end(boundary) > valley.r) return false;
  for (std::int32_t u = instance_->first_at[boundary]; u < instance_->first_at[boundary + 1]; ++u) {
    if (rests(u)) return true;
  }
  return false;
}

WasteOption Corners::Waste(const Valley& valley, Side side) const {
  WasteOption waste = {.begin = valley.l, .end = valley.r};
  const std::int32_t step = side == Side::kLeft ? 1 : -1;
  std::int32_t s = side == Side::kLeft ? valley.l : valley.r - 1;
  std::int64_t slack = skyline_->slack(s);
  if (slack == 0) return waste;
  for (std::int32_t width = valley.r - valley.l; width > 1; --width) {
    const std::int32_t boundary = side == Side::kLeft ? s + 1 : s;
    if (RestsAt(valley, side, boundary)) {
      (side == Side::kLeft ? waste.end : waste.begin) = boundary;
      break;
    }
    s += step;
    slack = std::min(slack, skyline_->slack(s));
  }
  waste.to = valley.lower_wall;
  if (CouldBeCovered(valley, side, waste)) {
    waste.to = std::min(waste.to, LowestRest(valley, side, waste));
    if (!plain_) waste.to = std::min(waste.to, LowestAligned(valley));
  } else if (waste.to == kNoWall) {
    waste.to = valley.floor + slack;  // nothing is left here: only while components are not told apart
  }
  if (!plain_) waste.to = std::min(waste.to, LowestPin(valley, waste));
  waste.allowed = waste.to != kNoWall && waste.to - valley.floor <= slack &&
                  !(rules_.holes && LeavesUsableHole(valley, waste));
  return waste;
}

// Whether a unit inside the valley overlaps the waste in time.
bool Corners::CouldBeCovered(const Valley& valley, Side side, const WasteOption& waste) const {
  for (std::int32_t s = waste.begin; s < waste.end; ++s) {
    if (side == Side::kLeft ? skyline_->nearest_end(s) <= valley.r
                            : skyline_->nearest_begin(s + 1) >= valley.l) {
      return true;
    }
  }
  return false;
}

// Lowest top of a unit that rests on the floor beside the waste; kNoWall if nothing could rest on it there.
std::int64_t Corners::LowestRest(const Valley& valley, Side side, const WasteOption& waste) const {
  std::int64_t least = kNoWall;
  const std::int32_t begin = side == Side::kLeft ? waste.end : valley.l;
  const std::int32_t end = side == Side::kLeft ? valley.r : waste.begin;
  for (std::int32_t s = begin; s < end; ++s) {
    if (skyline_->nearest_end(s) > end) continue;
    for (std::int32_t u = instance_->first_at[s]; u < instance_->first_at[s + 1]; ++u) {
      const CornerUnit& unit = instance_->units[u];
      if (unit.end > end) break;  // ordered by end
      if (unit.size < least && !skyline_->placed(u) && Rests(valley, unit)) least = unit.size;
    }
  }
  return least == kNoWall ? kNoWall : valley.floor + least;
}

std::int64_t Corners::LowestAligned(const Valley& valley) const {
  std::int64_t lowest = kNoWall;
  for (std::int32_t u = instance_->first_at[valley.l]; u < instance_->first_at[valley.r]; ++u) {
    if (!Inside(valley, u)) continue;
    const std::int64_t aligned = RoundUp(valley.floor, instance_->units[u].alignment);
    if (aligned > valley.floor) lowest = std::min(lowest, aligned);
  }
  return lowest;
}

std::int64_t Corners::LowestPin(const Valley& valley, const WasteOption& waste) const {
  std::int64_t lowest = kNoWall;
  for (std::int32_t s = valley.l; s < valley.r; ++s) lowest = std::min(lowest, skyline_->pin_top(s));
  for (std::int32_t s = waste.begin; s < waste.end; ++s) lowest = std::min(lowest, skyline_->ceiling(s));
  return lowest;
}

// Whether the waste, with the waste beneath and beside it, would leave room for an unplaced unit.
bool Corners::LeavesUsableHole(const Valley& valley, const WasteOption& waste) const {
  const auto hollow = [&](std::int32_t s) { return skyline_->ground(s) < valley.floor; };
  std::int32_t begin = waste.begin;
  std::int32_t end = waste.end;
  while (begin > valley.l && hollow(begin - 1)) --begin;
  while (end < valley.r && hollow(end)) ++end;
  for (std::int32_t s = begin; s < waste.end; ++s) {
    if (skyline_->nearest_end(s) > end) continue;
    for (std::int32_t u = instance_->first_at[s]; u < instance_->first_at[s + 1]; ++u) {
      const CornerUnit& unit = instance_->units[u];
      if (unit.end > end) break;  // ordered by end
      if (!skyline_->placed(u) && unit.end > waste.begin && FitsHole(valley, waste, unit)) return true;
    }
  }
  return false;
}

bool Corners::FitsHole(const Valley& valley, const WasteOption& waste, const CornerUnit& unit) const {
  std::int64_t bottom = 0;
  std::int64_t top = waste.to;
  for (std::int32_t s = unit.begin; s < unit.end; ++s) {
    bottom = std::max(bottom, skyline_->ground(s));
    if (s < waste.begin || s >= waste.end) top = valley.floor;
  }
  return top - RoundUp(bottom, unit.alignment) >= unit.size;
}

}  // namespace telamalloc

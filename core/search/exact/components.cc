#include "search/exact/components.h"

#include <algorithm>

namespace telamalloc {

void Components::Start(std::int64_t capacity) {
  components_.clear();
  current_ = -1;
  waiting_ = -1;
  Component whole;
  whole.end = skyline_->instance().section_count;
  whole.capacity = capacity;
  Settle(whole);
}

bool Components::TakeNext() {
  if (waiting_ < 0) return false;
  current_ = waiting_;
  waiting_ = components_[current_].next;
  return true;
}

bool Components::StillWhole(std::int32_t begin, std::int32_t end) const {
  const Component& whole = current();
  if (!rules_.components || whole.end - whole.begin == 1) return AnyUnplaced(whole);
  for (std::int32_t s = begin + 1; s < end; ++s) {
    if (skyline_->crossing(s) == 0) return false;
  }
  return true;
}

bool Components::AnyUnplaced(const Component& component) const {
  for (std::int32_t s = component.begin; s < component.end; ++s) {
    if (skyline_->nearest_end(s) != kNoWall) return true;
  }
  return false;
}

void Components::Split(std::int32_t creator) {
  Component whole = current();
  whole.creator = creator;
  current_ = -1;
  Settle(whole);
}

void Components::BacktrackTo(const Mark& mark) {
  components_.resize(mark.count);
  current_ = mark.current;
  waiting_ = mark.waiting;
}

void Components::Settle(const Component& whole) {
  parts_.clear();
  work_.assign(1, whole);
  while (!work_.empty()) {
    Component component = work_.back();
    work_.pop_back();
    if (rules_.spanning && skyline_->instance().plain) PutSpanningOnTop(component);
    CutUp(component);
  }
  std::ranges::sort(parts_, std::ranges::greater{}, [&](std::int32_t c) { return components_[c].units; });
  for (const std::int32_t c : parts_) {
    components_[c].next = waiting_;
    waiting_ = c;
  }
  TakeNext();  // the one with the fewest units
}

void Components::PutSpanningOnTop(Component& component) {
  const CornerInstance& instance = skyline_->instance();
  for (std::int32_t u = instance.first_at[component.begin + 1] - 1; u >= instance.first_at[component.begin];
       --u) {
    if (instance.units[u].end < component.end) break;  // ordered by end
    if (skyline_->placed(u)) continue;
    component.capacity -= instance.units[u].size;
    skyline_->PlaceOnTop(u, component.capacity);
    component.borders.Add(bits_->Range(component.begin, component.begin + 1));
    component.borders.Add(bits_->Range(component.end - 1, component.end));
  }
}

// Parts of more than one piece go back to work: their own spanning units show only now.
void Components::CutUp(const Component& component) {
  std::int32_t begin = component.begin;
  for (std::int32_t s = component.begin + 1; s <= component.end; ++s) {
    if (s < component.end && (skyline_->crossing(s) != 0 || !rules_.components)) continue;
    std::int32_t units = 0;
    const CornerInstance& instance = skyline_->instance();
    for (std::int32_t u = instance.first_at[begin]; u < instance.first_at[s]; ++u) {
      units += skyline_->placed(u) ? 0 : 1;
    }
    const bool whole = begin == component.begin && s == component.end;
    if (s < component.end) skyline_->AddBorder(s, component.begin);
    if (units > 0) {
      Component part = component;
      part.begin = begin;
      part.end = s;
      part.units = units;
      if (whole) {
        parts_.push_back(static_cast<std::int32_t>(components_.size()));
        components_.push_back(part);
      } else {
        work_.push_back(part);
      }
    }
    begin = s;
  }
}

}  // namespace telamalloc

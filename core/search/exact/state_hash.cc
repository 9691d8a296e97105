#include "search/exact/state_hash.h"

#include "search/exact/random.h"

namespace telamalloc {

StateHash::StateHash(const Skyline& skyline) : skyline_(&skyline) {
  SplitMix random(0x7E1A3A110C);
  const CornerInstance& instance = skyline.instance();
  height_sums_.push_back(0);
  for (std::int32_t s = 0; s < instance.section_count; ++s) {
    height_sums_.push_back(height_sums_.back() + random.Next());
    ground_.push_back(random.Next());
  }
  for (std::int32_t u = 0; u < instance.unit_count(); ++u) unit_.push_back(random.Next());
}

std::uint64_t StateHash::Key(const Component& component) const {
  const std::uint64_t place = (static_cast<std::uint64_t>(component.begin) << 32) | component.end;
  std::uint64_t key = (value_ ^ place) * 0x9E3779B97F4A7C15U;
  key ^= key >> 32;
  return key == 0 ? 1 : key;  // an empty slot of the table has 0
}

void StateHash::Compute(const Component& component) {
  value_ = 0;
  for (std::int32_t l = component.begin; l < component.end; l = skyline_->segment_end(l)) {
    const std::int32_t r = skyline_->segment_end(l);
    const auto room = static_cast<std::uint64_t>(component.capacity - skyline_->height(l));
    value_ += room * (height_sums_[r] - height_sums_[l]);
    for (std::int32_t s = l; s < r; ++s) {
      value_ += static_cast<std::uint64_t>(component.capacity - skyline_->ground(s)) * ground_[s];
    }
  }
  const CornerInstance& instance = skyline_->instance();
  for (std::int32_t u = instance.first_at[component.begin]; u < instance.first_at[component.end]; ++u) {
    if (!skyline_->placed(u)) value_ += unit_[u];
  }
}

void StateHash::Place(std::int32_t u, std::int64_t floor) {
  const CornerUnit& unit = skyline_->instance().units[u];
  const std::int64_t top = floor + unit.size;
  value_ -= static_cast<std::uint64_t>(unit.size) * (height_sums_[unit.end] - height_sums_[unit.begin]);
  for (std::int32_t s = unit.begin; s < unit.end; ++s) {
    value_ -= static_cast<std::uint64_t>(top - skyline_->ground(s)) * ground_[s];
  }
  value_ -= unit_[u];
}

void StateHash::Waste(std::int32_t begin, std::int32_t end, std::int64_t bytes) {
  value_ -= static_cast<std::uint64_t>(bytes) * (height_sums_[end] - height_sums_[begin]);
}

}  // namespace telamalloc

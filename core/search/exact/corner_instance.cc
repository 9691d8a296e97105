#include "search/exact/corner_instance.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

namespace telamalloc {
namespace {

bool IsRectangle(const SearchInstance& instance, const SearchUnit& unit) {
  const auto pieces = instance.pieces_of(unit);
  return pieces.size() == 1 && pieces[0].lower == 0 && pieces[0].upper == unit.size;
}

void IndexUnits(CornerInstance& corner) {
  const std::int32_t sections = corner.section_count;
  corner.first_at.assign(sections + 2, 0);
  corner.last_at.assign(sections + 2, 0);
  for (const CornerUnit& unit : corner.units) {
    ++corner.first_at[unit.begin + 1];
    ++corner.last_at[unit.end + 1];
  }
  std::partial_sum(corner.first_at.begin(), corner.first_at.end(), corner.first_at.begin());
  std::partial_sum(corner.last_at.begin(), corner.last_at.end(), corner.last_at.begin());
  corner.by_end.resize(corner.units.size());
  std::iota(corner.by_end.begin(), corner.by_end.end(), 0);
  // Among equal ends the order of units is by (begin, size, alignment) already.
  std::ranges::stable_sort(corner.by_end, {}, [&](std::int32_t u) { return corner.units[u].end; });
}

void IndexPins(CornerInstance& corner, std::vector<std::pair<std::int32_t, CornerPin>>& pins) {
  std::ranges::sort(pins, {}, [](const auto& pin) { return std::pair(pin.first, pin.second.lower); });
  corner.pin_at.assign(corner.section_count + 1, 0);
  for (const auto& [section, pin] : pins) {
    ++corner.pin_at[section + 1];
    corner.pins.push_back(pin);
  }
  std::partial_sum(corner.pin_at.begin(), corner.pin_at.end(), corner.pin_at.begin());
}

}  // namespace

bool AllRectangles(const SearchInstance& instance) {
  return std::ranges::all_of(instance.units,
                             [&](const SearchUnit& unit) { return IsRectangle(instance, unit); });
}

CornerInstance BuildCornerInstance(const SearchInstance& instance) {
  CornerInstance corner;
  corner.section_count = instance.section_count();
  corner.load = instance.contention;
  std::vector<std::pair<std::int32_t, CornerPin>> pins;
  for (std::int32_t u = 0; u < instance.unit_count(); ++u) {
    const SearchUnit& unit = instance.units[u];
    if (unit.fixed_offset != kNoOffset) {
      for (std::int32_t s = unit.section_begin; s < unit.section_end; ++s) {
        pins.emplace_back(s, CornerPin{unit.fixed_offset, unit.fixed_offset + unit.size});
      }
      continue;
    }
    corner.units.push_back({.begin = unit.section_begin,
                            .end = unit.section_end,
                            .size = unit.size,
                            .alignment = unit.alignment,
                            .lifetime = unit.lifetime,
                            .unit = u});
    if (unit.alignment != 1) corner.plain = false;
  }
  std::ranges::sort(corner.units, {}, [](const CornerUnit& unit) {
    return std::tuple(unit.begin, unit.end, unit.size, unit.alignment, unit.unit);
  });
  if (!pins.empty()) corner.plain = false;
  IndexUnits(corner);
  IndexPins(corner, pins);
  return corner;
}

}  // namespace telamalloc

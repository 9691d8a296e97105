//   contention      threshold 100 %: region A only          phase 0: what is live in A
//      |   A        threshold  90 %: A grows, B appears     phase 1: what joins in the grown A
//      |  +-+   B                                           phase 2: what is live in B
//      |  | |  +-+  ...                                     ... and so on down to 20 %
//      +--+-+--+-+----> sections
//
// Phases overlap in time: they are not the connected components of the overlap graph.
#include "timeline/phases.h"

#include <algorithm>
#include <cstddef>
#include <limits>

namespace telamalloc {
namespace {

__extension__ using Int128 = __int128;

constexpr std::int32_t kNoPhase = -1;
constexpr std::int32_t kNoRegion = std::numeric_limits<std::int32_t>::max();

// For each section of the partition: the first of its own and the later sections that is in a region, and the
// number of that region, left to right.
struct Regions {
  std::vector<std::int32_t> next_section;  // partition.section_end: none
  std::vector<std::int32_t> region;        // of next_section
  std::int32_t count = 0;
};

Regions FindRegions(const Timeline& timeline, const Partition& partition, Int128 hundredfold_threshold) {
  const std::int32_t sections = partition.section_end - partition.section_begin;
  const auto busy = [&](std::int32_t s) {
    return Int128{timeline.contention()[partition.section_begin + s]} * 100 >= hundredfold_threshold;
  };
  Regions regions;
  for (std::int32_t s = 0; s < sections; ++s) {
    if (busy(s) && (s == 0 || !busy(s - 1))) ++regions.count;
  }
  regions.next_section.resize(sections);
  regions.region.resize(sections);
  std::int32_t next_section = partition.section_end;
  std::int32_t region = regions.count;
  for (std::int32_t s = sections - 1; s >= 0; --s) {
    if (busy(s)) {
      if (s + 1 == sections || !busy(s + 1)) --region;
      next_section = partition.section_begin + s;
    }
    regions.next_section[s] = next_section;
    regions.region[s] = region;
  }
  return regions;
}

// The first region that a piece of `unit` is live in.
std::int32_t RegionOf(const Timeline& timeline, const Partition& partition, const Regions& regions,
                      const Unit& unit) {
  for (const Piece& piece : timeline.pieces_of(unit)) {  // by section_begin, so the first hit is the earliest
    const std::int32_t s = piece.section_begin - partition.section_begin;
    if (regions.next_section[s] < piece.section_end) return regions.region[s];
  }
  return kNoRegion;
}

}  // namespace

std::vector<std::int32_t> ComputePhases(const Timeline& timeline, const Partition& partition,
                                        std::int64_t capacity) {
  const auto units =
      timeline.units().subspan(partition.unit_begin, partition.unit_end - partition.unit_begin);
  std::vector<std::int32_t> phases(units.size(), kNoPhase);
  std::vector<std::int32_t> region_of_unit(units.size());
  std::vector<std::int32_t> phase_of_region;
  std::int32_t phase_count = 0;
  for (int percent = 100; percent >= 20; percent -= 10) {
    const Regions regions = FindRegions(timeline, partition, Int128{capacity} * percent);
    phase_of_region.assign(regions.count, kNoPhase);
    for (std::size_t u = 0; u < units.size(); ++u) {
      region_of_unit[u] =
          phases[u] == kNoPhase ? RegionOf(timeline, partition, regions, units[u]) : kNoRegion;
      if (region_of_unit[u] != kNoRegion) phase_of_region[region_of_unit[u]] = 0;
    }
    for (std::int32_t& phase : phase_of_region) {
      if (phase != kNoPhase) phase = phase_count++;
    }
    for (std::size_t u = 0; u < units.size(); ++u) {
      if (region_of_unit[u] != kNoRegion) phases[u] = phase_of_region[region_of_unit[u]];
    }
  }
  std::ranges::replace(phases, kNoPhase, phase_count);
  return phases;
}

}  // namespace telamalloc

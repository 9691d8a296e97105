// Which sections are kept: the last one before each end that follows a start. Its live set is maximal: going
// left only starts were passed, and what follows lacks the piece that ends.
//
//     aaaa          a starts, then b starts: the first section {a} is part of {a,b}: dropped
//       bbbb        a ends: {a,b} is kept; {b} is part of it: dropped
//           cc      c starts where b ends: {c} is kept
//
// For pieces that are intervals of time a set that is maximal among its neighbours is maximal among all, and
// every dropped section is contained in a kept one of the same pieces, so each piece keeps at least one.
#include "search/instance.h"

#include <algorithm>
#include <numeric>

#include "search/unit_measures.h"

namespace telamalloc {
namespace {

std::span<const Unit> UnitsOf(const Timeline& timeline, const Partition& partition) {
  return timeline.units().subspan(partition.unit_begin, partition.unit_end - partition.unit_begin);
}

// kept[s] = number of kept sections of the partition before its s-th one; one more entry than sections.
std::vector<std::int32_t> NumberKeptSections(const Timeline& timeline, const Partition& partition) {
  const std::int32_t sections = partition.section_end - partition.section_begin;
  std::vector<char> starts(sections + 1, 0);
  std::vector<char> ends(sections + 1, 0);
  for (const Unit& unit : UnitsOf(timeline, partition)) {
    for (const Piece& piece : timeline.pieces_of(unit)) {
      starts[piece.section_begin - partition.section_begin] = 1;
      ends[piece.section_end - partition.section_begin] = 1;
    }
  }
  std::vector<std::int32_t> kept(sections + 1, 0);
  bool started = false;  // since the last kept section
  for (std::int32_t s = 0; s < sections; ++s) {
    started = started || starts[s] != 0;
    const bool maximal = started && ends[s + 1] != 0;
    kept[s + 1] = kept[s] + (maximal ? 1 : 0);
    if (maximal) started = false;
  }
  return kept;
}

std::int64_t CommonDivisor(const Timeline& timeline, const Partition& partition) {
  std::int64_t divisor = 0;
  for (const Unit& unit : UnitsOf(timeline, partition)) {
    divisor = std::gcd(divisor, unit.size);
    if (unit.alignment > 1) divisor = std::gcd(divisor, unit.alignment);
    if (unit.fixed_offset > 0) divisor = std::gcd(divisor, unit.fixed_offset);
    for (const Piece& piece : timeline.pieces_of(unit)) {
      divisor = std::gcd(std::gcd(divisor, piece.lower), piece.upper);
    }
    if (divisor == 1) break;
  }
  return std::max<std::int64_t>(divisor, 1);
}

bool Alike(const SearchInstance& instance, const SearchUnit& a, const SearchUnit& b) {
  if (a.section_begin != b.section_begin || a.section_end != b.section_end || a.size != b.size ||
      a.alignment != b.alignment || a.fixed_offset != kNoOffset || b.fixed_offset != kNoOffset) {
    return false;
  }
  return std::ranges::equal(instance.pieces_of(a), instance.pieces_of(b),
                            [](const SearchPiece& x, const SearchPiece& y) {
                              return x.section_begin == y.section_begin && x.section_end == y.section_end &&
                                     x.lower == y.lower && x.upper == y.upper;
                            });
}

// Units come in canonical order, so those alike in lifetime and size stand together, up to hints and to
// lifetimes that differ only in dropped sections; those few may miss each other, which costs time only.
void FindAlike(SearchInstance& instance) {
  for (std::int32_t u = 0; u < instance.unit_count(); ++u) {
    SearchUnit& unit = instance.units[u];
    unit.alike = u;
    if (u > 0 && Alike(instance, instance.units[u - 1], unit)) unit.alike = instance.units[u - 1].alike;
  }
}

void FillLiveSets(SearchInstance& instance, std::int32_t sections) {
  instance.live_begin.assign(sections + 1, 0);
  instance.contention.assign(sections, 0);
  for (const SearchPiece& piece : instance.pieces) {
    for (std::int32_t s = piece.section_begin; s < piece.section_end; ++s) ++instance.live_begin[s + 1];
  }
  std::partial_sum(instance.live_begin.begin(), instance.live_begin.end(), instance.live_begin.begin());
  instance.live.resize(instance.live_begin.back());
  std::vector<std::int32_t> next(instance.live_begin.begin(), instance.live_begin.end() - 1);
  for (std::int32_t p = 0; p < static_cast<std::int32_t>(instance.pieces.size()); ++p) {
    const SearchPiece& piece = instance.pieces[p];
    for (std::int32_t s = piece.section_begin; s < piece.section_end; ++s) {
      instance.live[next[s]++] = p;
      instance.contention[s] += piece.upper - piece.lower;
    }
  }
}

}  // namespace

std::int64_t CountIncidences(const Timeline& timeline, const Partition& partition) {
  const std::vector<std::int32_t> kept = NumberKeptSections(timeline, partition);
  std::int64_t incidences = 0;
  for (const Unit& unit : UnitsOf(timeline, partition)) {
    for (const Piece& piece : timeline.pieces_of(unit)) {
      incidences += kept[piece.section_end - partition.section_begin] -
                    kept[piece.section_begin - partition.section_begin];
    }
  }
  return incidences;
}

SearchInstance BuildInstance(const Timeline& timeline, const Partition& partition) {
  SearchInstance instance;
  instance.scale = CommonDivisor(timeline, partition);
  const std::vector<std::int32_t> kept = NumberKeptSections(timeline, partition);
  const auto local = [&](std::int32_t section) { return kept[section - partition.section_begin]; };
  const std::int64_t scale = instance.scale;
  for (const Unit& unit : UnitsOf(timeline, partition)) {
    const auto u = static_cast<std::int32_t>(instance.units.size());
    SearchUnit out;
    out.section_begin = local(unit.section_begin);
    out.section_end = local(unit.section_end);
    out.piece_begin = static_cast<std::int32_t>(instance.pieces.size());
    for (const Piece& piece : timeline.pieces_of(unit)) {
      instance.pieces.push_back({.unit = u,
                                 .section_begin = local(piece.section_begin),
                                 .section_end = local(piece.section_end),
                                 .lower = piece.lower / scale,
                                 .upper = piece.upper / scale});
      if (piece.lower != 0) instance.flat_bottoms = false;
    }
    out.piece_end = static_cast<std::int32_t>(instance.pieces.size());
    out.size = unit.size / scale;
    out.alignment = unit.alignment == 1 ? 1 : unit.alignment / scale;
    out.fixed_offset = unit.fixed_offset == kNoOffset ? kNoOffset : unit.fixed_offset / scale;
    out.lifetime = LifetimeOf(timeline, unit);
    instance.units.push_back(out);
  }
  FindAlike(instance);
  FillLiveSets(instance, kept.back());
  return instance;
}

}  // namespace telamalloc

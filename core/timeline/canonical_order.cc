// Units are dealt into buckets by first section; most buckets hold a few. Within a bucket small records
// are sorted, which look at the units themselves only where section_end and size are equal and one of them is
// not plain.
#include "timeline/canonical_order.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <tuple>
#include <utility>

#include "timeline/timeline.h"
#include "timeline/within.h"

namespace telamalloc {
namespace {

std::int32_t TagOf(const Draft& draft, std::size_t u) {
  const Unit& unit = draft.units[u];
  const TickRect& rect = draft.rects[unit.piece_begin];
  const bool plain = unit.alignment == 1 && unit.fixed_offset == kNoOffset && unit.offset_hint == kNoOffset &&
                     unit.piece_end - unit.piece_begin == 1 && rect.lower == 0 && rect.upper == unit.size;
  return 2 * static_cast<std::int32_t>(u) + (plain ? 0 : 1);
}

class CanonicalLess {
 public:
  explicit CanonicalLess(const Draft& draft) : draft_(&draft) {}

  bool operator()(const OrderedUnit& a, const OrderedUnit& b) const {
    if (a.section_end != b.section_end) return a.section_end < b.section_end;
    if (a.size != b.size) return a.size < b.size;
    return a.plain() && b.plain() ? a.tag < b.tag : DetailsLess(a.draft_unit(), b.draft_unit());
  }

 private:
  [[nodiscard]] bool DetailsLess(std::int32_t a, std::int32_t b) const {
    const Unit& x = draft_->units[a];
    const Unit& y = draft_->units[b];
    const auto details = [](const Unit& u) { return std::tie(u.alignment, u.fixed_offset, u.offset_hint); };
    if (details(x) != details(y)) return details(x) < details(y);
    const auto rects = std::span(draft_->rects);
    const auto shape = [&](const Unit& u) {
      return rects.subspan(u.piece_begin, u.piece_end - u.piece_begin);
    };
    if (std::ranges::equal(shape(x), shape(y))) return a < b;
    return std::ranges::lexicographical_compare(shape(x), shape(y), RectLess);
  }

  static bool RectLess(const TickRect& p, const TickRect& q) {
    return std::tie(p.start, p.end, p.lower, p.upper) < std::tie(q.start, q.end, q.lower, q.upper);
  }

  const Draft* draft_;
};

// Fills `order` by first section alone. False: the budget stopped it.
bool DealIntoBuckets(const Draft& draft, CanonicalOrder& order, Budget& budget) {
  const std::vector<Unit>& units = draft.units;
  std::int32_t sections = 0;
  const bool scanned = ForEachWithin(budget, units.size(), 1, [&](std::size_t u) {
    sections = std::max(sections, units[u].section_begin + 1);
  });
  // First the number of units that begin in a section, then the place of the next one that does.
  std::vector<std::int32_t>& place = order.section_ends;
  return scanned && AssignWithin(budget, place, static_cast<std::size_t>(sections), std::int32_t{0}) &&
         ForEachWithin(budget, units.size(), 2, [&](std::size_t u) { ++place[units[u].section_begin]; }) &&
         ForEachWithin(
             budget, place.size(), 1,
             [&, sum = std::int32_t{0}](std::size_t s) mutable { sum += std::exchange(place[s], sum); }) &&
         AssignWithin(budget, order.units, units.size(), OrderedUnit{}) &&
         ForEachWithin(budget, units.size(), 2, [&](std::size_t u) {
           order.units[place[units[u].section_begin]++] = {
               .size = units[u].size, .section_end = units[u].section_end, .tag = TagOf(draft, u)};
         });
}

}  // namespace

std::optional<CanonicalOrder> OrderUnits(const Draft& draft, Budget& budget) {
  CanonicalOrder order;
  if (!DealIntoBuckets(draft, order, budget)) return std::nullopt;
  const CanonicalLess less(draft);
  std::int32_t begin = 0;
  for (const std::int32_t end : order.section_ends) {
    const std::span<OrderedUnit> bucket = std::span(order.units).subspan(begin, end - begin);
    if (!SortWithin(budget, bucket, less)) return std::nullopt;
    begin = end;
  }
  return order;
}

}  // namespace telamalloc

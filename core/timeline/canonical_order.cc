// Rows often come in the order wanted, which one pass finds out. Else units are dealt into buckets by first
// section; most buckets hold a few. Within a bucket small records are sorted, which look at the details of
// units only where section_end and size are equal and one of them has any.
#include "timeline/canonical_order.h"

#include <algorithm>
#include <span>
#include <tuple>
#include <utility>

#include "timeline/timeline.h"
#include "timeline/within.h"

namespace telamalloc {
namespace {

// Sets `record` to unit `u`, field by field: built elsewhere and copied it would take three times as long.
void Record(const Draft& draft, std::size_t u, OrderedUnit& record) {
  const DraftUnit& unit = draft.units[u];
  record.size = unit.size;
  record.section_begin = static_cast<std::int32_t>(unit.start);
  record.section_end = static_cast<std::int32_t>(unit.end);
  record.draft_unit = static_cast<std::int32_t>(u);
  record.details = unit.details;
}

// Units of one section that are not worth looking whether they are in order.
constexpr std::size_t kFew = 32;

class CanonicalLess {
 public:
  explicit CanonicalLess(const Draft& draft) : draft_(&draft) {}

  bool operator()(const OrderedUnit& a, const OrderedUnit& b) const {
    if (a.section_begin != b.section_begin) return a.section_begin < b.section_begin;
    if (a.section_end != b.section_end) return a.section_end < b.section_end;
    if (a.size != b.size) return a.size < b.size;
    const bool plain = a.details == kNoDetails && b.details == kNoDetails;
    return plain ? a.draft_unit < b.draft_unit : DetailsLess(a, b);
  }

 private:
  [[nodiscard]] bool DetailsLess(const OrderedUnit& a, const OrderedUnit& b) const {
    const UnitDetails x = DetailsOf(a);
    const UnitDetails y = DetailsOf(b);
    const auto values = [](const UnitDetails& u) {
      return std::tie(u.alignment, u.fixed_offset, u.offset_hint);
    };
    if (values(x) != values(y)) return values(x) < values(y);
    TickRect whole_a;
    TickRect whole_b;
    const std::span<const TickRect> shape_a = ShapeOf(a, x, whole_a);
    const std::span<const TickRect> shape_b = ShapeOf(b, y, whole_b);
    if (std::ranges::equal(shape_a, shape_b)) return a.draft_unit < b.draft_unit;
    return std::ranges::lexicographical_compare(shape_a, shape_b, RectLess);
  }

  [[nodiscard]] UnitDetails DetailsOf(const OrderedUnit& unit) const {
    return unit.details == kNoDetails ? UnitDetails{} : draft_->details[unit.details];
  }

  // The rectangles of `unit`, by way of `whole` if it is one.
  [[nodiscard]] std::span<const TickRect> ShapeOf(const OrderedUnit& unit, const UnitDetails& details,
                                                  TickRect& whole) const {
    if (details.rect_begin != details.rect_end) {
      return std::span(draft_->rects).subspan(details.rect_begin, details.rect_end - details.rect_begin);
    }
    whole = {.start = unit.section_begin, .end = unit.section_end, .lower = 0, .upper = unit.size};
    return {&whole, 1};
  }

  static bool RectLess(const TickRect& p, const TickRect& q) {
    return std::tie(p.start, p.end, p.lower, p.upper) < std::tie(q.start, q.end, q.lower, q.upper);
  }

  const Draft* draft_;
};

// The units as they are, or fewer if they are out of order. Empty: `budget` stopped.
std::optional<LargeVector<OrderedUnit>> OrderedPrefix(const Draft& draft, Budget& budget) {
  const CanonicalLess less(draft);
  LargeVector<OrderedUnit> units;
  units.reserve(draft.units.size());
  for (std::size_t u = 0; u < draft.units.size(); ++u) {
    if (budget.Spend(3)) return std::nullopt;
    Record(draft, u, units.emplace_back());
    if (u > 0 && less(units[u], units[u - 1])) {
      units.clear();
      break;
    }
  }
  return units;
}

// Fills `order` by first section alone. ends[s] becomes the end of those that begin in section s. False: the
// budget stopped it.
bool DealIntoBuckets(const Draft& draft, LargeVector<std::int32_t>& ends, LargeVector<OrderedUnit>& order,
                     Budget& budget) {
  // First the number of units that begin in a section, then the place of the next one that does.
  return ForEachWithin(budget, draft.units.size(), 2, [&](std::size_t u) { ++ends[draft.units[u].start]; }) &&
         ForEachWithin(
             budget, ends.size(), 1,
             [&, sum = std::int32_t{0}](std::size_t s) mutable { sum += std::exchange(ends[s], sum); }) &&
         AssignWithin(budget, order, draft.units.size(), OrderedUnit{}) &&
         ForEachWithin(budget, draft.units.size(), 2,
                       [&](std::size_t u) { Record(draft, u, order[ends[draft.units[u].start]++]); });
}

}  // namespace

std::optional<LargeVector<OrderedUnit>> OrderUnits(const Draft& draft, std::size_t ticks, Budget& budget) {
  std::optional<LargeVector<OrderedUnit>> order = OrderedPrefix(draft, budget);
  if (!order || order->size() == draft.units.size()) return order;
  LargeVector<std::int32_t> ends;
  if (!AssignWithin(budget, ends, ticks, 0) || !DealIntoBuckets(draft, ends, *order, budget))
    return std::nullopt;
  const CanonicalLess less(draft);
  std::int32_t begin = 0;
  for (const std::int32_t end : ends) {
    const std::span<OrderedUnit> bucket = std::span(*order).subspan(begin, end - begin);
    if (bucket.size() <= kFew) {
      if (budget.Spend(1 + 10 * static_cast<std::int64_t>(bucket.size()))) return std::nullopt;
      std::sort(bucket.begin(), bucket.end(), less);
    } else if (!SortWithin(budget, bucket, less)) {
      return std::nullopt;
    }
    begin = end;
  }
  return order;
}

}  // namespace telamalloc

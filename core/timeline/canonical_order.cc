// Units are dealt into buckets by first section; most buckets hold a few. Within a bucket small keys are
// sorted, which look at the units themselves only where section_end and size are equal and one of them is not
// plain.
#include "timeline/canonical_order.h"

#include <algorithm>
#include <compare>
#include <cstddef>
#include <tuple>
#include <utility>

#include "timeline/timeline.h"
#include "timeline/within.h"

namespace telamalloc {
namespace {

struct Key {
  std::int64_t size = 0;
  std::int32_t section_end = 0;
  std::int32_t tag = 0;  // 2 * unit, + 1 unless size and sections say all there is to say about it

  [[nodiscard]] std::int32_t unit() const { return tag / 2; }
  [[nodiscard]] bool plain() const { return tag % 2 == 0; }
};
static_assert(sizeof(Key) == 16);

bool IsPlain(const Unit& unit) {
  return unit.alignment == 1 && unit.fixed_offset == kNoOffset && unit.offset_hint == kNoOffset &&
         unit.piece_end - unit.piece_begin == 1;
}

class CanonicalLess {
 public:
  explicit CanonicalLess(const Draft& draft) : draft_(&draft) {}

  bool operator()(const Key& a, const Key& b) const {
    if (a.section_end != b.section_end) return a.section_end < b.section_end;
    if (a.size != b.size) return a.size < b.size;
    return a.plain() && b.plain() ? a.tag < b.tag : DetailsLess(a.unit(), b.unit());
  }

 private:
  [[nodiscard]] bool DetailsLess(std::int32_t a, std::int32_t b) const {
    const Unit& x = draft_->units[a];
    const Unit& y = draft_->units[b];
    const auto details = [](const Unit& u) { return std::tie(u.alignment, u.fixed_offset, u.offset_hint); };
    if (details(x) != details(y)) return details(x) < details(y);
    const auto rects = draft_->rects.begin();
    const std::strong_ordering order = std::lexicographical_compare_three_way(
        rects + x.piece_begin, rects + x.piece_end, rects + y.piece_begin, rects + y.piece_end);
    return order != 0 ? order < 0 : a < b;
  }

  const Draft* draft_;
};

// The keys of all units by first section, and where each section's end. False: the budget stopped it.
bool DealIntoBuckets(const std::vector<Unit>& units, std::vector<Key>& keys,
                     std::vector<std::int32_t>& bucket_ends, Budget& budget) {
  std::int32_t sections = 0;
  const bool scanned = ForEachWithin(budget, units.size(), 1, [&](std::size_t u) {
    sections = std::max(sections, units[u].section_begin + 1);
  });
  std::vector<std::int32_t>& place = bucket_ends;  // of the next unit that begins in a section
  return scanned && AssignWithin(budget, place, static_cast<std::size_t>(sections), std::int32_t{0}) &&
         ForEachWithin(budget, units.size(), 2, [&](std::size_t u) { ++place[units[u].section_begin]; }) &&
         ForEachWithin(
             budget, place.size(), 1,
             [&, sum = std::int32_t{0}](std::size_t s) mutable { sum += std::exchange(place[s], sum); }) &&
         AssignWithin(budget, keys, units.size(), Key{}) &&
         ForEachWithin(budget, units.size(), 2, [&](std::size_t u) {
           keys[place[units[u].section_begin]++] = {
               .size = units[u].size,
               .section_end = units[u].section_end,
               .tag = 2 * static_cast<std::int32_t>(u) + (IsPlain(units[u]) ? 0 : 1)};
         });
}

}  // namespace

std::optional<std::vector<std::int32_t>> CanonicalOrder(const Draft& draft, Budget& budget) {
  std::vector<Key> keys;
  std::vector<std::int32_t> bucket_ends;
  if (!DealIntoBuckets(draft.units, keys, bucket_ends, budget)) return std::nullopt;
  const CanonicalLess less(draft);
  std::int32_t begin = 0;
  for (const std::int32_t end : bucket_ends) {
    const std::span<Key> bucket = std::span(keys).subspan(begin, end - begin);
    if (!SortWithin(budget, bucket, less)) return std::nullopt;
    begin = end;
  }
  std::vector<std::int32_t> order;
  order.reserve(keys.size());
  const bool listed =
      ForEachWithin(budget, keys.size(), 1, [&](std::size_t k) { order.push_back(keys[k].unit()); });
  return listed ? std::optional(std::move(order)) : std::nullopt;
}

}  // namespace telamalloc

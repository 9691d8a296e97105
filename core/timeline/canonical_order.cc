// Units are dealt into buckets by first section; most buckets hold a few. Within a bucket small keys are
// sorted, which look at the units themselves only where section_end and size are equal.
#include "timeline/canonical_order.h"

#include <algorithm>
#include <cstddef>
#include <tuple>

#include "timeline/within.h"

namespace telamalloc {
namespace {

struct Key {
  std::int64_t size = 0;
  std::int32_t section_end = 0;
  std::int32_t unit = 0;
};

class CanonicalLess {
 public:
  CanonicalLess(std::span<const Unit> units, std::span<const Piece> pieces)
      : units_(units), pieces_(pieces) {}

  bool operator()(const Key& a, const Key& b) const {
    if (a.section_end != b.section_end) return a.section_end < b.section_end;
    if (a.size != b.size) return a.size < b.size;
    return DetailsLess(a.unit, b.unit);
  }

 private:
  [[nodiscard]] bool DetailsLess(std::int32_t a, std::int32_t b) const {
    const Unit& x = units_[a];
    const Unit& y = units_[b];
    const auto details = [](const Unit& u) { return std::tie(u.alignment, u.fixed_offset, u.offset_hint); };
    if (details(x) != details(y)) return details(x) < details(y);
    const auto order = std::lexicographical_compare_three_way(
        pieces_.begin() + x.piece_begin, pieces_.begin() + x.piece_end, pieces_.begin() + y.piece_begin,
        pieces_.begin() + y.piece_end, [](const Piece& p, const Piece& q) {
          const auto shape = [](const Piece& r) {
            return std::tie(r.section_begin, r.section_end, r.lower, r.upper);
          };
          return shape(p) <=> shape(q);
        });
    return order != 0 ? order < 0 : a < b;
  }

  std::span<const Unit> units_;
  std::span<const Piece> pieces_;
};

}  // namespace

std::optional<std::vector<std::int32_t>> CanonicalOrder(std::span<const Unit> units,
                                                        std::span<const Piece> pieces, Budget& budget) {
  std::int32_t sections = 0;
  const bool counted = ForEachWithin(
      budget, units.size(), 1, [&](std::size_t u) { sections = std::max(sections, units[u].section_end); });
  std::vector<std::int32_t> place;  // of the next unit that begins in a section
  if (!counted || !AssignWithin(budget, place, static_cast<std::size_t>(sections) + 1, std::int32_t{0})) {
    return std::nullopt;
  }
  const bool placed = ForEachWithin(budget, units.size(), 2, [&](std::size_t u) {
    ++place[units[u].section_begin + 1];
  }) && ForEachWithin(budget, sections, 1, [&](std::size_t s) { place[s + 1] += place[s]; });
  if (!placed) return std::nullopt;
  std::vector<Key> keys;
  if (!AssignWithin(budget, keys, units.size(), Key{})) return std::nullopt;
  const bool dealt = ForEachWithin(budget, units.size(), 2, [&](std::size_t u) {
    keys[place[units[u].section_begin]++] = {
        .size = units[u].size, .section_end = units[u].section_end, .unit = static_cast<std::int32_t>(u)};
  });
  if (!dealt) return std::nullopt;

  // place[s] is now the end of the bucket of section s.
  const CanonicalLess less(units, pieces);
  std::vector<Key> large;
  std::int32_t begin = 0;
  for (std::int32_t s = 0; s < sections; ++s) {
    const std::int32_t end = place[s];
    const std::int64_t count = end - begin;
    if (budget.Spend(1 + 5 * count)) return std::nullopt;
    constexpr std::int64_t kSmall = 1024;
    if (count > kSmall) {
      large.assign(keys.begin() + begin, keys.begin() + end);
      if (!SortWithin(budget, large, less)) return std::nullopt;
      std::ranges::copy(large, keys.begin() + begin);
    } else if (count > 1) {
      std::sort(keys.begin() + begin, keys.begin() + end, less);
    }
    begin = end;
  }
  std::vector<std::int32_t> order;
  order.reserve(keys.size());
  const bool listed =
      ForEachWithin(budget, keys.size(), 1, [&](std::size_t k) { order.push_back(keys[k].unit); });
  return listed ? std::optional(std::move(order)) : std::nullopt;
}

}  // namespace telamalloc

// Ticks are ranked through a table indexed by tick where they lie close together, as the steps of a program
// do; else by a radix sort of (tick, which end of which lifetime), whose passes over equal digits are
// skipped.
#include "timeline/section_ranks.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <utility>

#include "timeline/within.h"

namespace telamalloc {
namespace {

// A tick counted from the earliest one, so that differences never overflow.
std::uint64_t Key(std::int64_t tick, std::int64_t earliest) {
  return static_cast<std::uint64_t>(tick) - static_cast<std::uint64_t>(earliest);
}

std::int64_t TickOf(std::uint64_t key, std::int64_t earliest) {
  return static_cast<std::int64_t>(key + static_cast<std::uint64_t>(earliest));
}

// Calls body(start, end) for each unit, then for each rectangle. False: the budget stopped it.
template <typename Body>
bool ForEachLifetime(Draft& draft, std::int64_t steps, Budget& budget, Body body) {
  const auto visit = [&](auto& lifetimes) {
    return ForEachWithin(budget, lifetimes.size(), steps,
                         [&](std::size_t k) { body(lifetimes[k].start, lifetimes[k].end); });
  };
  return visit(draft.units) && visit(draft.rects);
}

// False: the budget stopped it.
bool RankByTable(Draft& draft, std::int64_t earliest, std::size_t range, Budget& budget,
                 LargeVector<std::int64_t>& ticks) {
  LargeVector<std::int32_t> rank_of_key;
  return AssignWithin(budget, rank_of_key, range, 0) &&
         ForEachLifetime(draft, 2, budget,
                         [&](std::int64_t start, std::int64_t end) {
                           rank_of_key[Key(start, earliest)] = 1;
                           rank_of_key[Key(end, earliest)] = 1;
                         }) &&
         ForEachWithin(budget, range, 1,
                       [&](std::size_t key) {
                         if (rank_of_key[key] == 0) return;
                         rank_of_key[key] = static_cast<std::int32_t>(ticks.size());
                         ticks.push_back(TickOf(key, earliest));
                       }) &&
         ForEachLifetime(draft, 2, budget, [&](std::int64_t& start, std::int64_t& end) {
           start = rank_of_key[Key(start, earliest)];
           end = rank_of_key[Key(end, earliest)];
         });
}

struct KeyedEnd {
  std::uint64_t key = 0;
  std::uint32_t end = 0;  // 2 * lifetime, + 1 for its end
};

// Least significant digit first. False: the budget stopped it.
bool RadixSort(LargeVector<KeyedEnd>& ends, std::uint64_t largest, Budget& budget) {
  constexpr int kDigitBits = 11;
  constexpr std::uint64_t kDigits = std::uint64_t{1} << kDigitBits;
  LargeVector<KeyedEnd> sorted;
  if (!AssignWithin(budget, sorted, ends.size(), KeyedEnd{})) return false;
  for (int shift = 0; shift < 64 && (largest >> shift) != 0; shift += kDigitBits) {
    std::array<std::size_t, kDigits + 1> place{};
    const bool counted = ForEachWithin(budget, ends.size(), 1, [&](std::size_t k) {
      ++place[((ends[k].key >> shift) & (kDigits - 1)) + 1];
    });
    if (!counted) return false;
    if (std::ranges::find(place, ends.size()) != place.end()) continue;
    for (std::size_t digit = 1; digit <= kDigits; ++digit) place[digit] += place[digit - 1];
    const bool moved = ForEachWithin(budget, ends.size(), 2, [&](std::size_t k) {
      sorted[place[(ends[k].key >> shift) & (kDigits - 1)]++] = ends[k];
    });
    if (!moved) return false;
    ends.swap(sorted);
  }
  return true;
}

// False: the budget stopped it.
bool RankBySorting(Draft& draft, std::int64_t earliest, std::uint64_t largest, Budget& budget,
                   LargeVector<std::int64_t>& ticks) {
  LargeVector<KeyedEnd> ends;
  ends.reserve(2 * (draft.units.size() + draft.rects.size()));
  const bool listed = ForEachLifetime(draft, 2, budget, [&](std::int64_t start, std::int64_t end) {
    const auto position = static_cast<std::uint32_t>(ends.size());
    ends.push_back({.key = Key(start, earliest), .end = position});
    ends.push_back({.key = Key(end, earliest), .end = position + 1});
  });
  const std::size_t units = draft.units.size();
  const auto replace = [&](auto& lifetime, std::uint32_t end, std::int64_t rank) {
    (end % 2 == 0 ? lifetime.start : lifetime.end) = rank;
  };
  return listed && RadixSort(ends, largest, budget) &&
         ForEachWithin(budget, ends.size(), 3, [&](std::size_t k) {
           const std::int64_t tick = TickOf(ends[k].key, earliest);
           if (ticks.empty() || ticks.back() != tick) ticks.push_back(tick);
           const auto rank = static_cast<std::int64_t>(ticks.size()) - 1;
           const std::size_t lifetime = ends[k].end / 2;
           if (lifetime < units) {
             replace(draft.units[lifetime], ends[k].end, rank);
           } else {
             replace(draft.rects[lifetime - units], ends[k].end, rank);
           }
         });
}

}  // namespace

std::optional<LargeVector<std::int64_t>> RankSections(Draft& draft, Budget& budget) {
  std::int64_t earliest = std::numeric_limits<std::int64_t>::max();
  std::int64_t latest = std::numeric_limits<std::int64_t>::min();
  const bool scanned = ForEachLifetime(draft, 1, budget, [&](std::int64_t start, std::int64_t end) {
    earliest = std::min(earliest, start);
    latest = std::max(latest, end);
  });
  if (!scanned) return std::nullopt;
  LargeVector<std::int64_t> ticks;
  const std::size_t lifetimes = draft.units.size() + draft.rects.size();
  if (lifetimes == 0) return ticks;
  const std::uint64_t largest = Key(latest, earliest);
  const bool close = largest < 4 * static_cast<std::uint64_t>(lifetimes) + 64;
  // As many as there can be, of which only those that are there are ever touched.
  ticks.reserve(static_cast<std::size_t>(std::min<std::uint64_t>(largest, 2 * lifetimes - 1)) + 1);
  const bool done = close ? RankByTable(draft, earliest, static_cast<std::size_t>(largest) + 1, budget, ticks)
                          : RankBySorting(draft, earliest, largest, budget, ticks);
  return done ? std::optional(std::move(ticks)) : std::nullopt;
}

}  // namespace telamalloc

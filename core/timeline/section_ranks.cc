// Ticks are ranked through a table indexed by tick where they lie close together, as the steps of a program
// do; else by a radix sort of (tick, which end of which rectangle), whose passes over equal digits are
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

// False: the budget stopped it.
bool RankByTable(std::span<TickRect> rects, std::int64_t earliest, std::size_t range, Budget& budget,
                 std::vector<std::int64_t>& ticks) {
  std::vector<std::int32_t> rank_of_key;
  return AssignWithin(budget, rank_of_key, range, std::int32_t{0}) &&
         ForEachWithin(budget, rects.size(), 2,
                       [&](std::size_t r) {
                         rank_of_key[Key(rects[r].start, earliest)] = 1;
                         rank_of_key[Key(rects[r].end, earliest)] = 1;
                       }) &&
         ForEachWithin(budget, range, 1,
                       [&](std::size_t key) {
                         if (rank_of_key[key] == 0) return;
                         rank_of_key[key] = static_cast<std::int32_t>(ticks.size());
                         ticks.push_back(TickOf(key, earliest));
                       }) &&
         ForEachWithin(budget, rects.size(), 2, [&](std::size_t r) {
           rects[r].start = rank_of_key[Key(rects[r].start, earliest)];
           rects[r].end = rank_of_key[Key(rects[r].end, earliest)];
         });
}

struct KeyedEnd {
  std::uint64_t key = 0;
  std::uint32_t end = 0;  // 2 * rectangle, + 1 for its end
};

// Least significant digit first. False: the budget stopped it.
bool RadixSort(std::vector<KeyedEnd>& ends, std::uint64_t largest, Budget& budget) {
  constexpr int kDigitBits = 11;
  constexpr std::uint64_t kDigits = std::uint64_t{1} << kDigitBits;
  std::vector<KeyedEnd> sorted;
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
bool RankBySorting(std::span<TickRect> rects, std::int64_t earliest, std::uint64_t largest, Budget& budget,
                   std::vector<std::int64_t>& ticks) {
  std::vector<KeyedEnd> ends;
  ends.reserve(2 * rects.size());
  const bool listed = ForEachWithin(budget, rects.size(), 2, [&](std::size_t r) {
    const auto end = static_cast<std::uint32_t>(2 * r);
    ends.push_back({.key = Key(rects[r].start, earliest), .end = end});
    ends.push_back({.key = Key(rects[r].end, earliest), .end = end + 1});
  });
  return listed && RadixSort(ends, largest, budget) &&
         ForEachWithin(budget, ends.size(), 3, [&](std::size_t k) {
           const std::int64_t tick = TickOf(ends[k].key, earliest);
           if (ticks.empty() || ticks.back() != tick) ticks.push_back(tick);
           TickRect& rect = rects[ends[k].end / 2];
           (ends[k].end % 2 == 0 ? rect.start : rect.end) = static_cast<std::int64_t>(ticks.size()) - 1;
         });
}

}  // namespace

std::optional<std::vector<std::int64_t>> RankSections(std::span<TickRect> rects, Budget& budget) {
  std::int64_t earliest = std::numeric_limits<std::int64_t>::max();
  std::int64_t latest = std::numeric_limits<std::int64_t>::min();
  const bool scanned = ForEachWithin(budget, rects.size(), 1, [&](std::size_t r) {
    earliest = std::min(earliest, rects[r].start);
    latest = std::max(latest, rects[r].end);
  });
  if (!scanned) return std::nullopt;
  std::vector<std::int64_t> ticks;
  if (rects.empty()) return ticks;
  const std::uint64_t largest = Key(latest, earliest);
  const bool close = largest < 4 * static_cast<std::uint64_t>(rects.size()) + 64;
  const bool done = close ? RankByTable(rects, earliest, static_cast<std::size_t>(largest) + 1, budget, ticks)
                          : RankBySorting(rects, earliest, largest, budget, ticks);
  return done ? std::optional(std::move(ticks)) : std::nullopt;
}

}  // namespace telamalloc

// Loops and sorting that keep asking their budget, however long the input is.
#ifndef TELAMALLOC_TIMELINE_WITHIN_H_
#define TELAMALLOC_TIMELINE_WITHIN_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "timeline/budget.h"

namespace telamalloc {

// Calls body(k) for k = 0 .. count - 1, each worth `steps` of the budget. False: the budget stopped it.
template <typename Body>
[[nodiscard]] bool ForEachWithin(Budget& budget, std::size_t count, std::int64_t steps, Body body) {
  constexpr std::size_t kBlock = 2048;
  for (std::size_t begin = 0; begin < count; begin += kBlock) {
    const std::size_t end = std::min(count, begin + kBlock);
    if (budget.Spend(static_cast<std::int64_t>(end - begin) * steps)) return false;
    for (std::size_t k = begin; k < end; ++k) body(k);
  }
  return true;
}

// `count` copies of `value`, written block by block. False: the budget stopped it.
template <typename T, typename Allocator>
[[nodiscard]] bool AssignWithin(Budget& budget, std::vector<T, Allocator>& values, std::size_t count,
                                const T& value) {
  constexpr std::size_t kBlock = 2048;
  values.clear();
  values.reserve(count);
  while (values.size() < count) {
    const std::size_t more = std::min(kBlock, count - values.size());
    if (budget.Spend(static_cast<std::int64_t>(more))) return false;
    values.resize(values.size() + more, value);
  }
  return true;
}

// Merges the first `middle` of `values` and the others, both sorted, onto the end of `merged`. False: the
// budget stopped it.
template <typename T, typename Less>
[[nodiscard]] bool MergeWithin(Budget& budget, std::span<const T> values, std::size_t middle, Less less,
                               std::vector<T>& merged) {
  std::size_t left = 0;
  std::size_t right = middle;
  return ForEachWithin(budget, values.size(), 2, [&](std::size_t) {
    const bool take_right = left == middle || (right != values.size() && less(values[right], values[left]));
    merged.push_back(values[take_right ? right++ : left++]);
  });
}

// Sorts by merging sorted runs. Not stable. False: the budget stopped it; the order is then unspecified.
// Cost: O(n log n), O(n) where it is sorted already; a copy of `values` when they are more than one run.
template <typename T, typename Less>
[[nodiscard]] bool SortWithin(Budget& budget, std::span<T> values, Less less) {
  constexpr std::size_t kRun = 1024;
  std::size_t sorted = std::min<std::size_t>(values.size(), 1);
  for (; sorted < values.size() && !less(values[sorted], values[sorted - 1]); ++sorted) {
    if (budget.Spend(2)) return false;
  }
  if (sorted == values.size()) return !budget.Spend(1);
  for (std::size_t begin = 0; begin < values.size(); begin += kRun) {
    const std::span<T> run = values.subspan(begin, std::min(kRun, values.size() - begin));
    if (budget.Spend(10 * static_cast<std::int64_t>(run.size()))) return false;
    std::sort(run.begin(), run.end(), less);
  }
  std::vector<T> merged;
  for (std::size_t width = kRun; width < values.size(); width *= 2) {
    merged.clear();
    merged.reserve(values.size());
    for (std::size_t begin = 0; begin < values.size(); begin += 2 * width) {
      const std::span<const T> pair = values.subspan(begin, std::min(2 * width, values.size() - begin));
      if (!MergeWithin(budget, pair, std::min(width, pair.size()), less, merged)) return false;
    }
    if (!ForEachWithin(budget, values.size(), 1, [&](std::size_t k) { values[k] = merged[k]; })) return false;
  }
  return true;
}

template <typename T, typename Less>
[[nodiscard]] bool SortWithin(Budget& budget, std::vector<T>& values, Less less) {
  return SortWithin(budget, std::span<T>(values), less);
}

}  // namespace telamalloc

#endif  // TELAMALLOC_TIMELINE_WITHIN_H_

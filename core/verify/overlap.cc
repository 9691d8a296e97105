// One sweep over starts; the boxes met so far are kept by address and disjoint, so that a new one need only
// be compared with what lies at its own addresses.
//
//   address   | kept |          box [3, 7) at addresses [3, 8): that at 1 ends at 4, they share ticks [3, 4);
//     9 +-----+------+          that at 4 ended at 2, it is out of date; that at 5 ends at 6, they share
//     5 +-----+------+          [3, 6). A box [3, 7) at addresses [4, 5) would take the place of the second.
//     4 +-----+------+
//     1 +-----+------+
//
// A box that ended stays until another takes its bytes: no order of ends is needed, and the new box is
// written over the old one. Each box is kept once and dropped once.
//
// A box that overlaps is reported with everything in its way and left out, so that the rest stays disjoint:
// where two boxes overlap, the sweep finds the later of the two or has reported the earlier one.
#include "verify/overlap.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>

#include "absl/container/btree_set.h"
#include "memory/large_pages.h"

namespace telamalloc::verify {
namespace {

struct Start {
  std::int64_t tick = 0;
  std::int32_t box = 0;
};

// Orders `starts` by tick, least significant digit first.
void RadixSort(LargeVector<Start>& starts) {
  constexpr int kDigitBits = 11;
  constexpr std::uint64_t kDigits = std::uint64_t{1} << kDigitBits;
  const auto [earliest, latest] = std::ranges::minmax(starts, {}, &Start::tick);
  // Counted from the earliest tick, differences never overflow.
  const auto key = [first = static_cast<std::uint64_t>(earliest.tick)](const Start& start) {
    return static_cast<std::uint64_t>(start.tick) - first;
  };
  LargeVector<Start> sorted(starts.size());
  for (int shift = 0; shift < 64 && (key(latest) >> shift) != 0; shift += kDigitBits) {
    const auto digit = [&](const Start& start) { return (key(start) >> shift) & (kDigits - 1); };
    std::array<std::size_t, kDigits> place{};
    for (const Start& start : starts) ++place[digit(start)];
    std::exclusive_scan(place.begin(), place.end(), place.begin(), std::size_t{0});
    for (const Start& start : starts) sorted[place[digit(start)]++] = start;
    starts.swap(sorted);
  }
}

// By tick; those of one tick in the order of `boxes`.
LargeVector<Start> SortedStarts(std::span<const Box> boxes) {
  constexpr std::size_t kWorthRadix = 4096;
  LargeVector<Start> starts;
  starts.reserve(boxes.size());
  for (std::size_t b = 0; b < boxes.size(); ++b) {
    starts.push_back({.tick = boxes[b].start, .box = static_cast<std::int32_t>(b)});
  }
  if (starts.size() < kWorthRadix) {
    std::ranges::sort(starts, {}, [](const Start& start) { return std::pair(start.tick, start.box); });
  } else {
    RadixSort(starts);
  }
  return starts;
}

// A box that is kept. One that makes room for another is overwritten with it, at its place in the order.
struct Interval {
  mutable std::int64_t lower = 0;
  mutable std::int64_t upper = 0;
  mutable std::int64_t end = 0;  // tick
  mutable const Box* box = nullptr;
};

// By upper address, which for disjoint intervals is the order of their lower ones too. An address comes after
// the intervals that end at or below it: the first that does not is the first that can be in its way.
struct ByAddress {
  using is_transparent = void;
  bool operator()(const Interval& a, const Interval& b) const { return a.upper < b.upper; }
  bool operator()(const Interval& a, std::int64_t address) const { return a.upper <= address; }
  bool operator()(std::int64_t address, const Interval& a) const { return address < a.upper; }
};

using Kept = absl::btree_set<Interval, ByAddress>;

class Sweep {
 public:
  Sweep(std::span<const Box> boxes, absl::FunctionRef<bool(const Box&, const Box&)> report)
      : boxes_(boxes), report_(report) {}

  void Run() {
    if (std::ranges::is_sorted(boxes_, {}, &Box::start)) {
      for (const Box& box : boxes_) {
        if (!Add(box)) return;
      }
      return;
    }
    const LargeVector<Start> starts = SortedStarts(boxes_);
    for (std::size_t next = 0; next < starts.size(); ++next) {
      // The boxes are in another order: ask for one that comes soon, or each access waits for memory.
      if (next + kAhead < starts.size()) __builtin_prefetch(&boxes_[starts[next + kAhead].box]);
      if (!Add(boxes_[starts[next].box])) return;
    }
  }

 private:
  static constexpr std::size_t kAhead = 16;

  // False: enough was reported.
  bool Add(const Box& box) {
    const auto first = kept_.lower_bound(box.lower);
    bool free = true;
    auto last = first;
    for (; last != kept_.end() && last->lower < box.upper; ++last) {
      if (last->end <= box.start) continue;  // lifetimes are half-open
      free = false;
      const Box& other = *last->box;
      if (box.group != kNoGroup && box.group == other.group) continue;
      if (!report_(other, box)) return false;
    }
    if (free) Keep(box, first, last);
    return true;
  }

  // Keeps `box` in place of [first, last), which are what it overlaps.
  void Keep(const Box& box, Kept::iterator first, Kept::iterator last) {
    if (first == last) {
      kept_.insert(first, {.lower = box.lower, .upper = box.upper, .end = box.end, .box = &box});
      return;
    }
    first->lower = box.lower;
    first->upper = box.upper;
    first->end = box.end;
    first->box = &box;
    if (++first != last) kept_.erase(first, last);
  }

  std::span<const Box> boxes_;
  absl::FunctionRef<bool(const Box&, const Box&)> report_;
  Kept kept_;
};

}  // namespace

void FindOverlaps(std::span<const Box> boxes, absl::FunctionRef<bool(const Box&, const Box&)> report) {
  Sweep(boxes, report).Run();
}

}  // namespace telamalloc::verify

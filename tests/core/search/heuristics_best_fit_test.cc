// The free holes that best fit keeps, whether they are few or many.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "core/search/heuristics_support.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "search/holes.h"
#include "support/drawing.h"
#include "support/random_problem.h"

namespace telamalloc::testing {
namespace {

using ::testing::ElementsAre;

constexpr std::int64_t kEnd = std::numeric_limits<std::int64_t>::max();

std::int64_t Bottom(const Interval& hole) { return hole.bottom; }

// All holes, the smallest first.
std::vector<std::pair<std::int64_t, std::int64_t>> List(const Holes& holes) {
  std::vector<std::pair<std::int64_t, std::int64_t>> list;
  std::int64_t size = 0;
  for (;;) {
    const std::int64_t last = list.empty() ? -1 : list.back().first;
    Interval found;
    const std::int64_t bottom = holes.Smallest(size, [&](const Interval& hole) {
      const bool is_new = hole.top - hole.bottom > size || hole.bottom > last || list.empty();
      if (!is_new) return kNoOffset;
      found = hole;
      return hole.bottom;
    });
    if (bottom == kNoOffset) return list;
    list.emplace_back(found.bottom, found.top);
    size = found.top - found.bottom;
  }
}

TEST(Holes, StartAsAllOfMemory) { EXPECT_THAT(List(Holes()), ElementsAre(std::pair(0, kEnd))); }

TEST(Holes, SplitAndMerge) {
  Holes holes;
  holes.Take(10, 20);
  EXPECT_THAT(List(holes), ElementsAre(std::pair(0, 10), std::pair(20, kEnd)));
  holes.Take(0, 10);
  holes.Take(20, 25);
  holes.Take(30, 40);
  EXPECT_THAT(List(holes), ElementsAre(std::pair(25, 30), std::pair(40, kEnd)));
  holes.Take(25, 30);
  EXPECT_THAT(List(holes), ElementsAre(std::pair(40, kEnd)));
  holes.Release(10, 20);
  EXPECT_THAT(List(holes), ElementsAre(std::pair(10, 20), std::pair(40, kEnd)));
  holes.Release(25, 30);
  holes.Release(20, 25);
  EXPECT_THAT(List(holes), ElementsAre(std::pair(10, 30), std::pair(40, kEnd)));
  holes.Release(30, 40);
  holes.Release(0, 10);
  EXPECT_THAT(List(holes), ElementsAre(std::pair(0, kEnd)));
}

TEST(Holes, ThatAreSmallestAndAcceptAreFound) {
  Holes holes;
  holes.Take(7, 10);   // [0, 7)
  holes.Take(14, 20);  // [10, 14)
  holes.Take(24, 30);  // [20, 24)
  EXPECT_EQ(holes.Smallest(4, &Bottom), 10);
  EXPECT_EQ(holes.Smallest(5, &Bottom), 0);
  EXPECT_EQ(holes.Smallest(8, &Bottom), 30);
  EXPECT_EQ(
      holes.Smallest(1, [](const Interval& hole) { return hole.bottom > 10 ? hole.bottom : kNoOffset; }), 20);
  EXPECT_EQ(holes.Smallest(1, [](const Interval&) { return kNoOffset; }), kNoOffset);
}

// The same bytes one by one, up to a last hole that goes on for ever.
class Bitmap {
 public:
  static constexpr std::int64_t kBytes = 4000;

  // The end of the bytes from `bottom` on that are alike, `most` of them at most.
  [[nodiscard]] std::int64_t EndOfRun(std::int64_t bottom, std::int64_t most) const {
    std::int64_t top = bottom;
    while (top < std::min(bottom + most, kBytes) && taken_[top] == taken_[bottom]) ++top;
    return top;
  }

  // Whether they were free.
  bool Flip(std::int64_t bottom, std::int64_t top) {
    const bool was_free = taken_[bottom] == 0;
    std::fill(taken_.begin() + bottom, taken_.begin() + top, static_cast<std::uint8_t>(was_free));
    return was_free;
  }

  [[nodiscard]] std::int64_t Smallest(std::int64_t size) const {
    std::int64_t best = kBytes;
    std::int64_t best_size = kEnd;
    for (std::int64_t start = 0; start < kBytes; start = EndOfRun(start, kBytes)) {
      const std::int64_t end = EndOfRun(start, kBytes);
      const std::int64_t hole_size = end == kBytes ? kEnd : end - start;
      if (taken_[start] != 0 || hole_size < size || (hole_size >= best_size && best != kBytes)) continue;
      best = start;
      best_size = hole_size;
    }
    return best;
  }

 private:
  std::vector<std::uint8_t> taken_ = std::vector<std::uint8_t>(kBytes, 0);
};

TEST(Holes, AgreeWithABitmapHoweverMany) {
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    Random random(seed);
    Holes holes;
    Bitmap bitmap;
    // Up to some hundreds of holes.
    for (int step = 0; step < 4000; ++step) {
      const std::int64_t bottom = random.Uniform(0, Bitmap::kBytes - 4);
      const std::int64_t top = bitmap.EndOfRun(bottom, 3);
      if (bitmap.Flip(bottom, top)) {
        holes.Take(bottom, top);
      } else {
        holes.Release(bottom, top);
      }
      const std::int64_t size = random.Uniform(1, 12);
      ASSERT_EQ(holes.Smallest(size, &Bottom), bitmap.Smallest(size))
          << "seed " << seed << " step " << step << " size " << size;
    }
  }
}

TEST(BestFit, TakesTheSmallestHole) {
  // When e starts, 3 bytes are free where a was and 1 where c was.
  const Problem problem = FromDrawing(
      "..ddd\n"
      "..cee\n"
      ".bbbb\n"
      "aaa..\n"
      "aaa..\n"
      "aaa..\n");
  const std::optional<Solution> placed = PlaceProblem(problem, HeuristicNamed("best_fit"));
  ASSERT_TRUE(placed.has_value());
  EXPECT_THAT(placed->offsets, ElementsAre(0, 3, 4, 5, 4));
  EXPECT_EQ(placed->peak, 6);
}

TEST(BestFit, SkipsAHoleThatAlignmentOrALaterPinCloses) {
  // As above, but e may not go to 4: it is no multiple of 3, or pinned from tick 4 on.
  Problem problem = FromDrawing(
      "..ddd\n"
      "..cee\n"
      ".bbbb\n"
      "aaa..\n"
      "aaa..\n"
      "aaa..\n");
  problem.buffers[4].alignment = 3;
  EXPECT_EQ(PlaceProblem(problem, HeuristicNamed("best_fit"))->offsets[4], 0);
  problem.buffers[4].alignment = 1;
  problem.buffers.push_back({.start = 4, .end = 5, .size = 1, .fixed_offset = 4});
  EXPECT_EQ(PlaceProblem(problem, HeuristicNamed("best_fit"))->offsets[4], 0);
}

}  // namespace
}  // namespace telamalloc::testing

// Every way of finding lowest gaps against the slow one.
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "core/search/heuristics_support.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "search/neighbour_occupancy.h"
#include "search/occupancy.h"
#include "search/scanned_occupancy.h"
#include "search/tree_occupancy.h"
#include "support/problem_text.h"
#include "support/random_problem.h"
#include "timeline/budget.h"

namespace telamalloc::testing {
namespace {

using Maker = std::unique_ptr<Occupancy> (*)(const Timeline&, const Partition&);

std::unique_ptr<Occupancy> MakeScanned(const Timeline& timeline, const Partition& /*partition*/) {
  return std::make_unique<ScannedOccupancy>(timeline);
}

std::unique_ptr<Occupancy> MakeNeighbour(const Timeline& timeline, const Partition& partition) {
  Budget unlimited;
  return NeighbourOccupancy::Make(timeline, partition, std::int64_t{1} << 40, unlimited);
}

std::unique_ptr<Occupancy> MakeTree(const Timeline& timeline, const Partition& partition) {
  Budget unlimited;
  return TreeOccupancy::Make(timeline, partition, unlimited);
}

// Places the units of `partition` in random order at their lowest offset above a random one.
void PlaceInRandomOrder(const Timeline& timeline, const Partition& partition, Maker maker, Random& random) {
  const std::unique_ptr<Occupancy> occupancy = maker(timeline, partition);
  std::vector<std::int64_t> offsets(timeline.units().size(), kNoOffset);
  std::vector<std::int32_t> order;
  for (std::int32_t u = partition.unit_begin; u < partition.unit_end; ++u) {
    order.insert(order.begin() + random.Uniform(0, static_cast<std::int64_t>(order.size())), u);
  }
  Budget unlimited;
  for (const std::int32_t u : order) {
    const Unit& unit = timeline.units()[u];
    const std::int64_t from = random.OneIn(3) ? random.Uniform(0, 40) : 0;
    const std::int64_t offset = occupancy->LowestOffset(unit, from, unlimited);
    ASSERT_EQ(offset, SlowLowestOffset(timeline, offsets, u, from)) << "unit " << u << " from " << from;
    occupancy->Place(unit, offset, unlimited);
    offsets[u] = offset;
  }
}

struct Kind {
  const char* name;
  Maker make;
};
constexpr Kind kKinds[] = {{"Scanned", &MakeScanned}, {"Neighbour", &MakeNeighbour}, {"Tree", &MakeTree}};

class OccupancyTest : public ::testing::TestWithParam<Kind> {};

TEST_P(OccupancyTest, FindsTheLowestGapInSmallProblemsOfEveryKind) {
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    Random random(seed);
    RandomProblemOptions options = AllFeatures();
    options.pins = false;  // any unit may come first here
    options.buffers = random.Uniform(1, 14);
    options.ticks = random.Uniform(2, 20);
    const Problem problem = RandomProblem(seed, options);
    SCOPED_TRACE(::testing::Message() << "seed " << seed << "\n" << ProblemToText(problem));
    const Timeline timeline = BuildValid(problem);
    for (const Partition& partition : timeline.partitions()) {
      PlaceInRandomOrder(timeline, partition, GetParam().make, random);
      if (HasFatalFailure()) return;
    }
  }
}

TEST_P(OccupancyTest, FindsTheLowestGapAmongManyPieces) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    Random random(seed);
    RandomProblemOptions options = AllFeatures();
    options.pins = false;
    options.buffers = 250;
    options.ticks = seed % 3 == 0 ? 10 : 150;
    const Problem problem = RandomProblem(seed, options);
    SCOPED_TRACE(::testing::Message() << "seed " << seed << "\n" << ProblemToText(problem));
    const Timeline timeline = BuildValid(problem);
    for (const Partition& partition : timeline.partitions()) {
      PlaceInRandomOrder(timeline, partition, GetParam().make, random);
      if (HasFatalFailure()) return;
    }
  }
}

TEST_P(OccupancyTest, HasNoPlaceAboveTheEndOf64Bits) {
  constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
  const Problem problem = {.buffers = {{.start = 0, .end = 2, .size = 5},
                                       {.start = 0, .end = 2, .size = 7},
                                       {.start = 1, .end = 3, .size = 11, .alignment = 1 << 20}}};
  const Timeline timeline = BuildValid(problem);
  const auto units = timeline.units();
  const std::unique_ptr<Occupancy> occupancy = GetParam().make(timeline, timeline.partitions()[0]);
  Budget unlimited;
  EXPECT_EQ(occupancy->LowestOffset(units[0], kMax - 5, unlimited), kMax - 5);
  EXPECT_EQ(occupancy->LowestOffset(units[0], kMax - 4, unlimited), kNoOffset);
  occupancy->Place(units[0], kMax - 10, unlimited);
  EXPECT_EQ(occupancy->LowestOffset(units[1], kMax - 17, unlimited), kMax - 17);
  EXPECT_EQ(occupancy->LowestOffset(units[1], kMax - 16, unlimited), kNoOffset);
  // The next multiple of its alignment is 2^63.
  EXPECT_EQ(occupancy->LowestOffset(units[2], kMax - 100, unlimited), kNoOffset);
}

INSTANTIATE_TEST_SUITE_P(Kinds, OccupancyTest, ::testing::ValuesIn(kKinds),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(NeighbourOccupancy, IsNotMadeForMorePairsThanAllowed) {
  Problem problem;
  for (std::int64_t b = 0; b < 10; ++b) problem.buffers.push_back({.start = 0, .end = 1 + b, .size = 1});
  const Timeline timeline = BuildValid(problem);
  Budget unlimited;
  EXPECT_EQ(NeighbourOccupancy::Make(timeline, timeline.partitions()[0], 44, unlimited), nullptr);
  EXPECT_NE(NeighbourOccupancy::Make(timeline, timeline.partitions()[0], 45, unlimited), nullptr);
}

}  // namespace
}  // namespace telamalloc::testing

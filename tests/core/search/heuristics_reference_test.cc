// Each heuristic against its definition, written down without any structure: equal offsets.
#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <tuple>
#include <vector>

#include "core/search/heuristics_support.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "support/problem_text.h"
#include "support/random_problem.h"

namespace telamalloc::testing {
namespace {

using Offsets = std::vector<std::int64_t>;
using Reference = Offsets (*)(const Timeline&);

// Pins where they must be, all others nowhere.
Offsets PinsOnly(const Timeline& timeline) {
  Offsets offsets;
  for (const Unit& unit : timeline.units()) offsets.push_back(unit.fixed_offset);
  return offsets;
}

std::int64_t Lifetime(const Timeline& timeline, const Unit& unit) {
  return timeline.section_ticks()[unit.section_end] - timeline.section_ticks()[unit.section_begin];
}

std::int64_t Area(const Timeline& timeline, const Unit& unit) {
  std::int64_t area = 0;
  for (const Piece& piece : timeline.pieces_of(unit)) {
    const std::int64_t live =
        timeline.section_ticks()[piece.section_end] - timeline.section_ticks()[piece.section_begin];
    area += live * (piece.upper - piece.lower);
  }
  return area;
}

std::int64_t Contention(const Timeline& timeline, const Unit& unit) {
  std::int64_t highest = unit.piece_begin == unit.piece_end ? timeline.contention()[unit.section_begin] : 0;
  for (const Piece& piece : timeline.pieces_of(unit)) {
    for (std::int32_t s = piece.section_begin; s < piece.section_end; ++s) {
      highest = std::max(highest, timeline.contention()[s]);
    }
  }
  return highest;
}

// Every unit at its lowest gap, the largest key first; ties by size, then by position.
Offsets Greedy(const Timeline& timeline, const std::function<std::int64_t(const Unit&)>& key) {
  std::vector<std::int32_t> order(timeline.units().size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, std::ranges::greater(), [&](std::int32_t u) {
    return std::pair(key(timeline.units()[u]), timeline.units()[u].size);
  });
  Offsets offsets = PinsOnly(timeline);
  for (const std::int32_t u : order) {
    if (offsets[u] == kNoOffset) offsets[u] = SlowLowestOffset(timeline, offsets, u, 0);
  }
  return offsets;
}

Offsets BySize(const Timeline& timeline) {
  return Greedy(timeline, [](const Unit& unit) { return unit.size; });
}
Offsets ByArea(const Timeline& timeline) {
  return Greedy(timeline, [&](const Unit& unit) { return Area(timeline, unit); });
}
Offsets ByLifetime(const Timeline& timeline) {
  return Greedy(timeline, [&](const Unit& unit) { return Lifetime(timeline, unit); });
}
Offsets ByContention(const Timeline& timeline) {
  return Greedy(timeline, [&](const Unit& unit) { return Contention(timeline, unit); });
}

// Classes of units of which the largest holds less than twice the smallest, by the largest of the partition.
Offsets BySizeClass(const Timeline& timeline) {
  Offsets offsets = PinsOnly(timeline);
  for (const Partition& partition : timeline.partitions()) {
    const auto units =
        timeline.units().subspan(partition.unit_begin, partition.unit_end - partition.unit_begin);
    std::int64_t upper = std::ranges::max(units, {}, &Unit::size).size;
    // Sizes above upper / 2, then above upper / 4, ...
    for (std::int64_t parts = 2; parts / 2 <= upper; parts *= 2) {
      for (std::int32_t u = partition.unit_begin; u < partition.unit_end; ++u) {
        const std::int64_t ratio = upper / timeline.units()[u].size;
        const bool in_class = ratio >= parts / 2 && ratio < parts;
        if (in_class && offsets[u] == kNoOffset) offsets[u] = SlowLowestOffset(timeline, offsets, u, 0);
      }
    }
  }
  return offsets;
}

// Section by section from the highest contention, the units of each by (lifetime, size), above a skyline.
Offsets OnSkyline(const Timeline& timeline) {
  std::vector<std::int32_t> sections(timeline.contention().size());
  std::iota(sections.begin(), sections.end(), 0);
  std::ranges::stable_sort(sections, std::ranges::greater(),
                           [&](std::int32_t s) { return timeline.contention()[s]; });
  std::vector<std::int64_t> skyline(sections.size(), 0);
  Offsets offsets = PinsOnly(timeline);
  const Offsets pins = offsets;
  for (const std::int32_t s : sections) {
    std::vector<std::int32_t> live;
    for (const Piece& piece : timeline.pieces()) {
      const bool is_live = piece.section_begin <= s && s < piece.section_end;
      if (is_live && offsets[piece.unit] == kNoOffset) live.push_back(piece.unit);
    }
    std::ranges::sort(live);
    live.erase(std::ranges::unique(live).begin(), live.end());
    std::ranges::stable_sort(live, std::ranges::greater(), [&](std::int32_t u) {
      return std::pair(Lifetime(timeline, timeline.units()[u]), timeline.units()[u].size);
    });
    for (const std::int32_t u : live) {
      const auto pieces = timeline.pieces_of(timeline.units()[u]);
      std::int64_t from = 0;
      for (const Piece& piece : pieces) {
        for (std::int32_t t = piece.section_begin; t < piece.section_end; ++t) {
          from = std::max(from, skyline[t] - piece.lower);
        }
      }
      offsets[u] = SlowLowestOffset(timeline, pins, u, from);
      for (const Piece& piece : pieces) {
        for (std::int32_t t = piece.section_begin; t < piece.section_end; ++t) {
          skyline[t] = std::max(skyline[t], offsets[u] + piece.upper);
        }
      }
    }
  }
  std::ranges::replace(offsets, kNoOffset, std::int64_t{0});  // units without pieces
  return offsets;
}

// The free intervals at section `s`: (size, bottom), the smallest first; the last is far larger than needed.
std::vector<std::pair<std::int64_t, std::int64_t>> HolesAt(const Timeline& timeline, const Offsets& offsets,
                                                           std::int32_t s) {
  constexpr std::int64_t kFar = 1'000'000;
  std::vector<std::pair<std::int64_t, std::int64_t>> taken = {{kFar, kFar}};
  for (const Piece& piece : timeline.pieces()) {
    const bool is_live = piece.section_begin <= s && s < piece.section_end;
    if (!is_live || offsets[piece.unit] == kNoOffset) continue;
    taken.emplace_back(offsets[piece.unit] + piece.lower, offsets[piece.unit] + piece.upper);
  }
  std::ranges::sort(taken);
  std::vector<std::pair<std::int64_t, std::int64_t>> holes;
  std::int64_t bottom = 0;
  for (const auto& [lower, upper] : taken) {
    if (lower > bottom) holes.emplace_back(lower - bottom, bottom);
    bottom = upper;
  }
  std::ranges::sort(holes);
  return holes;
}

Offsets BestFit(const Timeline& timeline) {
  Offsets offsets = PinsOnly(timeline);
  for (std::int32_t u = 0; u < static_cast<std::int32_t>(offsets.size()); ++u) {
    const Unit& unit = timeline.units()[u];
    if (offsets[u] != kNoOffset) continue;
    if (timeline.pieces_of(unit).size() != 1) {
      offsets[u] = SlowLowestOffset(timeline, offsets, u, 0);
      continue;
    }
    for (const auto& [size, bottom] : HolesAt(timeline, offsets, unit.section_begin)) {
      const std::int64_t offset = SlowLowestOffset(timeline, offsets, u, bottom);
      if (offset + unit.size > bottom + size) continue;
      offsets[u] = offset;
      break;
    }
  }
  return offsets;
}

struct Definition {
  const char* name;
  Reference place;
};

class ReferenceTest : public ::testing::TestWithParam<Definition> {};

TEST_P(ReferenceTest, GivesTheSameOffsetsInSmallProblemsOfEveryKind) {
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    Random random(seed);
    RandomProblemOptions options = AllFeatures();
    options.buffers = random.Uniform(1, 14);
    options.ticks = random.Uniform(2, 20);
    options.gaps = random.OneIn(2);
    options.windows = random.OneIn(2);
    options.colocation = random.OneIn(2);
    const Problem problem = RandomProblem(seed, options);
    const Timeline timeline = BuildValid(problem);
    const std::optional<Solution> placed = PlaceUnits(timeline, HeuristicNamed(GetParam().name));
    ASSERT_TRUE(placed.has_value());
    ASSERT_EQ(placed->offsets, GetParam().place(timeline)) << "seed " << seed << "\n"
                                                           << ProblemToText(problem);
  }
}

TEST_P(ReferenceTest, GivesTheSameOffsetsInLargerProblems) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    RandomProblemOptions options = {.buffers = 160, .ticks = seed % 2 == 0 ? 120 : 20, .max_size = 40};
    options.alignments = seed % 3 == 0;
    options.gaps = seed % 4 == 1;
    options.windows = seed % 4 == 1;
    const Problem problem = RandomProblem(seed, options);
    const Timeline timeline = BuildValid(problem);
    const std::optional<Solution> placed = PlaceUnits(timeline, HeuristicNamed(GetParam().name));
    ASSERT_TRUE(placed.has_value());
    ASSERT_EQ(placed->offsets, GetParam().place(timeline)) << "seed " << seed << "\n"
                                                           << ProblemToText(problem);
  }
}

constexpr Definition kDefinitions[] = {
    {"best_fit", &BestFit},
    {"greedy_by_size", &BySize},
    {"greedy_by_size_class", &BySizeClass},
    {"greedy_by_area", &ByArea},
    {"greedy_by_lifetime", &ByLifetime},
    {"greedy_by_contention", &ByContention},
    {"contention_skyline", &OnSkyline},
};

INSTANTIATE_TEST_SUITE_P(Heuristics, ReferenceTest, ::testing::ValuesIn(kDefinitions),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(Reference, CoversEveryHeuristic) {
  std::vector<absl::string_view> defined;
  for (const Definition& definition : kDefinitions) defined.emplace_back(definition.name);
  std::vector<absl::string_view> known;
  for (const NamedHeuristic& heuristic : Heuristics()) known.push_back(heuristic.name);
  EXPECT_THAT(known, ::testing::UnorderedElementsAreArray(defined));
}

}  // namespace
}  // namespace telamalloc::testing

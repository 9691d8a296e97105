// The timeline of small random problems against the naive reading of their rows.
#include <algorithm>
#include <cstddef>
#include <numeric>
#include <set>
#include <tuple>
#include <vector>

#include "core/timeline/build.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "support/naive.h"
#include "support/problem_text.h"
#include "support/random_problem.h"

namespace telamalloc::testing {
namespace {

constexpr std::uint64_t kSeeds = 400;

class TimelineProperty : public ::testing::Test {
 protected:
  template <typename Check>
  void ForRandomProblems(Check check) {
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
      const Problem problem = RandomProblem(seed, AllFeatures());
      SCOPED_TRACE(::testing::Message() << "seed " << seed << "\n" << ProblemToText(problem));
      check(problem, seed);
      if (HasFailure()) return;
    }
  }
};

// The bytes from its offset that the unit of `buffer` holds at `tick`, and those its pieces say.
std::set<std::int64_t> UnitBytes(const Problem& problem, const Timeline& timeline, std::int32_t unit,
                                 std::int64_t tick) {
  std::set<std::int64_t> bytes;
  for (std::size_t b = 0; b < problem.buffers.size(); ++b) {
    if (timeline.unit_of_buffer()[b] != unit) continue;
    const std::optional<AddressWindow> window = BytesAt(problem.buffers[b], tick);
    if (!window) continue;
    for (std::int64_t byte = window->lower; byte < window->upper; ++byte) bytes.insert(byte);
  }
  return bytes;
}

std::vector<std::int64_t> PieceBytes(const Timeline& timeline, const Unit& unit, std::int32_t section) {
  std::vector<std::int64_t> bytes;
  for (const Piece& piece : timeline.pieces_of(unit)) {
    if (section < piece.section_begin || section >= piece.section_end) continue;
    for (std::int64_t byte = piece.lower; byte < piece.upper; ++byte) bytes.push_back(byte);
  }
  std::ranges::sort(bytes);
  return bytes;
}

TEST_F(TimelineProperty, ContentionIsThatOfEveryTick) {
  ForRandomProblems([](const Problem& problem, std::uint64_t /*seed*/) {
    const Timeline timeline = BuildValid(problem);
    const auto ticks = timeline.section_ticks();
    ASSERT_EQ(timeline.contention().size(), ticks.empty() ? 0 : ticks.size() - 1);
    for (std::size_t s = 0; s + 1 < ticks.size(); ++s) {
      ASSERT_LT(ticks[s], ticks[s + 1]);
      for (std::int64_t tick = ticks[s]; tick < ticks[s + 1]; ++tick) {
        EXPECT_EQ(timeline.contention()[s], ContentionAt(problem, tick)) << "tick " << tick;
      }
    }
    for (const std::int64_t tick : CriticalTicks(problem)) {
      const bool covered = !ticks.empty() && ticks.front() <= tick && tick < ticks.back();
      EXPECT_TRUE(covered || ContentionAt(problem, tick) == 0) << "tick " << tick;
    }
  });
}

TEST_F(TimelineProperty, PiecesAreTheBytesOfTheRows) {
  ForRandomProblems([](const Problem& problem, std::uint64_t /*seed*/) {
    const Timeline timeline = BuildValid(problem);
    for (std::size_t u = 0; u < timeline.units().size(); ++u) {
      const Unit& unit = timeline.units()[u];
      for (std::size_t s = 0; s < timeline.contention().size(); ++s) {
        for (std::int64_t tick = timeline.section_ticks()[s]; tick < timeline.section_ticks()[s + 1];
             ++tick) {
          EXPECT_THAT(
              PieceBytes(timeline, unit, static_cast<std::int32_t>(s)),
              ::testing::ElementsAreArray(UnitBytes(problem, timeline, static_cast<std::int32_t>(u), tick)))
              << "unit " << u << " tick " << tick;
        }
      }
    }
  });
}

TEST_F(TimelineProperty, PiecesAreGroupedOrderedAndWithinTheirHull) {
  ForRandomProblems([](const Problem& problem, std::uint64_t /*seed*/) {
    const Timeline timeline = BuildValid(problem);
    std::int32_t next = 0;
    for (std::size_t u = 0; u < timeline.units().size(); ++u) {
      const Unit& unit = timeline.units()[u];
      EXPECT_LT(unit.section_begin, unit.section_end);
      EXPECT_EQ(unit.piece_begin, next);
      next = unit.piece_end;
      const auto pieces = timeline.pieces_of(unit);
      EXPECT_TRUE(std::ranges::is_sorted(pieces, [](const Piece& a, const Piece& b) {
        return std::tie(a.section_begin, a.lower) < std::tie(b.section_begin, b.lower);
      }));
      if (pieces.empty()) continue;
      EXPECT_EQ(std::ranges::min_element(pieces, {}, &Piece::section_begin)->section_begin,
                unit.section_begin);
      EXPECT_EQ(std::ranges::max_element(pieces, {}, &Piece::section_end)->section_end, unit.section_end);
      for (const Piece& piece : pieces) {
        EXPECT_EQ(piece.unit, static_cast<std::int32_t>(u));
        EXPECT_LE(piece.upper, unit.size);
      }
    }
    EXPECT_EQ(next, static_cast<std::int32_t>(timeline.pieces().size()));
  });
}

// What is live in a section, as text-free data; a unit whose gaps leave nothing is live in its hull.
std::vector<std::tuple<std::size_t, std::int64_t, std::int64_t>> LiveSet(const Timeline& timeline,
                                                                         std::int32_t s) {
  std::vector<std::tuple<std::size_t, std::int64_t, std::int64_t>> live;
  for (std::size_t u = 0; u < timeline.units().size(); ++u) {
    const Unit& unit = timeline.units()[u];
    if (unit.piece_begin == unit.piece_end && unit.section_begin <= s && s < unit.section_end) {
      live.emplace_back(u, 0, 0);
    }
    for (const Piece& piece : timeline.pieces_of(unit)) {
      if (piece.section_begin <= s && s < piece.section_end) live.emplace_back(u, piece.lower, piece.upper);
    }
  }
  std::ranges::sort(live);
  return live;
}

TEST_F(TimelineProperty, ConsecutiveSectionsDiffer) {
  ForRandomProblems([](const Problem& problem, std::uint64_t /*seed*/) {
    const Timeline timeline = BuildValid(problem);
    for (std::size_t s = 1; s < timeline.contention().size(); ++s) {
      EXPECT_NE(LiveSet(timeline, static_cast<std::int32_t>(s)),
                LiveSet(timeline, static_cast<std::int32_t>(s) - 1));
    }
  });
}

TEST_F(TimelineProperty, PartitionsAreDisjointInTimeAndAsSmallAsPossible) {
  ForRandomProblems([](const Problem& problem, std::uint64_t /*seed*/) {
    const Timeline timeline = BuildValid(problem);
    std::int32_t unit = 0;
    std::int32_t section = 0;
    std::int64_t bound = 0;
    for (const Partition& partition : timeline.partitions()) {
      EXPECT_EQ(partition.unit_begin, unit);
      EXPECT_LT(partition.unit_begin, partition.unit_end);
      EXPECT_LE(section, partition.section_begin);
      unit = partition.unit_end;
      section = partition.section_end;
      std::vector<int> crossed(timeline.section_ticks().size(), 0);
      for (std::int32_t u = partition.unit_begin; u < partition.unit_end; ++u) {
        const Unit& member = timeline.units()[u];
        EXPECT_LE(partition.section_begin, member.section_begin);
        EXPECT_LE(member.section_end, partition.section_end);
        for (std::int32_t s = member.section_begin + 1; s < member.section_end; ++s) crossed[s] = 1;
        EXPECT_GE(partition.lower_bound, member.size + std::max<std::int64_t>(member.fixed_offset, 0));
      }
      for (std::int32_t s = partition.section_begin + 1; s < partition.section_end; ++s) {
        EXPECT_EQ(crossed[s], 1) << "could be split at section " << s;
      }
      bound = std::max(bound, partition.lower_bound);
    }
    EXPECT_EQ(unit, static_cast<std::int32_t>(timeline.units().size()));
    EXPECT_EQ(timeline.lower_bound(), bound);
  });
}

auto Fields(const Unit& unit) {
  return std::tie(unit.section_begin, unit.section_end, unit.size, unit.alignment, unit.fixed_offset,
                  unit.offset_hint, unit.piece_begin, unit.piece_end);
}

auto Fields(const Piece& piece) {
  return std::tie(piece.unit, piece.section_begin, piece.section_end, piece.lower, piece.upper);
}

TEST_F(TimelineProperty, DoesNotDependOnTheOrderOfRows) {
  ForRandomProblems([](const Problem& problem, std::uint64_t seed) {
    Random random(seed);
    const Problem shuffled = Shuffled(problem, random);
    const Timeline a = BuildValid(problem);
    const Timeline b = BuildValid(shuffled);
    EXPECT_TRUE(std::ranges::equal(a.units(), b.units(), [](const Unit& x, const Unit& y) {
      return Fields(x) == Fields(y);
    })) << ProblemToText(shuffled);
    EXPECT_TRUE(std::ranges::equal(a.pieces(), b.pieces(), [](const Piece& x, const Piece& y) {
      return Fields(x) == Fields(y);
    })) << ProblemToText(shuffled);
    EXPECT_TRUE(std::ranges::equal(a.section_ticks(), b.section_ticks()));
  });
}

TEST_F(TimelineProperty, UnitsSumUpTheirBuffers) {
  ForRandomProblems([](const Problem& problem, std::uint64_t /*seed*/) {
    const Timeline timeline = BuildValid(problem);
    std::vector<std::int64_t> size(timeline.units().size(), 0);
    std::vector<std::int64_t> alignment(timeline.units().size(), 1);
    for (std::size_t b = 0; b < problem.buffers.size(); ++b) {
      const Buffer& buffer = problem.buffers[b];
      const std::int32_t unit = timeline.unit_of_buffer()[b];
      if (unit == kNoUnit) {
        EXPECT_EQ(buffer.size, 0);
        continue;
      }
      size[unit] = std::max(size[unit], buffer.size);
      alignment[unit] = std::lcm(alignment[unit], buffer.alignment);
      EXPECT_EQ(buffer.fixed_offset.value_or(timeline.units()[unit].fixed_offset),
                timeline.units()[unit].fixed_offset);
    }
    for (std::size_t u = 0; u < timeline.units().size(); ++u) {
      EXPECT_EQ(timeline.units()[u].size, size[u]);
      EXPECT_EQ(timeline.units()[u].alignment, alignment[u]);
    }
  });
}

}  // namespace
}  // namespace telamalloc::testing

#include "search/placement.h"

#include <gtest/gtest.h>

#include <optional>
#include <vector>

#include "core/timeline/build.h"
#include "search/propagate.h"
#include "support/problem_text.h"
#include "support/random_problem.h"
#include "telamalloc/problem.h"
#include "timeline/timeline.h"

namespace telamalloc {
namespace {

using testing::AllFeatures;
using testing::ProblemToText;
using testing::Random;
using testing::RandomProblem;

// Everything that a placement tells, for comparing states.
struct State {
  std::vector<std::int64_t> offsets;
  std::vector<std::int64_t> lowest;
  std::vector<std::int64_t> unplaced_bytes;
  friend bool operator==(const State&, const State&) = default;
};

State StateOf(const Placement& placement) {
  State state;
  for (std::int32_t u = 0; u < placement.instance().unit_count(); ++u) {
    state.offsets.push_back(placement.offset(u));
    state.lowest.push_back(placement.lowest_offset(u));
  }
  for (std::int32_t s = 0; s < placement.instance().section_count(); ++s) {
    state.unplaced_bytes.push_back(placement.unplaced_bytes(s));
  }
  return state;
}

// Lowest free position by trying every one.
std::optional<std::int64_t> LowestFreeByTrying(const Placement& placement, std::int32_t unit) {
  const SearchInstance& instance = placement.instance();
  const SearchUnit& u = instance.units[unit];
  for (std::int64_t offset = 0; offset + u.size <= placement.capacity(); offset += u.alignment) {
    bool free = true;
    for (const SearchPiece& piece : instance.pieces_of(u)) {
      for (std::int32_t s = piece.section_begin; s < piece.section_end; ++s) {
        for (const Occupied& taken : placement.occupied(s)) {
          free = free && (taken.upper <= offset + piece.lower || offset + piece.upper <= taken.lower);
        }
      }
    }
    if (free) return offset;
  }
  return std::nullopt;
}

// Places units at random until nothing fits, checking each step; then backtracks to random levels.
void Exercise(const Timeline& timeline, const Partition& partition, std::uint64_t seed) {
  const SearchInstance instance = BuildInstance(timeline, partition);
  const std::int64_t capacity = 2 * partition.lower_bound / instance.scale + 4;
  Placement placement(instance, capacity);
  Propagator propagator(placement, {});
  if (!propagator.Start()) return;
  Random random(seed);
  std::vector<State> states = {StateOf(placement)};
  const std::int32_t root = placement.level();
  for (int step = 0; step < 40 && placement.unplaced_count() > 0; ++step) {
    const auto unit = static_cast<std::int32_t>(random.Uniform(0, instance.unit_count() - 1));
    if (placement.placed(unit)) continue;
    ASSERT_EQ(LowestFreeByTrying(placement, unit), placement.lowest_offset(unit));
    ASSERT_EQ(placement.LowestFree(unit, 0), placement.lowest_offset(unit));
    if (propagator.Place(unit, placement.lowest_offset(unit))) {
      ASSERT_TRUE(placement.CheckInvariants());
      states.push_back(StateOf(placement));
      continue;
    }
    const auto level = static_cast<std::size_t>(random.Uniform(0, placement.level() - root - 1));
    placement.BacktrackTo(root + static_cast<std::int32_t>(level));
    ASSERT_TRUE(placement.CheckInvariants());
    ASSERT_EQ(StateOf(placement), states[level]);
    states.resize(level + 1);
  }
}

TEST(Placement, KeepsInvariantsAndRestoresEveryLevel) {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    testing::RandomProblemOptions options = AllFeatures();
    options.buffers = 10;
    const Problem problem = RandomProblem(seed, options);
    SCOPED_TRACE(::testing::Message() << "seed " << seed << "\n" << ProblemToText(problem));
    const Timeline timeline = testing::BuildValid(problem);
    for (const Partition& partition : timeline.partitions()) {
      Exercise(timeline, partition, seed);
      if (HasFatalFailure()) return;
    }
  }
}

}  // namespace
}  // namespace telamalloc

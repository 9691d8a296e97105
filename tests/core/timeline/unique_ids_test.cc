// UniqueIds against a map, on ids that ascend, ids that do not, and ids that stop ascending somewhere.
#include "timeline/unique_ids.h"

#include <map>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "support/random_problem.h"

namespace telamalloc::testing {
namespace {

// For each buffer with an id, the first that has it too.
std::vector<std::size_t> FirstWithId(const std::vector<Buffer>& buffers) {
  Budget unlimited;
  UniqueIds ids(buffers, unlimited);
  std::vector<std::size_t> first;
  for (std::size_t b = 0; b < buffers.size(); ++b) {
    if (!buffers[b].id.empty()) first.push_back(ids.Insert(b));
  }
  return first;
}

std::vector<Buffer> WithIds(const std::vector<std::string>& ids) {
  std::vector<Buffer> buffers;
  for (const std::string& id : ids) buffers.push_back({.start = 0, .end = 1, .size = 1, .id = id});
  return buffers;
}

TEST(UniqueIds, TakesNumbersInOrderForUnique) {
  std::vector<std::string> ids;
  std::vector<std::size_t> expected;
  for (std::size_t b = 0; b < 1200; ++b) {
    ids.push_back("b" + std::to_string(b));
    expected.push_back(b);
  }
  EXPECT_EQ(FirstWithId(WithIds(ids)), expected);
}

TEST(UniqueIds, FindsTheSameIdTwiceInARow) {
  EXPECT_EQ(FirstWithId(WithIds({"a", "b", "b", "c"})), (std::vector<std::size_t>{0, 1, 1, 3}));
}

TEST(UniqueIds, FindsAnIdFromBeforeTheOrderBroke) {
  EXPECT_EQ(FirstWithId(WithIds({"", "1", "", "9", "10", "2", "10", "1"})),
            (std::vector<std::size_t>{1, 3, 4, 5, 4, 1}));
}

TEST(UniqueIds, AgreesWithAMap) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Random random(seed);
    const std::int64_t ascending = random.Uniform(0, 40);
    std::vector<std::string> ids;
    for (std::int64_t b = 0; b < 40; ++b) {
      ids.push_back(random.OneIn(8) ? "" : std::to_string(b < ascending ? b : random.Uniform(0, 200)));
    }
    std::map<std::string, std::size_t> first_of;
    std::vector<std::size_t> expected;
    for (std::size_t b = 0; b < ids.size(); ++b) {
      if (!ids[b].empty()) expected.push_back(first_of.emplace(ids[b], b).first->second);
    }
    EXPECT_EQ(FirstWithId(WithIds(ids)), expected) << "seed " << seed;
  }
}

TEST(UniqueIds, StopsWithItsBudgetWhenItTurnsToHashing) {
  std::vector<std::string> ids;
  for (int b = 0; b < 100'000; ++b) ids.push_back(std::to_string(b));
  ids.emplace_back("0");
  const std::vector<Buffer> buffers = WithIds(ids);
  int polls = 0;
  Budget budget(std::nullopt, std::nullopt, [&] { return ++polls == 3; });
  UniqueIds unique(buffers, budget);
  for (std::size_t b = 0; b < buffers.size(); ++b) unique.Insert(b);
  EXPECT_TRUE(budget.exhausted());
  EXPECT_EQ(polls, 3);
}

}  // namespace
}  // namespace telamalloc::testing

// What each rule beyond the paper buys TelaMalloc's search: one Markdown row per set of rules, over the same
// 200 random problems, by nodes rather than seconds so that the table is the same on every machine.
//
// A problem: 40 buffers, lifetimes within 20 ticks, sizes of 1 to 30 bytes, capacity 1 % above the load.
#include <array>
#include <cstdint>
#include <cstdio>

#include "support/random_problem.h"
#include "telamalloc/solver.h"

namespace telamalloc {
namespace {

constexpr int kProblems = 200;
constexpr std::int64_t kMaxNodes = 10'000;

struct RuleSet {
  const char* name;
  SearchRules rules;
};

constexpr SearchRules kPaper = {
    .section_sums = false, .tail_sums = false, .symmetry = false, .complete = false, .restarts = false};

// `rules` with one of them set to `on`.
constexpr SearchRules With(SearchRules rules, bool SearchRules::*rule, bool on) {
  rules.*rule = on;
  return rules;
}

constexpr std::array kRuleSets = {
    RuleSet{"none (the paper)", kPaper},
    RuleSet{"section_sums alone", With(kPaper, &SearchRules::section_sums, true)},
    RuleSet{"tail_sums alone", With(kPaper, &SearchRules::tail_sums, true)},
    RuleSet{"symmetry alone", With(kPaper, &SearchRules::symmetry, true)},
    RuleSet{"complete alone", With(kPaper, &SearchRules::complete, true)},
    RuleSet{"restarts alone", With(kPaper, &SearchRules::restarts, true)},
    RuleSet{"all", {}},
    RuleSet{"all but section_sums", With({}, &SearchRules::section_sums, false)},
    RuleSet{"all but tail_sums", With({}, &SearchRules::tail_sums, false)},
    RuleSet{"all but symmetry", With({}, &SearchRules::symmetry, false)},
    RuleSet{"all but complete", With({}, &SearchRules::complete, false)},
    RuleSet{"all but restarts", With({}, &SearchRules::restarts, false)},
};

void PrintRow(const RuleSet& set) {
  int solved = 0;
  SolveStats sum;
  for (int seed = 0; seed < kProblems; ++seed) {
    Problem problem = testing::RandomProblem(seed, {.buffers = 40, .ticks = 20, .max_size = 30});
    const std::int64_t load = PreparedProblem::Create(problem)->lower_bound();
    problem.capacity = load + load / 100;
    const SolveResult result = *Solve(*PreparedProblem::Create(problem),
                                      {.solver = "telamalloc", .max_nodes = kMaxNodes, .rules = set.rules});
    if (result.outcome == Outcome::kFeasible && result.method == Method::kTelamalloc) ++solved;
    sum.nodes += result.stats.nodes;
    sum.minor_backtracks += result.stats.minor_backtracks;
    sum.major_backtracks += result.stats.major_backtracks;
  }
  std::printf("| %s | %d | %ld | %ld | %ld |\n", set.name, solved, static_cast<long>(sum.nodes / kProblems),
              static_cast<long>(sum.minor_backtracks / kProblems),
              static_cast<long>(sum.major_backtracks / kProblems));
}

}  // namespace
}  // namespace telamalloc

int main() {
  std::printf("| rules | solved of %d | nodes | minor backtracks | major backtracks |\n",
              telamalloc::kProblems);
  std::printf("| --- | --- | --- | --- | --- |\n");
  for (const telamalloc::RuleSet& set : telamalloc::kRuleSets) telamalloc::PrintRow(set);
}

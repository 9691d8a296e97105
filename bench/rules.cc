// What each rule beyond the paper buys TelaMalloc's search, and each rule of the exact search, over the
// families of families.h and the instances in given files:
//
//   telamalloc_rules --count=10 > tables.md
//   telamalloc_rules --search=exact --capacity=1048576 FILE.csv..
//
// Markdown tables. An instance counts as solved when it is decided: a placement, or a proof that there is
// none. Each is stopped after --max_nodes decisions or --time_limit, whichever comes first; while it is
// always the former, counts are the same on every machine. Times are in-process solve times.
#include <array>
#include <chrono>
#include <cstdint>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "bench/families.h"
#include "bench/jitter.h"
#include "telamalloc/solver.h"

ABSL_FLAG(std::string, search, "telamalloc", "Whose rules: telamalloc or exact");
ABSL_FLAG(std::int64_t, count, 10, "Instances per family and capacity");
ABSL_FLAG(std::int64_t, max_nodes, 200'000, "Decisions per instance");
ABSL_FLAG(absl::Duration, time_limit, absl::Seconds(1), "Per instance");
ABSL_FLAG(std::int64_t, capacity, 1 << 20, "Of the instances in files, bytes");

namespace telamalloc::bench {
namespace {

constexpr std::array<std::int64_t, 4> kMilliseconds = {1, 10, 100, 1000};

struct RuleSet {
  std::string name;
  SearchRules rules;
  ExactRules exact_rules;
};

struct Rows {
  std::string name;
  std::vector<Problem> instances;
};

struct Sum {
  std::int64_t instances = 0;
  std::array<std::int64_t, kMilliseconds.size()> solved{};  // within kMilliseconds
  std::int64_t decided = 0;
  std::int64_t nodes = 0;
  std::int64_t minor_backtracks = 0;
  std::int64_t major_backtracks = 0;
  double seconds = 0;
};

struct NamedRule {
  const char* name;
  bool SearchRules::*rule;
};
constexpr std::array kRules = {
    NamedRule{"section_sums", &SearchRules::section_sums}, NamedRule{"tail_sums", &SearchRules::tail_sums},
    NamedRule{"symmetry", &SearchRules::symmetry}, NamedRule{"complete", &SearchRules::complete},
    NamedRule{"restarts", &SearchRules::restarts}};

struct NamedExactRule {
  const char* name;
  bool ExactRules::*rule;
};
constexpr std::array kExactRules = {NamedExactRule{"real_ground", &ExactRules::real_ground},
                                    NamedExactRule{"holes", &ExactRules::holes},
                                    NamedExactRule{"spanning", &ExactRules::spanning},
                                    NamedExactRule{"components", &ExactRules::components},
                                    NamedExactRule{"jumps", &ExactRules::jumps},
                                    NamedExactRule{"memory", &ExactRules::memory},
                                    NamedExactRule{"restarts", &ExactRules::restarts}};

constexpr SearchRules kPaper = {
    .section_sums = false, .tail_sums = false, .symmetry = false, .complete = false, .restarts = false};

// The paper, each addition alone, all, all but one.
std::vector<RuleSet> SearchRuleSets() {
  std::vector<RuleSet> sets = {{.name = "none (the paper)", .rules = kPaper, .exact_rules = {}}};
  for (const NamedRule& rule : kRules) {
    sets.push_back({.name = absl::StrCat(rule.name, " alone"), .rules = kPaper, .exact_rules = {}});
    sets.back().rules.*rule.rule = true;
  }
  sets.push_back({.name = "all", .rules = {}, .exact_rules = {}});
  for (const NamedRule& rule : kRules) {
    sets.push_back({.name = absl::StrCat("all but ", rule.name), .rules = {}, .exact_rules = {}});
    sets.back().rules.*rule.rule = false;
  }
  return sets;
}

// All, and all but one.
std::vector<RuleSet> ExactRuleSets() {
  std::vector<RuleSet> sets = {{.name = "all", .rules = {}, .exact_rules = {}}};
  for (const NamedExactRule& rule : kExactRules) {
    sets.push_back({.name = absl::StrCat("all but ", rule.name), .rules = {}, .exact_rules = {}});
    sets.back().exact_rules.*rule.rule = false;
  }
  return sets;
}

std::vector<Rows> FamilyRows() {
  std::vector<Rows> all;
  for (const Family& family : Families()) {
    for (const std::int64_t percent : family.percents) {
      Rows rows = {.name = absl::StrFormat("%s at %d.%02d", family.name, percent / 100, percent % 100),
                   .instances = {}};
      for (std::int64_t seed = 0; seed < absl::GetFlag(FLAGS_count); ++seed) {
        rows.instances.push_back(MakeInstance(family, static_cast<std::uint64_t>(seed), percent));
      }
      all.push_back(std::move(rows));
    }
  }
  return all;
}

void Solve(const Problem& problem, const RuleSet& set, Sum& sum) {
  const SolveResult result = *Solve(*PreparedProblem::Create(problem),
                                    {.solver = absl::GetFlag(FLAGS_search),
                                     .time_limit = absl::ToChronoNanoseconds(absl::GetFlag(FLAGS_time_limit)),
                                     .max_nodes = absl::GetFlag(FLAGS_max_nodes),
                                     .rules = set.rules,
                                     .exact_rules = set.exact_rules});
  const bool decided = result.outcome != Outcome::kNoSolutionFound;
  ++sum.instances;
  for (std::size_t column = 0; column < kMilliseconds.size(); ++column) {
    const std::chrono::milliseconds within(kMilliseconds[column]);
    sum.solved[column] += decided && result.stats.solve_time <= within ? 1 : 0;
  }
  sum.decided += decided ? 1 : 0;
  sum.nodes += result.stats.nodes;
  sum.minor_backtracks += result.stats.minor_backtracks;
  sum.major_backtracks += result.stats.major_backtracks;
  sum.seconds += std::chrono::duration<double>(result.stats.solve_time).count();
}

void Add(const Sum& other, Sum& sum) {
  sum.instances += other.instances;
  for (std::size_t column = 0; column < kMilliseconds.size(); ++column)
    sum.solved[column] += other.solved[column];
  sum.decided += other.decided;
  sum.nodes += other.nodes;
  sum.minor_backtracks += other.minor_backtracks;
  sum.major_backtracks += other.major_backtracks;
  sum.seconds += other.seconds;
}

std::string Percent(std::int64_t part, std::int64_t whole) {
  return absl::StrFormat("%.0f", 100 * static_cast<double>(part) / static_cast<double>(whole));
}

void PrintHeader(absl::string_view title, absl::string_view first) {
  std::cout << "\n" << title << "\n\n| " << first << " |";
  for (const std::int64_t ms : kMilliseconds) std::cout << " " << ms << " ms |";
  std::cout << " nodes | minor | major | ms |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n";
}

void PrintRow(const std::string& name, const Sum& sum) {
  std::cout << "| " << name << " |";
  for (const std::int64_t solved : sum.solved) std::cout << " " << Percent(solved, sum.instances) << " |";
  std::cout << " " << sum.nodes / sum.instances << " | " << sum.minor_backtracks / sum.instances << " | "
            << sum.major_backtracks / sum.instances << " | "
            << absl::StrFormat("%.1f", 1000 * sum.seconds / static_cast<double>(sum.instances)) << " |\n"
            << std::flush;
}

// Rows as rows, rule sets as columns: the share decided, and the nodes.
void PrintMatrix(const std::vector<RuleSet>& sets, const std::vector<Rows>& rows,
                 const std::vector<std::vector<Sum>>& sums) {
  std::cout << "\nDecided %, and mean nodes:\n\n| instances |";
  for (const RuleSet& set : sets) std::cout << " " << set.name << " |";
  std::cout << "\n| --- |";
  for (std::size_t s = 0; s < sets.size(); ++s) std::cout << " --- |";
  for (std::size_t r = 0; r < rows.size(); ++r) {
    std::cout << "\n| " << rows[r].name << " |";
    for (std::size_t s = 0; s < sets.size(); ++s) {
      const Sum& sum = sums[s][r];
      std::cout << " " << Percent(sum.decided, sum.instances) << ", " << sum.nodes / sum.instances << " |";
    }
  }
  std::cout << "\n";
}

void Compare(const std::vector<RuleSet>& sets, const std::vector<Rows>& rows) {
  std::vector<std::vector<Sum>> sums(sets.size(), std::vector<Sum>(rows.size()));
  PrintHeader("All instances: % solved within, and means:", "rules");
  for (std::size_t s = 0; s < sets.size(); ++s) {
    Sum all;
    for (std::size_t r = 0; r < rows.size(); ++r) {
      for (const Problem& problem : rows[r].instances) Solve(problem, sets[s], sums[s][r]);
      Add(sums[s][r], all);
    }
    PrintRow(sets[s].name, all);
  }
  PrintHeader(absl::StrCat("With ", sets[0].name, ": % solved within, and means:"), "instances");
  for (std::size_t r = 0; r < rows.size(); ++r) PrintRow(rows[r].name, sums[0][r]);
  PrintMatrix(sets, rows, sums);
}

int Run(const std::vector<char*>& paths) {
  const std::string search = absl::GetFlag(FLAGS_search);
  if ((search != "telamalloc" && search != "exact") || absl::GetFlag(FLAGS_count) < 1) {
    std::cerr << "usage: telamalloc_rules [--search=telamalloc|exact] [--count=N] [--capacity=BYTES] "
                 "[FILE.csv..]\n";
    return 2;
  }
  std::vector<Rows> rows = FamilyRows();
  for (const char* path : paths) {
    absl::StatusOr<Problem> problem = ReadProblemFile(path);
    if (!problem.ok()) {
      std::cerr << problem.status().message() << "\n";
      return 1;
    }
    problem->capacity = absl::GetFlag(FLAGS_capacity);
    rows.push_back({.name = problem->name, .instances = {*problem}});
  }
  Compare(search == "exact" ? ExactRuleSets() : SearchRuleSets(), rows);
  return 0;
}

}  // namespace
}  // namespace telamalloc::bench

int main(int argc, char** argv) {
  const std::vector<char*> arguments = absl::ParseCommandLine(argc, argv);
  return telamalloc::bench::Run({arguments.begin() + 1, arguments.end()});
}

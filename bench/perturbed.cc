// How many instances like the given ones are solved in time:
//
//   telamalloc_perturbed --capacity=1048576 --count=10 --seed=1 FILE.csv..
//
// Each file gives `count` instances (jitter.h), brought to a load of at most --load percent of the capacity;
// nobody knows whether they have placements. With --witness they have: the base is solved first and its
// placement jittered. Each is solved in fit mode with default settings; the time counts validation too. One
// Markdown row per file and solver, and the sum. INFEASIBLE is a proof, and counts as decided.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "bench/jitter.h"
#include "support/random_problem.h"
#include "telamalloc/solver.h"

ABSL_FLAG(std::int64_t, capacity, 1 << 20, "Bytes");
ABSL_FLAG(std::int64_t, count, 10, "Instances per file");
ABSL_FLAG(std::uint64_t, seed, 1, "Of the instances");
ABSL_FLAG(absl::Duration, time_limit, absl::Seconds(1), "Per instance");
ABSL_FLAG(double, load, 100, "Percent of the capacity that may be live");
ABSL_FLAG(bool, witness, false, "Make only instances that have a placement");
ABSL_FLAG(std::vector<std::string>, solver, std::vector<std::string>({"auto", "telamalloc"}),
          "Names of solvers, by comma");

namespace telamalloc::bench {
namespace {

constexpr std::int64_t kWitnessNodes = 10'000'000;

struct Row {
  std::int64_t solved = 0;
  std::int64_t infeasible = 0;
  std::int64_t nodes = 0;
  double load = 0;  // sum of shares of the capacity
  std::vector<double> milliseconds;
  std::string unsolved;  // numbers of instances
};

void Print(const std::string& name, const std::string& solver, Row row) {
  std::ranges::sort(row.milliseconds);
  const auto count = static_cast<double>(row.milliseconds.size());
  std::printf("| %s | %s | %zu | %.3f | %ld | %ld | %.1f | %.2f | %.1f | %ld | %s |\n", name.c_str(),
              solver.c_str(), row.milliseconds.size(), row.load / count, static_cast<long>(row.solved),
              static_cast<long>(row.infeasible),
              100 * static_cast<double>(row.solved + row.infeasible) / count,
              row.milliseconds[row.milliseconds.size() / 2], row.milliseconds.back(),
              static_cast<long>(static_cast<double>(row.nodes) / count), row.unsolved.c_str());
  std::fflush(stdout);
}

void SolveOne(const Problem& problem, const std::string& solver, std::int64_t number, Row& row) {
  const auto started = std::chrono::steady_clock::now();
  const PreparedProblem prepared = *PreparedProblem::Create(problem);
  const SolveResult result = *Solve(
      prepared, {.solver = solver, .time_limit = absl::ToChronoNanoseconds(absl::GetFlag(FLAGS_time_limit))});
  const std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - started;
  row.milliseconds.push_back(elapsed.count());
  row.nodes += result.stats.nodes;
  row.load += static_cast<double>(prepared.lower_bound()) / static_cast<double>(*problem.capacity);
  if (result.outcome == Outcome::kFeasible) {
    ++row.solved;
  } else if (result.outcome == Outcome::kInfeasible) {
    ++row.infeasible;
  } else {
    absl::StrAppend(&row.unsolved, row.unsolved.empty() ? "" : " ", number);
  }
}

void Add(const Row& row, Row& sum) {
  sum.solved += row.solved;
  sum.infeasible += row.infeasible;
  sum.nodes += row.nodes;
  sum.load += row.load;
  sum.milliseconds.insert(sum.milliseconds.end(), row.milliseconds.begin(), row.milliseconds.end());
}

struct Base {
  Problem problem;
  std::optional<Solution> witness;  // a placement to jitter
};

// Errors: kFailedPrecondition if a placement is wanted but not found.
absl::StatusOr<Base> ReadBase(const std::string& path) {
  absl::StatusOr<Problem> problem = ReadProblemFile(path);
  if (!problem.ok()) return problem.status();
  problem->capacity = absl::GetFlag(FLAGS_capacity);
  Base base = {.problem = *std::move(problem), .witness = std::nullopt};
  if (!absl::GetFlag(FLAGS_witness)) return base;
  const SolveResult result = *Solve(*PreparedProblem::Create(base.problem), {.max_nodes = kWitnessNodes});
  if (result.outcome != Outcome::kFeasible) {
    return absl::FailedPreconditionError(absl::StrCat(path, ": no placement found within the capacity"));
  }
  base.witness = result.solution;
  return base;
}

Row RowOf(const Base& base, const std::string& solver) {
  const std::int64_t capacity = absl::GetFlag(FLAGS_capacity);
  const auto load =
      static_cast<std::int64_t>(static_cast<double>(capacity) * absl::GetFlag(FLAGS_load) / 100);
  Row row;
  for (std::int64_t k = 0; k < absl::GetFlag(FLAGS_count); ++k) {
    testing::Random random(absl::GetFlag(FLAGS_seed) * 1'000'003 + static_cast<std::uint64_t>(k));
    Problem problem = base.witness ? JitteredPlacement(base.problem, base.witness->offsets, capacity, random)
                                   : WithinLoad(Jittered(base.problem, random), load);
    problem.capacity = capacity;
    SolveOne(problem, solver, k, row);
  }
  return row;
}

int Run(const std::vector<char*>& paths) {
  std::vector<Base> bases;
  for (const char* path : paths) {
    absl::StatusOr<Base> base = ReadBase(path);
    if (!base.ok()) {
      std::cerr << base.status().message() << "\n";
      return 1;
    }
    bases.push_back(*std::move(base));
  }
  if (bases.empty() || absl::GetFlag(FLAGS_count) < 1 || absl::GetFlag(FLAGS_capacity) < 1) {
    std::cerr << "usage: telamalloc_perturbed --capacity=BYTES [--count=N] [--seed=N] FILE.csv..\n";
    return 2;
  }
  std::printf(
      "| base | solver | instances | load | solved | infeasible | decided %% | median ms | max ms | nodes | "
      "undecided |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
  for (const std::string& solver : absl::GetFlag(FLAGS_solver)) {
    Row sum;
    for (const Base& base : bases) {
      const Row row = RowOf(base, solver);
      Print(base.problem.name, solver, row);
      Add(row, sum);
    }
    Print("all", solver, sum);
  }
  return 0;
}

}  // namespace
}  // namespace telamalloc::bench

int main(int argc, char** argv) {
  const std::vector<char*> arguments = absl::ParseCommandLine(argc, argv);
  return telamalloc::bench::Run({arguments.begin() + 1, arguments.end()});
}

// By how much Solve() overruns its time limit.
//
//   telamalloc_overrun --repetitions=20 [--capacity=1048576 FILE.csv..]
//
// One Markdown row per instance and solver, over limits of 1 to 50 ms:
//   late       wall time from the limit to the return: p50, p99 and the largest. On a machine that does other
//              things the tail is theirs.
//   silence    the longest time of this thread's own processor between two calls of SolveOptions::stop, or
//   from
//              the last call to the return: what the tail would be on an idle machine.
//   at         where in the solve the longest silence began, as a share of the limit.
// Runs that end before the limit are not counted.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <ctime>
#include <iostream>
#include <string>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "bench/jitter.h"
#include "bench/shapes.h"
#include "support/random_problem.h"
#include "telamalloc/solver.h"

ABSL_FLAG(std::int64_t, repetitions, 10, "Runs per instance, solver and limit");
ABSL_FLAG(std::int64_t, capacity, 1 << 20, "Of the instances in files, bytes");

namespace telamalloc::bench {
namespace {

using Clock = std::chrono::steady_clock;
using Milliseconds = std::chrono::duration<double, std::milli>;

constexpr std::array<std::int64_t, 5> kLimits = {1, 2, 5, 20, 50};  // ms

double ThreadMilliseconds() {
  std::timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e3 * static_cast<double>(now.tv_sec) + 1e-6 * static_cast<double>(now.tv_nsec);
}

struct Row {
  std::vector<double> late;  // ms
  double silence = 0;        // ms
  double at = 0;             // of the limit
};

void SolveOnce(const PreparedProblem& prepared, const std::string& solver, std::int64_t limit, Row& row) {
  const bool fit = prepared.problem().capacity.has_value();
  const double started_cpu = ThreadMilliseconds();
  double last = started_cpu;
  Row one;
  const auto heard = [&] {
    const double now = ThreadMilliseconds();
    if (now - last > one.silence) {
      one.silence = now - last;
      one.at = (last - started_cpu) / static_cast<double>(limit);
    }
    last = now;
    return false;
  };
  const Clock::time_point started = Clock::now();
  const SolveResult result = *Solve(prepared, {.objective = fit ? Objective::kFit : Objective::kMinimize,
                                               .solver = solver,
                                               .time_limit = std::chrono::milliseconds(limit),
                                               .stop = heard});
  const double late = Milliseconds(Clock::now() - started).count() - static_cast<double>(limit);
  heard();
  if (result.limit != Limit::kTime && late <= 0) return;
  row.late.push_back(late);
  if (one.silence > row.silence) {
    row.silence = one.silence;
    row.at = one.at;
  }
}

void Print(const std::string& name, absl::string_view solver, Row row) {
  if (row.late.empty()) {
    std::cout << absl::StrFormat("| %s | %s | 0 | | | | | |\n", name, solver);
    return;
  }
  std::ranges::sort(row.late);
  const auto last = row.late.size() - 1;
  std::cout << absl::StrFormat("| %s | %s | %d | %.2f | %.2f | %.2f | %.2f | %.2f |\n", name, solver,
                               row.late.size(), row.late[last / 2], row.late[last * 99 / 100], row.late[last],
                               row.silence, row.at)
            << std::flush;
}

// With the load as capacity, so that only a search can end before the limit.
Problem AtLoad(Problem problem, std::string name) {
  problem.capacity = PreparedProblem::Create(problem)->lower_bound();
  problem.name = std::move(name);
  return problem;
}

Problem Unbounded(Problem problem, std::string name) {
  problem.name = std::move(name);
  return problem;
}

Problem ShapeOf(absl::string_view name, std::int64_t buffers) {
  const std::span<const Shape> shapes = Shapes();
  return std::ranges::find(shapes, name, [](const Shape& shape) { return absl::string_view(shape.name); })
      ->make(buffers);
}

std::vector<Problem> Instances() {
  std::vector<Problem> instances;
  instances.push_back(
      AtLoad(testing::RandomProblem(11, {.buffers = 200, .ticks = 60, .max_size = 1000}), "hard 200"));
  instances.push_back(
      AtLoad(testing::RandomProblem(11, {.buffers = 2000, .ticks = 600, .max_size = 1000}), "hard 2,000"));
  instances.push_back(AtLoad(
      testing::RandomProblem(5, {.buffers = 300, .ticks = 90, .max_size = 1000, .gaps = true}), "gaps 300"));
  instances.push_back(AtLoad(ShapeOf("Chain", 100'000), "chain 100k"));
  instances.push_back(Unbounded(ShapeOf("Chain", 100'000), "chain 100k, minimise"));
  instances.push_back(AtLoad(ShapeOf("FullOverlap", 10'000), "full overlap 10k"));
  instances.push_back(AtLoad(ShapeOf("Random", 1'000'000), "random 1M"));
  instances.push_back(Unbounded(ShapeOf("Random", 1'000'000), "random 1M, minimise"));
  return instances;
}

int Run(const std::vector<char*>& paths) {
  std::vector<Problem> instances = Instances();
  for (const char* path : paths) {
    absl::StatusOr<Problem> problem = ReadProblemFile(path);
    if (!problem.ok()) {
      std::cerr << problem.status().message() << "\n";
      return 1;
    }
    problem->capacity = absl::GetFlag(FLAGS_capacity);
    instances.push_back(*std::move(problem));
  }
  std::cout << "| instance | solver | runs | late p50 ms | p99 | max | silence ms | at |\n"
               "| --- | --- | --- | --- | --- | --- | --- | --- |\n";
  Row all;
  for (Problem& problem : instances) {
    const std::string name = problem.name;
    const PreparedProblem prepared = *PreparedProblem::Create(std::move(problem));
    for (const absl::string_view solver : SolverNames()) {
      Row row;
      for (std::int64_t run = 0; run < absl::GetFlag(FLAGS_repetitions); ++run) {
        for (const std::int64_t limit : kLimits)
          SolveOnce(prepared, {solver.data(), solver.size()}, limit, row);
      }
      Print(name, solver, row);
      all.late.insert(all.late.end(), row.late.begin(), row.late.end());
      all.silence = std::max(all.silence, row.silence);
    }
  }
  Print("all", "all", all);
  return 0;
}

}  // namespace
}  // namespace telamalloc::bench

int main(int argc, char** argv) {
  const std::vector<char*> arguments = absl::ParseCommandLine(argc, argv);
  return telamalloc::bench::Run({arguments.begin() + 1, arguments.end()});
}

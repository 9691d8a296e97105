// Times the units of the solver library, one benchmark per unit, shape and size: BM_<Unit>_<Shape>/<n>.
//
// Searches run under a node limit, so that two builds do the same work and only its cost differs.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "bench/shapes.h"
#include "search/strategy.h"
#include "search/telamalloc.h"
#include "telamalloc/csv.h"
#include "telamalloc/solution.h"
#include "telamalloc/solver.h"
#include "timeline/budget.h"
#include "timeline/timeline.h"

namespace telamalloc::bench {
namespace {

constexpr std::int64_t kMaxNodes = 10'000;

void CountBuffers(benchmark::State& state) { state.SetItemsProcessed(state.iterations() * state.range(0)); }

Timeline BuildTimeline(const Problem& problem) {
  Budget unlimited;
  return *Timeline::Build(problem, unlimited);
}

void TimelineBuild(benchmark::State& state, const Shape& shape) {
  const Problem problem = shape.make(state.range(0));
  for ([[maybe_unused]] auto _ : state) benchmark::DoNotOptimize(BuildTimeline(problem));
  CountBuffers(state);
}

void PlaceAll(benchmark::State& state, const Shape& shape, Heuristic place) {
  const Problem problem = shape.make(state.range(0));
  const Timeline timeline = BuildTimeline(problem);
  std::int64_t peak = 0;
  for ([[maybe_unused]] auto _ : state) {
    peak = 0;
    for (const Partition& partition : timeline.partitions()) {
      Budget unlimited;
      peak = std::max(peak, place(timeline, partition, unlimited)->peak);
    }
  }
  state.counters["peak_to_bound"] = static_cast<double>(peak) / static_cast<double>(timeline.lower_bound());
  CountBuffers(state);
}

// Looks for a placement within the bound itself, partition by partition.
void Search(benchmark::State& state, const Shape& shape) {
  const Problem problem = shape.make(state.range(0));
  const Timeline timeline = BuildTimeline(problem);
  SolveStats stats;
  for ([[maybe_unused]] auto _ : state) {
    stats = {};
    for (const Partition& partition : timeline.partitions()) {
      if (!TelamallocSearch::Accepts(timeline, partition)) return state.SkipWithError("too large for search");
      Budget budget(std::nullopt, kMaxNodes, nullptr);
      TelamallocSearch search(timeline, partition, timeline.lower_bound(), {});
      benchmark::DoNotOptimize(search.Run(kMaxNodes, budget, stats));
    }
  }
  state.counters["nodes"] = static_cast<double>(stats.nodes);
  CountBuffers(state);
}

void SolveMinimize(benchmark::State& state, const Shape& shape) {
  const PreparedProblem prepared = *PreparedProblem::Create(shape.make(state.range(0)));
  std::int64_t peak = 0;
  for ([[maybe_unused]] auto _ : state) {
    peak = Solve(prepared, {.objective = Objective::kMinimize, .max_nodes = kMaxNodes})->solution->peak;
  }
  state.counters["peak_to_bound"] = static_cast<double>(peak) / static_cast<double>(prepared.lower_bound());
  CountBuffers(state);
}

void VerifyPlacement(benchmark::State& state, const Shape& shape) {
  Problem problem = shape.make(state.range(0));
  const PreparedProblem prepared = *PreparedProblem::Create(problem);
  const SolveResult solved = *Solve(prepared, {.objective = Objective::kMinimize, .max_nodes = 0});
  for ([[maybe_unused]] auto _ : state) {
    benchmark::DoNotOptimize(Verify(problem, solved.solution->offsets));
  }
  CountBuffers(state);
}

void ReadCsv(benchmark::State& state, const Shape& shape) {
  const std::string text = WriteProblemCsv(shape.make(state.range(0)));
  for ([[maybe_unused]] auto _ : state) benchmark::DoNotOptimize(ReadProblemCsv(text));
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
  CountBuffers(state);
}

// Registers `run` for every shape. Up to `largest` buffers: what is quadratic on some shape stays small.
template <typename Run>
void Register(absl::string_view unit, std::int64_t largest, Run run) {
  for (const Shape& shape : Shapes()) {
    const std::string name = absl::StrCat("BM_", unit, "_", shape.name);
    benchmark::RegisterBenchmark(name.c_str(), [run, &shape](benchmark::State& state) { run(state, shape); })
        ->RangeMultiplier(10)
        ->Range(100, largest)
        ->Unit(benchmark::kMicrosecond);
  }
}

void RegisterAll() {
  Register("TimelineBuild", 1'000'000, TimelineBuild);
  for (const NamedHeuristic& heuristic : Heuristics()) {
    Register(absl::StrCat("Heuristic:", heuristic.name), 10'000,
             [place = heuristic.place](benchmark::State& state, const Shape& shape) {
               PlaceAll(state, shape, place);
             });
  }
  Register("Search", 1'000, Search);
  Register("SolveMinimize", 10'000, SolveMinimize);
  Register("Verify", 1'000'000, VerifyPlacement);
  Register("ReadCsv", 100'000, ReadCsv);
}

}  // namespace
}  // namespace telamalloc::bench

int main(int argc, char** argv) {
  telamalloc::bench::RegisterAll();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}

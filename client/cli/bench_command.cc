// telamalloc bench: one line per instance, always in this process.
//
// The capacity stands in the flag or in the file's name, as the public suites have it: A.1048576.csv,
// small_d_cap9.csv. Without one the peak is minimised.
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "client/cli/command.h"
#include "client/cli/engine.h"
#include "client/cli/files.h"
#include "client/cli/formats.h"
#include "client/cli/instances.h"
#include "client/cli/printable.h"
#include "client/cli/report.h"
#include "client/cli/solve_flags.h"
#include "telamalloc/client.h"
#include "telamalloc/problem.h"
#include "telamalloc/solver.h"

namespace telamalloc::cli {
namespace {

constexpr CommandDoc kDoc = {
    .name = "bench",
    .synopsis = "FILE|DIR... [--flag=VALUE]...",
    .summary = "Solves many problems and prints a row for each, and the sum.",
    .details =
        "Examples:\n"
        "  telamalloc bench instances/ --timeout=60s\n"
        "  telamalloc bench A.1048576.csv --objective=minimize --repeat=5 --json\n\n"
        "The capacity is the flag's, else the file's, else that in its name (.1048576.csv, _cap13.csv);\n"
        "without one, the objective is minimize. The time includes preparing, not reading.\n"
        "Exit codes: 0 all ran, whatever their outcomes; 4 one could not be read or was refused.\n"};

struct BenchFlags {
  EngineFlags engine;
  InputOptions input_options;
  std::optional<std::int64_t> repeat;
  bool json = false;
};

FlagSet Declare(BenchFlags& values) {
  FlagSet flags;
  DeclareEngineFlags(flags, values.engine);
  flags.Integer("repeat", "N", "solve each N times, 1 to 10000, and print the median time; default 1",
                values.repeat, {.least = 1, .most = 10'000});
  flags.Switch("json", "one JSON object per line", values.json);
  DeclareInputFlags(flags, values.input_options);
  return flags;
}

struct Row {
  std::string name;
  Problem problem;
  ClientResult answer;
  double seconds = 0;  // the median
};

struct Sum {
  std::int64_t instances = 0;
  std::int64_t solved = 0;
  std::int64_t nodes = 0;
  double seconds = 0;
};

// Solves one instance as often as asked. The answer is the first one's.
absl::StatusOr<Row> RunInstance(const BenchFlags& flags, const std::string& path) {
  absl::StatusOr<Input> input = ReadInput(path, flags.input_options);
  if (!input.ok()) return input.status();
  Row row = {.name = BaseName(path), .problem = std::move(input->problem), .answer = {}};
  const bool minimize = flags.engine.objective == Objective::kMinimize;
  if (flags.engine.capacity) row.problem.capacity = flags.engine.capacity;
  if (!row.problem.capacity && !minimize) row.problem.capacity = CapacityInName(row.name);
  const Objective objective =
      flags.engine.objective.value_or(row.problem.capacity ? Objective::kFit : Objective::kMinimize);
  if (objective == Objective::kFit && !row.problem.capacity) {
    return absl::InvalidArgumentError(
        absl::StrCat(input->source.name, ": no capacity: say --capacity=BYTES, or --objective=minimize"));
  }

  std::vector<double> seconds;
  for (std::int64_t turn = 0; turn < flags.repeat.value_or(1); ++turn) {
    absl::StatusOr<ClientResult> answer =
        SolveWith(row.problem, ToEngineOptions(flags.engine, objective, ""));
    if (!answer.ok()) return Located(answer.status(), input->source);
    seconds.push_back(std::chrono::duration<double>(answer->result.stats.solve_time).count());
    if (turn == 0) row.answer = *std::move(answer);
  }
  const auto median = seconds.begin() + static_cast<std::ptrdiff_t>(seconds.size() / 2);
  std::ranges::nth_element(seconds, median);
  row.seconds = *median;
  return row;
}

// Prints rows as they come.
class Table {
 public:
  Table(bool json, const std::vector<std::string>& paths) : json_(json) {
    for (const std::string& path : paths)
      name_width_ = std::max(name_width_, Printable(BaseName(path)).size());
  }

  void Head() const {
    if (json_) return;
    std::printf("%-*s %9s %15s %15s %15s  %-17s  %-10s %12s %13s\n", Width(), "name", "buffers", "capacity",
                "lower_bound", "peak", "outcome", "method", "nodes", "solve_seconds");
    std::fflush(stdout);  // before what standard error has to say
  }

  void Add(const Row& row) const {
    const SolveResult& result = row.answer.result;
    std::optional<std::int64_t> peak;
    if (result.solution) peak = result.solution->peak;
    const auto buffers = static_cast<std::int64_t>(row.problem.buffers.size());
    if (json_) {
      Print(JsonObject()
                .Add("name", row.name)
                .Add("buffers", buffers)
                .Add("capacity", row.problem.capacity)
                .Add("lower_bound", result.lower_bound)
                .Add("peak", peak)
                .Add("outcome", Name(result.outcome))
                .Add("method", Name(result.method))
                .Add("nodes", result.stats.nodes)
                .AddSeconds("solve_seconds", row.seconds));
      return;
    }
    std::printf("%-*s %9s %15s %15s %15s  %-17s  %-10s %12s %13.6f\n", Width(), Printable(row.name).c_str(),
                absl::StrCat(buffers).c_str(), Cell(row.problem.capacity).c_str(),
                Cell(result.lower_bound).c_str(), Cell(peak).c_str(),
                absl::StrCat(Name(result.outcome)).c_str(), absl::StrCat(Name(result.method)).c_str(),
                absl::StrCat(result.stats.nodes).c_str(), row.seconds);
    std::fflush(stdout);
  }

  void Foot(const Sum& sum) const {
    if (json_) {
      Print(JsonObject()
                .Add("name", "sum")
                .Add("instances", sum.instances)
                .Add("solved", sum.solved)
                .Add("nodes", sum.nodes)
                .AddSeconds("solve_seconds", sum.seconds));
      return;
    }
    const std::string solved = absl::StrCat(sum.solved, " of ", sum.instances, " solved");
    std::printf("%-*s %9s %15s %15s %15s  %-17s  %-10s %12s %13.6f\n", Width(), "sum", "", "", "", "",
                solved.c_str(), "", absl::StrCat(sum.nodes).c_str(), sum.seconds);
  }

 private:
  [[nodiscard]] int Width() const { return static_cast<int>(name_width_); }
  static std::string Cell(std::optional<std::int64_t> number) { return number ? absl::StrCat(*number) : "-"; }
  static void Print(const JsonObject& object) {
    std::fputs(object.Text().c_str(), stdout);
    std::fflush(stdout);
  }

  bool json_;
  std::size_t name_width_ = 4;
};

void Count(const Row& row, Sum& sum) {
  const Outcome outcome = row.answer.result.outcome;
  ++sum.instances;
  sum.solved += outcome == Outcome::kOptimal || outcome == Outcome::kFeasible ? 1 : 0;
  sum.nodes += row.answer.result.stats.nodes;
  sum.seconds += row.seconds;
}

ExitCode Run(std::span<const std::string> arguments) {
  BenchFlags flags;
  const ParsedArguments parsed = ParseArguments(kDoc, Declare(flags), arguments, Positional::kAllowed);
  if (parsed.exit) return *parsed.exit;
  if (const absl::Status known = CheckSolverName(flags.engine.solver); !known.ok()) return Fail(kDoc, known);
  const absl::StatusOr<std::vector<std::string>> paths = FindInstances(parsed.positional);
  if (!paths.ok()) return Fail(kDoc, paths.status());

  const Table table(flags.json, *paths);
  table.Head();
  Sum sum;
  ExitCode code = ExitCode::kSuccess;
  for (const std::string& path : *paths) {
    const absl::StatusOr<Row> row = RunInstance(flags, path);
    if (!row.ok()) {
      code = Fail(kDoc, row.status());
      continue;
    }
    table.Add(*row);
    Count(*row, sum);
  }
  table.Foot(sum);
  return code;
}

}  // namespace

Command BenchCommand() { return {.doc = kDoc, .run = Run}; }

}  // namespace telamalloc::cli

// telamalloc solve: a problem in, a placement out.
//
// Where things go: the placement to --output, or to stdout if nothing else is asked for; the JSON object and
// the picture to stdout; words for people to stderr. A placement over the capacity is a plan to spill by: it
// goes to a file that was asked for, with a warning, but never to stdout unasked, where a pipe would lose
// the exit code that tells.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "client/cli/command.h"
#include "client/cli/engine.h"
#include "client/cli/files.h"
#include "client/cli/formats.h"
#include "client/cli/picture.h"
#include "client/cli/printable.h"
#include "client/cli/report.h"
#include "client/cli/solve_flags.h"
#include "client/cli/svg.h"
#include "telamalloc/client.h"
#include "telamalloc/csv.h"
#include "telamalloc/problem.h"
#include "telamalloc/solver.h"

namespace telamalloc::cli {
namespace {

constexpr CommandDoc kDoc = {
    .name = "solve",
    .synopsis = "--input=FILE|- --capacity=BYTES [--flag=VALUE]...",
    .summary = "Places the buffers of a problem in memory.",
    .details =
        "Examples:\n"
        "  telamalloc solve --input=p.csv --capacity=1048576 --output=placement.csv\n"
        "  telamalloc solve --input=p.csv --objective=minimize --json\n"
        "  telamalloc solve --input=- --capacity=12 --picture <p.csv\n"
        "  telamalloc solve --input=p.json --server=127.0.0.1:50551 --timeout=250ms\n\n"
        "Without --output, --json and --picture the placement goes to standard output as CSV.\n"
        "Exit codes: 0 solved, 2 infeasible, 3 no solution found, 4 bad input, 5 server unreachable,\n"
        "6 timed out without an answer, 1 any other failure.\n"};

struct SolveFlags {
  std::string input;
  InputOptions input_options;
  EngineFlags engine;
  std::optional<std::int64_t> threads;
  std::string server = DefaultServer();
  std::string output;
  std::string svg;
  std::optional<std::int64_t> spill_advice;
  bool json = false;
  bool picture = false;
};

FlagSet Declare(SolveFlags& values) {
  FlagSet flags;
  flags.Text("input", "FILE|-", "the problem; - is standard input", values.input);
  DeclareEngineFlags(flags, values.engine);
  flags.Integer("threads", "N", "solver threads; only 1 is supported", values.threads,
                {.least = 1, .most = 1});
  flags.Text("server", "HOST:PORT", "solve there (TELAMALLOC_SERVER); empty: in this process", values.server);
  flags.Integer("spill_advice", "N", "when nothing fits, up to N sets of buffers to spill",
                values.spill_advice, {.least = 0, .most = kMaxSpillSets});
  flags.Text("output", "FILE|-", "write the placement as CSV", values.output);
  flags.Switch("json", "print the result as one JSON object", values.json);
  flags.Switch("picture", "print the placement as a picture for a terminal", values.picture);
  flags.Text("svg", "FILE|-", "write the placement as an SVG picture", values.svg);
  DeclareInputFlags(flags, values.input_options);
  return flags;
}

absl::Status Check(const SolveFlags& flags) {
  const int on_stdout = (flags.json ? 1 : 0) + (flags.picture ? 1 : 0) + (flags.output == "-" ? 1 : 0) +
                        (flags.svg == "-" ? 1 : 0);
  if (on_stdout > 1) {
    return absl::InvalidArgumentError(
        "--json, --picture, --output=- and --svg=- each print to standard output: choose one");
  }
  if (!flags.output.empty() && flags.output == flags.svg) {
    return absl::InvalidArgumentError(absl::StrCat("--output and --svg must differ, got ", flags.output));
  }
  if (flags.input_options.ends != CsvEnds::kUnset &&
      FormatOf(flags.input, flags.input_options) != Format::kCsv) {
    return absl::InvalidArgumentError("--ends is for CSV alone; the other formats say what an end is");
  }
  for (const std::string& path : {flags.output, flags.svg}) {
    if (absl::Status status = CheckWritable(path); !status.ok()) return status;
  }
  return flags.server.empty() ? CheckSolverName(flags.engine.solver) : absl::OkStatus();
}

// What was asked for, written; the human report unless JSON was asked for.
absl::Status WriteResults(const SolveFlags& flags, const Problem& problem, const ClientResult& answer) {
  const auto& solution = answer.result.solution;
  std::string words = flags.json ? "" : HumanReport(problem, answer);
  const std::string* output = &flags.output;
  const std::string standard_output = "-";
  const bool printed = flags.json || flags.picture || flags.svg == "-";
  if (output->empty() && !printed && !answer.over_capacity) output = &standard_output;

  absl::Status status = absl::OkStatus();
  if (solution && !output->empty()) {
    status = WriteFile(*output, WritePlacementCsv(problem, solution->offsets));
    if (answer.over_capacity)
      absl::StrAppend(&words, "wrote the placement over the capacity to ", Printable(*output), "\n");
  } else if (!flags.output.empty()) {
    absl::StrAppend(&words, "no placement to write to ", Printable(flags.output), "\n");
  }
  if (status.ok() && solution && !flags.svg.empty())
    status = WriteFile(flags.svg, DrawSvg(problem, solution->offsets));
  if (status.ok() && solution && flags.picture)
    status = WriteFile("-", DrawPicture(problem, solution->offsets));
  const bool advice = flags.spill_advice.value_or(0) > 0;
  if (status.ok() && flags.json) {
    status = WriteFile("-", JsonReport(problem, answer, advice ? Spills::kPrinted : Spills::kLeftOut));
  }
  if (flags.json && answer.result.infeasibility) {
    words = absl::StrCat(ExplainInfeasible(problem, answer.result), words);
  }
  std::fputs(words.c_str(), stderr);
  return status;
}

ExitCode Run(std::span<const std::string> arguments) {
  SolveFlags flags;
  const ParsedArguments parsed = ParseArguments(kDoc, Declare(flags), arguments, Positional::kRefused);
  if (parsed.exit) return *parsed.exit;
  if (const absl::Status checked = Check(flags); !checked.ok()) return Fail(kDoc, checked);

  absl::StatusOr<Input> input = ReadInput(flags.input, flags.input_options);
  if (!input.ok()) return Fail(kDoc, input.status());
  Problem& problem = input->problem;
  if (flags.engine.capacity) problem.capacity = flags.engine.capacity;
  const Objective objective = flags.engine.objective.value_or(Objective::kFit);
  if (objective == Objective::kFit && !problem.capacity) {
    return Fail(kDoc, ExitCode::kBadInput, "no capacity: say --capacity=BYTES, or --objective=minimize");
  }
  EngineOptions options = ToEngineOptions(flags.engine, objective, flags.server);
  options.spill_advice = flags.spill_advice.value_or(0);
  const absl::StatusOr<ClientResult> answer = SolveWith(problem, options);
  if (!answer.ok()) return Fail(kDoc, Located(answer.status(), input->source));

  if (const absl::Status written = WriteResults(flags, problem, *answer); !written.ok())
    return Fail(kDoc, written);
  return ExitCodeOf(answer->result);
}

}  // namespace

Command SolveCommand() { return {.doc = kDoc, .run = Run}; }

}  // namespace telamalloc::cli

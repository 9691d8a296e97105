// telamalloc verify: is this placement right?
//
// Checked in this process by Verify, which shares no code with the search. The problem decides about sizes
// and lifetimes; of the placement only ids and offsets are read.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "client/cli/command.h"
#include "client/cli/formats.h"
#include "client/cli/printable.h"
#include "client/cli/report.h"
#include "client/cli/solve_flags.h"
#include "telamalloc/problem.h"
#include "telamalloc/solution.h"
#include "telamalloc/solver.h"

namespace telamalloc::cli {
namespace {

constexpr CommandDoc kDoc = {
    .name = "verify",
    .synopsis = "--input=PROBLEM --placement=CSV [--capacity=BYTES]",
    .summary = "Checks a placement against a problem.",
    .details =
        "Example:\n"
        "  telamalloc verify --input=p.csv --placement=placement.csv --capacity=1048576\n\n"
        "Rows belong together by id where all ids of both files are given and unique, else by position.\n"
        "Exit codes: 0 valid, 1 invalid with each violation on a line of its own, 4 bad input.\n"};

struct VerifyFlags {
  std::string input;
  std::string placement;
  std::optional<std::int64_t> capacity;
  InputOptions input_options;
};

FlagSet Declare(VerifyFlags& values) {
  FlagSet flags;
  flags.Text("input", "FILE|-", "the problem; - is standard input", values.input);
  flags.Text("placement", "FILE|-", "CSV with an offset column, as solve writes it", values.placement);
  flags.Bytes("capacity", "the memory, such as 4096, 512KiB or 1MiB; overrides that of the file",
              values.capacity);
  DeclareInputFlags(flags, values.input_options);
  return flags;
}

using Positions = absl::flat_hash_map<absl::string_view, std::size_t>;

// Where each id stands; empty unless every buffer has one and no two are equal.
Positions PositionsById(const Problem& problem) {
  Positions positions;
  for (std::size_t b = 0; b < problem.buffers.size(); ++b) {
    const std::string& id = problem.buffers[b].id;
    if (id.empty() || !positions.emplace(id, b).second) return {};
  }
  return positions;
}

struct Matched {
  std::vector<std::int64_t> offsets;  // by position in the problem
  std::vector<std::string> problems;  // rows that have no partner or no offset
};

// By position. Verify tells when the numbers of rows differ.
Matched MatchByRow(const Problem& problem, const Problem& placement) {
  Matched matched;
  for (std::size_t b = 0; b < placement.buffers.size(); ++b) {
    const std::optional<std::int64_t>& offset = placement.buffers[b].fixed_offset;
    matched.offsets.push_back(offset.value_or(0));
    if (offset) continue;
    const Problem& named = b < problem.buffers.size() ? problem : placement;
    matched.problems.push_back(
        absl::StrCat("buffer ", BufferName(named, b), " has no offset in the placement"));
  }
  return matched;
}

Matched MatchById(const Problem& problem, const Problem& placement, const Positions& rows) {
  Matched matched;
  for (const Buffer& buffer : problem.buffers) {
    const auto row = rows.find(buffer.id);
    const auto offset = row == rows.end() ? std::nullopt : placement.buffers[row->second].fixed_offset;
    matched.offsets.push_back(offset.value_or(0));
    if (!offset)
      matched.problems.push_back(
          absl::StrCat("buffer ", Printable(buffer.id), " has no offset in the placement"));
  }
  const Positions known = PositionsById(problem);
  for (const Buffer& buffer : placement.buffers) {
    if (!known.contains(buffer.id)) {
      matched.problems.push_back(
          absl::StrCat("buffer ", Printable(buffer.id), " of the placement is not in the problem"));
    }
  }
  return matched;
}

Matched Match(const Problem& problem, const Problem& placement) {
  const Positions rows = PositionsById(placement);
  if (rows.empty() || PositionsById(problem).empty()) return MatchByRow(problem, placement);
  return MatchById(problem, placement, rows);
}

ExitCode Report(const Problem& problem, const Matched& matched) {
  for (const std::string& line : matched.problems) std::printf("%s\n", line.c_str());
  if (!matched.problems.empty()) return ExitCode::kFailure;
  const VerifyReport report = Verify(problem, matched.offsets);
  for (const PlacementViolation& violation : report.violations)
    std::printf("%s\n", violation.description.c_str());
  if (!report.ok()) return ExitCode::kFailure;
  const std::string words =
      absl::StrCat("valid: ", SizeText(problem, report.peak),
                   problem.capacity ? "" : "; checked without a capacity: say --capacity=BYTES");
  std::fprintf(stderr, "%s\n", words.c_str());
  return ExitCode::kSuccess;
}

ExitCode Run(std::span<const std::string> arguments) {
  VerifyFlags flags;
  const ParsedArguments parsed = ParseArguments(kDoc, Declare(flags), arguments, Positional::kRefused);
  if (parsed.exit) return *parsed.exit;
  if (flags.placement.empty())
    return Fail(kDoc, ExitCode::kBadInput, "no placement given: say --placement=CSV");
  if (flags.placement == "-" && flags.input == "-") {
    return Fail(kDoc, ExitCode::kBadInput, "--input and --placement cannot both be standard input");
  }
  absl::StatusOr<Input> input = ReadInput(flags.input, flags.input_options);
  if (!input.ok()) return Fail(kDoc, input.status());
  const absl::StatusOr<Input> placement =
      ReadInput(flags.placement, {.format = Format::kCsv, .ends = flags.input_options.ends});
  if (!placement.ok()) return Fail(kDoc, placement.status());

  if (flags.capacity) input->problem.capacity = flags.capacity;
  const absl::StatusOr<PreparedProblem> prepared = PreparedProblem::Create(input->problem);
  if (!prepared.ok()) return Fail(kDoc, Located(prepared.status(), input->source));
  return Report(input->problem, Match(input->problem, placement->problem));
}

}  // namespace

Command VerifyCommand() { return {.doc = kDoc, .run = Run}; }

}  // namespace telamalloc::cli

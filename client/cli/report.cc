// JSON is written by hand: a flat object of numbers and words needs no library, and protobuf's mapping would
// print 64-bit numbers as strings.
#include "client/cli/report.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "client/cli/printable.h"
#include "telamalloc/client.h"
#include "telamalloc/problem.h"
#include "telamalloc/solver.h"

namespace telamalloc::cli {
namespace {

double Seconds(std::chrono::nanoseconds time) { return std::chrono::duration<double>(time).count(); }

// "1 byte", "2 bytes".
std::string Count(std::int64_t count, absl::string_view noun) {
  return absl::StrCat(count, " ", noun, count == 1 ? "" : "s");
}

// "peak 12 of 16 bytes", without a capacity "peak 12 bytes".
std::string PeakText(const Problem& problem, std::int64_t peak) {
  if (!problem.capacity) return absl::StrCat("peak ", Count(peak, "byte"));
  return absl::StrCat("peak ", peak, " of ", Count(*problem.capacity, "byte"));
}

// "0.031 ms", "250 ms", "31.2 s".
std::string TimeText(std::chrono::nanoseconds time) {
  const double seconds = Seconds(time);
  return seconds < 1 ? absl::StrFormat("%.3g ms", seconds * 1e3) : absl::StrFormat("%.3g s", seconds);
}

// More would be no help to a person.
constexpr std::size_t kNamedBuffers = 20;

std::string NamesOf(const Problem& problem, const std::vector<std::size_t>& buffers) {
  std::string names;
  for (std::size_t k = 0; k < std::min(buffers.size(), kNamedBuffers); ++k) {
    absl::StrAppend(&names, k == 0 ? "" : ", ", BufferName(problem, buffers[k]), " (",
                    Count(problem.buffers[buffers[k]].size, "byte"), ")");
  }
  if (buffers.size() > kNamedBuffers)
    absl::StrAppend(&names, " and ", buffers.size() - kNamedBuffers, " more");
  return names;
}

// An array of objects.
std::string JsonSpills(const std::vector<SpillSet>& sets) {
  std::string text = "[";
  for (const SpillSet& set : sets) {
    absl::StrAppendFormat(&text, "%s{\"buffers\": [%s], \"cost\": %.17g, \"bytes\": %d, \"minimal\": %s, ",
                          text.size() > 1 ? ", " : "", absl::StrJoin(set.buffers, ", "), set.cost, set.bytes,
                          set.minimal ? "true" : "false");
    absl::StrAppend(&text, "\"peak\": ", set.peak, ", \"offsets\": [", absl::StrJoin(set.offsets, ", "),
                    "]}");
  }
  return absl::StrCat(text, "]");
}

}  // namespace

JsonObject& JsonObject::AddRaw(absl::string_view key, absl::string_view value) {
  absl::StrAppend(&members_, members_.empty() ? "" : ", ", JsonString(key), ": ", value);
  return *this;
}

JsonObject& JsonObject::Add(absl::string_view key, absl::string_view text) {
  return AddRaw(key, JsonString(text));
}

JsonObject& JsonObject::Add(absl::string_view key, std::int64_t number) {
  return AddRaw(key, absl::StrCat(number));
}

JsonObject& JsonObject::Add(absl::string_view key, std::optional<std::int64_t> number) {
  return AddRaw(key, number ? absl::StrCat(*number) : "null");
}

JsonObject& JsonObject::AddSeconds(absl::string_view key, double seconds) {
  return AddRaw(key, absl::StrFormat("%.6f", seconds));
}

JsonObject& JsonObject::AddBool(absl::string_view key, bool value) {
  return AddRaw(key, value ? "true" : "false");
}

std::string JsonObject::Text() const { return absl::StrCat("{", members_, "}\n"); }

std::string JsonReport(const Problem& problem, const ClientResult& answer, Spills spills) {
  const SolveResult& result = answer.result;
  std::optional<std::int64_t> peak;
  if (result.solution) peak = result.solution->peak;
  JsonObject object;
  object.Add("outcome", Name(result.outcome))
      .Add("method", Name(result.method))
      .Add("stop_reason", answer.stop_reason)
      .Add("peak", peak)
      .Add("lower_bound", result.lower_bound)
      .Add("capacity", problem.capacity)
      .AddBool("over_capacity", answer.over_capacity)
      .Add("buffers", static_cast<std::int64_t>(problem.buffers.size()))
      .Add("nodes", result.stats.nodes)
      .Add("minor_backtracks", result.stats.minor_backtracks)
      .Add("major_backtracks", result.stats.major_backtracks)
      .AddSeconds("solve_seconds", Seconds(result.stats.solve_time))
      .Add("provenance", answer.provenance);
  if (spills == Spills::kPrinted) object.AddRaw("spill_advice", JsonSpills(result.spill_advice));
  return object.Text();
}

std::string BufferName(const Problem& problem, std::size_t buffer) {
  const std::string& id = problem.buffers[buffer].id;
  return id.empty() ? absl::StrCat("#", buffer) : Printable(id);
}

std::string SizeText(const Problem& problem, std::int64_t peak) {
  return absl::StrCat(Count(static_cast<std::int64_t>(problem.buffers.size()), "buffer"), ", ",
                      PeakText(problem, peak));
}

std::string ExplainInfeasible(const Problem& problem, const SolveResult& result) {
  const Infeasibility& infeasibility = *result.infeasibility;
  std::string text =
      absl::StrFormat("needed %s, available %d, excess %d", Count(infeasibility.needed, "byte"),
                      infeasibility.available, infeasibility.excess);
  if (infeasibility.sufficient) absl::StrAppend(&text, ", known to suffice ", *infeasibility.sufficient);
  absl::StrAppend(&text, "\n");
  // An old server sends no conflict.
  const bool by_search = result.method != Method::kLoadBound && !infeasibility.conflict.empty();
  absl::StrAppendFormat(&text, "%s in [%d, %d): %s",
                        by_search ? "cannot be placed together" : "live together", infeasibility.start,
                        infeasibility.end, NamesOf(problem, infeasibility.buffers));
  if (!by_search && !infeasibility.conflict.empty() &&
      infeasibility.conflict.size() < infeasibility.buffers.size()) {
    absl::StrAppend(&text, "\ntoo many already: ", NamesOf(problem, infeasibility.conflict));
  }
  absl::StrAppend(&text, by_search && infeasibility.irreducible ? "; any one less, and they can\n" : "\n");
  for (const SpillSet& set : result.spill_advice) {
    absl::StrAppendFormat(&text, "spill %s: cost %.6g, %s; the rest has peak %d%s\n",
                          NamesOf(problem, set.buffers), set.cost, Count(set.bytes, "byte"), set.peak,
                          set.minimal ? "; none can be returned" : "");
  }
  return text;
}

std::string HumanReport(const Problem& problem, const ClientResult& answer) {
  const SolveResult& result = answer.result;
  std::string text(Name(result.outcome));
  if (result.solution) {
    absl::StrAppend(&text, ": ", PeakText(problem, result.solution->peak));
  }
  absl::StrAppend(&text, ", lower bound ", result.lower_bound, ", ",
                  Count(static_cast<std::int64_t>(problem.buffers.size()), "buffer"), ", ",
                  Name(result.method), ", ", Count(result.stats.nodes, "node"), ", ",
                  TimeText(result.stats.solve_time));
  if (answer.stop_reason != "COMPLETED") absl::StrAppend(&text, ", stopped by ", answer.stop_reason);
  if (!answer.server_id.empty()) absl::StrAppend(&text, ", server ", Printable(answer.server_id));
  text.push_back('\n');
  if (result.infeasibility) absl::StrAppend(&text, ExplainInfeasible(problem, result));
  if (answer.over_capacity) {
    absl::StrAppend(&text, "the placement is ", Count(result.solution->peak - *problem.capacity, "byte"),
                    " over the capacity: a plan to spill by, not a solution\n");
  }
  return text;
}

}  // namespace telamalloc::cli

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
#include "telamalloc/client.h"
#include "telamalloc/problem.h"
#include "telamalloc/solver.h"

namespace telamalloc::cli {
namespace {

// Ids are any bytes; what is not printable ASCII or well-formed UTF-8 is the caller's, so only JSON's own
// special characters are escaped.
std::string Quote(absl::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      absl::StrAppend(&quoted, "\\", absl::string_view(&c, 1));
    } else if (static_cast<unsigned char>(c) < 0x20) {
      absl::StrAppendFormat(&quoted, "\\u%04x", static_cast<unsigned>(c));
    } else {
      quoted.push_back(c);
    }
  }
  quoted.push_back('"');
  return quoted;
}

double Seconds(std::chrono::nanoseconds time) { return std::chrono::duration<double>(time).count(); }

// More would be no help to a person.
constexpr std::size_t kNamedBuffers = 20;

std::string NamesOf(const Problem& problem, const std::vector<std::size_t>& buffers) {
  std::string names;
  for (std::size_t k = 0; k < std::min(buffers.size(), kNamedBuffers); ++k) {
    absl::StrAppend(&names, k == 0 ? "" : ", ", BufferName(problem, buffers[k]), " (",
                    problem.buffers[buffers[k]].size, " bytes)");
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
  absl::StrAppend(&members_, members_.empty() ? "" : ", ", Quote(key), ": ", value);
  return *this;
}

JsonObject& JsonObject::Add(absl::string_view key, absl::string_view text) {
  return AddRaw(key, Quote(text));
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
  return id.empty() ? absl::StrCat("#", buffer) : id;
}

std::string ExplainInfeasible(const Problem& problem, const SolveResult& result) {
  const Infeasibility& infeasibility = *result.infeasibility;
  std::string text = absl::StrFormat("needed %d bytes, available %d, excess %d", infeasibility.needed,
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
    absl::StrAppendFormat(&text, "spill %s: cost %.6g, %d bytes; the rest has peak %d%s\n",
                          NamesOf(problem, set.buffers), set.cost, set.bytes, set.peak,
                          set.minimal ? "; none can be returned" : "");
  }
  return text;
}

std::string HumanReport(const Problem& problem, const ClientResult& answer) {
  const SolveResult& result = answer.result;
  std::string text(Name(result.outcome));
  if (result.solution) {
    absl::StrAppend(&text, ": peak ", result.solution->peak);
    if (problem.capacity) absl::StrAppend(&text, " of ", *problem.capacity);
    absl::StrAppend(&text, " bytes");
  }
  absl::StrAppend(&text, ", lower bound ", result.lower_bound, ", ", problem.buffers.size(), " buffers");
  absl::StrAppendFormat(&text, ", %s, %d nodes, %.3f ms", Name(result.method), result.stats.nodes,
                        Seconds(result.stats.solve_time) * 1e3);
  if (answer.stop_reason != "COMPLETED") absl::StrAppend(&text, ", stopped by ", answer.stop_reason);
  if (!answer.server_id.empty()) absl::StrAppend(&text, ", server ", answer.server_id);
  text.push_back('\n');
  if (result.infeasibility) absl::StrAppend(&text, ExplainInfeasible(problem, result));
  if (answer.over_capacity) {
    absl::StrAppend(&text, "the placement is ", result.solution->peak - *problem.capacity,
                    " bytes over the capacity: a plan to spill by, not a solution\n");
  }
  return text;
}

}  // namespace telamalloc::cli

#include "solver/infeasibility.h"

#include <algorithm>
#include <iterator>
#include <string>

#include "absl/strings/str_cat.h"
#include "problem/violations.h"
#include "solver/irreducible_subset.h"

namespace telamalloc {
namespace {

// Buffers named in the sentence; the list has all.
constexpr std::size_t kNamedBuffers = 8;

std::string NameOf(const Problem& problem, std::size_t b) {
  const std::string& id = problem.buffers[b].id;
  return id.empty() ? absl::StrCat("buffers[", b, "]") : Quoted(id);
}

std::string NamesOf(const Problem& problem, const std::vector<std::size_t>& buffers) {
  std::string names;
  for (std::size_t k = 0; k < std::min(buffers.size(), kNamedBuffers); ++k) {
    absl::StrAppend(&names, k == 0 ? "" : ", ", NameOf(problem, buffers[k]));
  }
  if (buffers.size() > kNamedBuffers)
    absl::StrAppend(&names, " and ", buffers.size() - kNamedBuffers, " more");
  return names;
}

// A result with the figures; window and buffers are the caller's.
Infeasibility Figures(std::int64_t needed, std::int64_t capacity) {
  Infeasibility result;
  result.needed = needed;
  result.available = capacity;
  result.excess = needed - capacity;
  return result;
}

std::string FiguresText(const Infeasibility& result) {
  return absl::StrCat("needs ", result.needed, " bytes, ", result.available, " available, ", result.excess,
                      " too many");
}

void SetWindow(const Timeline& timeline, std::int32_t section_begin, std::int32_t section_end,
               Infeasibility& result) {
  result.start = timeline.section_ticks()[section_begin];
  result.end = timeline.section_ticks()[section_end];
}

bool LiveIn(const Timeline& timeline, const Unit& unit, std::int32_t section) {
  return std::ranges::any_of(timeline.pieces_of(unit), [section](const Piece& piece) {
    return piece.section_begin <= section && section < piece.section_end;
  });
}

// A unit that alone ends above `capacity`: too large, or pinned too high.
std::int32_t UnitAbove(const Timeline& timeline, std::int64_t capacity) {
  const auto units = timeline.units();
  const auto top = [](const Unit& unit) { return std::max<std::int64_t>(unit.fixed_offset, 0) + unit.size; };
  const auto it = std::ranges::max_element(units, {}, top);
  return it != units.end() && top(*it) > capacity ? static_cast<std::int32_t>(it - units.begin()) : kNoUnit;
}

Infeasibility ExplainUnit(const ProbeContext& context, std::int32_t u) {
  const Timeline& timeline = context.prepared->timeline;
  const Unit& unit = timeline.units()[u];
  const bool pinned = unit.fixed_offset != kNoOffset;
  Infeasibility result = Figures((pinned ? unit.fixed_offset : 0) + unit.size, context.capacity);
  SetWindow(timeline, unit.section_begin, unit.section_end, result);
  const auto members = context.buffers->of(u);
  result.buffers.assign(members.begin(), members.end());
  result.conflict = result.buffers;
  result.irreducible = true;
  result.explanation = absl::StrCat(NamesOf(context.prepared->problem, result.buffers),
                                    pinned ? absl::StrCat(", pinned at ", unit.fixed_offset, ",") : "",
                                    " alone ", FiguresText(result));
  return result;
}

}  // namespace

Infeasibility ExplainLoad(const ProbeContext& context) {
  const Timeline& timeline = context.prepared->timeline;
  const Problem& problem = context.prepared->problem;
  const auto contention = timeline.contention();
  const auto peak = std::ranges::max_element(contention);
  if (peak == contention.end() || *peak <= context.capacity) {
    return ExplainUnit(context, UnitAbove(timeline, context.capacity));
  }
  const auto section = static_cast<std::int32_t>(peak - contention.begin());
  Infeasibility result = Figures(*peak, context.capacity);
  SetWindow(timeline, section, section + 1, result);
  const auto unit_of_buffer = timeline.unit_of_buffer();
  const auto& buffers = problem.buffers;
  for (std::size_t b = 0; b < buffers.size(); ++b) {
    const bool in_window = buffers[b].start < result.end && result.start < buffers[b].end;
    if (in_window && unit_of_buffer[b] != kNoUnit &&
        LiveIn(timeline, timeline.units()[unit_of_buffer[b]], section)) {
      result.buffers.push_back(b);
    }
  }
  const IrreducibleSubset subset = ReduceOverload(context, section);
  result.conflict = context.buffers->of(subset.units);
  result.irreducible = subset.irreducible;
  result.explanation = absl::StrCat("ticks [", result.start, ", ", result.end, "): ", FiguresText(result),
                                    "; live there: ", NamesOf(problem, result.buffers));
  if (result.conflict.size() < result.buffers.size()) {
    absl::StrAppend(&result.explanation, "; too many already: ", NamesOf(problem, result.conflict));
  }
  return result;
}

Infeasibility ExplainSearch(const ProbeContext& context, const ProvenBound& proven) {
  const Timeline& timeline = context.prepared->timeline;
  const IrreducibleSubset subset = ReducePartition(context, timeline.partitions()[proven.partition]);
  Infeasibility result = Figures(proven.lower_bound, context.capacity);
  const auto units = timeline.units();
  const auto first =
      std::ranges::min(subset.units, {}, [&](std::int32_t u) { return units[u].section_begin; });
  const auto last = std::ranges::max(subset.units, {}, [&](std::int32_t u) { return units[u].section_end; });
  SetWindow(timeline, units[first].section_begin, units[last].section_end, result);
  result.conflict = context.buffers->of(subset.units);
  result.buffers = result.conflict;
  result.irreducible = subset.irreducible;
  result.explanation =
      absl::StrCat("ticks [", result.start, ", ", result.end, "): no order of these ", result.buffers.size(),
                   " buffers fits", result.irreducible ? " (any one less, and they do)" : "", ": ",
                   FiguresText(result), "; ", NamesOf(context.prepared->problem, result.buffers));
  return result;
}

void SaySufficient(std::int64_t peak, Infeasibility& infeasibility) {
  infeasibility.sufficient = peak;
  absl::StrAppend(&infeasibility.explanation, "; ", peak, " bytes are known to suffice");
}

}  // namespace telamalloc

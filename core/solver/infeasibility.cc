#include "solver/infeasibility.h"

#include <algorithm>
#include <iterator>
#include <string>

#include "absl/strings/str_cat.h"

namespace telamalloc {
namespace {

// Buffers named in the sentence; the list has all.
constexpr std::size_t kNamedBuffers = 8;

std::string NameOf(const Problem& problem, std::size_t b) {
  const std::string& id = problem.buffers[b].id;
  return id.empty() ? absl::StrCat("buffers[", b, "]") : absl::StrCat("\"", id, "\"");
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

Infeasibility ExplainUnit(const PreparedProblem::Impl& prepared, std::int64_t capacity, std::int32_t u) {
  const Timeline& timeline = prepared.timeline;
  const Unit& unit = timeline.units()[u];
  const bool pinned = unit.fixed_offset != kNoOffset;
  Infeasibility result = Figures((pinned ? unit.fixed_offset : 0) + unit.size, capacity);
  SetWindow(timeline, unit.section_begin, unit.section_end, result);
  const auto unit_of_buffer = timeline.unit_of_buffer();
  for (std::size_t b = 0; b < unit_of_buffer.size(); ++b) {
    if (unit_of_buffer[b] == u) result.buffers.push_back(b);
  }
  result.explanation = absl::StrCat(NamesOf(prepared.problem, result.buffers),
                                    pinned ? absl::StrCat(", pinned at ", unit.fixed_offset, ",") : "",
                                    " alone ", FiguresText(result));
  return result;
}

}  // namespace

Infeasibility ExplainLoad(const PreparedProblem::Impl& prepared, std::int64_t capacity) {
  const Timeline& timeline = prepared.timeline;
  const auto contention = timeline.contention();
  const auto peak = std::ranges::max_element(contention);
  if (peak == contention.end() || *peak <= capacity) {
    return ExplainUnit(prepared, capacity, UnitAbove(timeline, capacity));
  }
  const auto section = static_cast<std::int32_t>(peak - contention.begin());
  Infeasibility result = Figures(*peak, capacity);
  SetWindow(timeline, section, section + 1, result);
  const auto unit_of_buffer = timeline.unit_of_buffer();
  const auto& buffers = prepared.problem.buffers;
  for (std::size_t b = 0; b < buffers.size(); ++b) {
    const bool in_window = buffers[b].start < result.end && result.start < buffers[b].end;
    if (in_window && unit_of_buffer[b] != kNoUnit &&
        LiveIn(timeline, timeline.units()[unit_of_buffer[b]], section)) {
      result.buffers.push_back(b);
    }
  }
  result.explanation = absl::StrCat("ticks [", result.start, ", ", result.end, "): ", FiguresText(result),
                                    "; live there: ", NamesOf(prepared.problem, result.buffers));
  return result;
}

Infeasibility ExplainSearch(const PreparedProblem::Impl& prepared, std::int64_t capacity,
                            const ProvenBound& proven) {
  const Timeline& timeline = prepared.timeline;
  const Partition& partition = timeline.partitions()[proven.partition];
  Infeasibility result = Figures(proven.lower_bound, capacity);
  SetWindow(timeline, partition.section_begin, partition.section_end, result);
  const auto unit_of_buffer = timeline.unit_of_buffer();
  for (std::size_t b = 0; b < unit_of_buffer.size(); ++b) {
    if (partition.unit_begin <= unit_of_buffer[b] && unit_of_buffer[b] < partition.unit_end) {
      result.buffers.push_back(b);
    }
  }
  result.explanation = absl::StrCat("ticks [", result.start, ", ", result.end, "): no order of the ",
                                    result.buffers.size(), " buffers live there fits: ", FiguresText(result));
  return result;
}

}  // namespace telamalloc

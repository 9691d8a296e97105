// A sweep over sections that keeps the live pinned bytes as disjoint intervals by address. A piece that
// collides is reported with every interval in its way and left out, so that the rest stays disjoint.
#include "timeline/pinned_collisions.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "absl/container/btree_map.h"
#include "absl/strings/str_cat.h"
#include "problem/violations.h"
#include "timeline/validate.h"
#include "timeline/within.h"

namespace telamalloc {
namespace {

struct PinnedPiece {
  std::int32_t section_begin = 0;
  std::int32_t section_end = 0;
  std::int64_t lower = 0;  // addresses [lower, upper)
  std::int64_t upper = 0;
  std::int32_t buffer = 0;  // the row that pins it
};

struct Event {
  std::int32_t section = 0;
  bool starts = false;  // ends come first
  std::int32_t piece = 0;
};

// The pieces of pinned units, by row.
std::vector<PinnedPiece> PinnedPieces(const Problem& problem, const Timeline& timeline, Budget& budget) {
  std::vector<PinnedPiece> pieces;
  std::vector<bool> seen;  // units; a group may be pinned by several members
  for (std::size_t b = 0; b < problem.buffers.size(); ++b) {
    if (budget.Spend(2)) return {};
    const std::int32_t u = timeline.unit_of_buffer()[b];
    if (u == kNoUnit || !problem.buffers[b].fixed_offset) continue;
    if (seen.empty()) seen.resize(timeline.units().size());
    if (seen[u]) continue;
    seen[u] = true;
    const Unit& unit = timeline.units()[u];
    for (const Piece& piece : timeline.pieces_of(unit)) {
      if (budget.Spend(5)) return {};
      pieces.push_back({.section_begin = piece.section_begin,
                        .section_end = piece.section_end,
                        .lower = unit.fixed_offset + piece.lower,
                        .upper = unit.fixed_offset + piece.upper,
                        .buffer = static_cast<std::int32_t>(b)});
    }
  }
  return pieces;
}

FieldViolation Describe(const Problem& problem, const Timeline& timeline, const PinnedPiece& a,
                        const PinnedPiece& b) {
  const auto name = [&](std::int32_t row) {
    const std::string& id = problem.buffers[row].id;
    return id.empty() ? absl::StrCat("buffers[", row, "]") : Quoted(id);
  };
  const auto [first, second] = std::minmax(a.buffer, b.buffer);
  const std::int64_t lower = std::max(a.lower, b.lower);
  const std::int64_t upper = std::min(a.upper, b.upper);
  const auto ticks = timeline.section_ticks();
  return {.field = absl::StrCat("buffers[", second, "].fixed_offset"),
          .description =
              absl::StrCat("pinned buffers ", name(first), " and ", name(second), " share ", upper - lower,
                           upper - lower == 1 ? " byte [" : " bytes [", lower, ", ", upper,
                           ") during ticks [", ticks[std::max(a.section_begin, b.section_begin)], ", ",
                           ticks[std::min(a.section_end, b.section_end)], "), got ",
                           *problem.buffers[second].fixed_offset)};
}

// Live pieces by lower address, disjoint.
using LivePieces = absl::btree_map<std::int64_t, std::int32_t>;

// Calls report(other) for each live piece that shares bytes with `piece`.
template <typename Report>
void ForEachCollision(const std::vector<PinnedPiece>& pieces, const LivePieces& live,
                      const PinnedPiece& piece, Report report) {
  auto at = live.upper_bound(piece.lower);
  if (at != live.begin() && pieces[std::prev(at)->second].upper > piece.lower) --at;
  for (; at != live.end() && at->first < piece.upper; ++at) report(pieces[at->second]);
}

}  // namespace

absl::Status CheckPinnedCollisions(const Problem& problem, const Timeline& timeline, Budget& budget) {
  const std::vector<PinnedPiece> pieces = PinnedPieces(problem, timeline, budget);
  std::vector<Event> events;
  events.reserve(2 * pieces.size());
  for (std::int32_t p = 0; p < static_cast<std::int32_t>(pieces.size()); ++p) {
    if (budget.Spend(2)) return StoppedError();
    events.push_back({.section = pieces[p].section_begin, .starts = true, .piece = p});
    events.push_back({.section = pieces[p].section_end, .starts = false, .piece = p});
  }
  const auto earlier = [](const Event& a, const Event& b) {
    return std::tie(a.section, a.starts, a.piece) < std::tie(b.section, b.starts, b.piece);
  };
  if (!SortWithin(budget, events, earlier)) return StoppedError();
  ViolationList violations;
  LivePieces live;
  for (const Event& event : events) {
    if (budget.Spend(20)) return StoppedError();
    const PinnedPiece& piece = pieces[event.piece];
    if (!event.starts) {
      const auto at = live.find(piece.lower);
      if (at != live.end() && at->second == event.piece) live.erase(at);
      continue;
    }
    bool collides = false;
    ForEachCollision(pieces, live, piece, [&](const PinnedPiece& other) {
      collides = true;
      violations.Add([&] { return Describe(problem, timeline, piece, other); });
    });
    if (!collides) live.emplace(piece.lower, event.piece);
  }
  if (budget.exhausted()) return StoppedError();
  return violations.ToStatus(absl::StatusCode::kInvalidArgument);
}

}  // namespace telamalloc

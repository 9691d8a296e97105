// From rows to a timeline, one step after the other:
//
//   ValidateBuffers   every rule about one buffer
//   DraftUnits        buffers and groups as units, their rectangles in ticks; rules about groups
//   RankSections      ticks -> sections. Rectangles of a unit only end where its bytes change, so each tick
//                     that is left is a border between different live sets: sections come out maximal.
//   CanonicalOrder    units (and their pieces) in an order that does not depend on the order of rows
//   contention        prefix sums of what starts and ends, in 128 bits; refused if one exceeds 63
//   partitions        split wherever no unit crosses
//   pinned collisions pins that contradict each other
#include "timeline/timeline.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "problem/violations.h"
#include "timeline/canonical_order.h"
#include "timeline/draft.h"
#include "timeline/pinned_collisions.h"
#include "timeline/section_ranks.h"
#include "timeline/validate.h"
#include "timeline/within.h"

namespace telamalloc {
namespace {

__extension__ using Int128 = __int128;

std::string ToString(Int128 value) {  // >= 0
  std::string digits;
  for (; value > 0 || digits.empty(); value /= 10) digits.push_back(static_cast<char>('0' + value % 10));
  std::ranges::reverse(digits);
  return digits;
}

}  // namespace

class TimelineBuilder {
 public:
  TimelineBuilder(const Problem& problem, Budget& budget) : problem_(problem), budget_(&budget) {}

  absl::StatusOr<Timeline> Run() {
    if (absl::Status status = ValidateBuffers(problem_, *budget_); !status.ok()) return status;
    absl::StatusOr<Draft> draft = DraftUnits(problem_, *budget_);
    if (!draft.ok()) return draft.status();
    std::vector<Piece> pieces;
    if (!SetSections(*draft, pieces) || !SetUnits(*draft, pieces)) return StoppedError();
    if (absl::Status status = SumContention(); !status.ok()) return status;
    if (!SplitPartitions()) return StoppedError();
    if (absl::Status status = CheckPinnedCollisions(problem_, timeline_, *budget_); !status.ok())
      return status;
    return std::move(timeline_);
  }

 private:
  // Turns the draft's rectangles into `pieces`, still in its order of units, and sets the units' hulls.
  bool SetSections(Draft& draft, std::vector<Piece>& pieces) {
    std::optional<SectionRanks> ranks = RankSections(draft.rects, *budget_);
    if (!ranks) return false;
    timeline_.section_ticks_ = std::move(ranks->ticks);
    pieces.reserve(draft.rects.size());
    for (std::size_t u = 0; u < draft.units.size(); ++u) {
      Unit& unit = draft.units[u];
      if (budget_->Spend(4 * (unit.piece_end - unit.piece_begin))) return false;
      const auto piece_begin = static_cast<std::int32_t>(pieces.size());
      unit.section_begin = ranks->spans[unit.piece_begin].begin;
      for (std::int32_t r = unit.piece_begin; r < unit.piece_end; ++r) {
        const SectionSpan span = ranks->spans[r];
        unit.section_end = std::max(unit.section_end, span.end);
        if (draft.rects[r].lower == draft.rects[r].upper) continue;
        pieces.push_back({.section_begin = span.begin,
                          .section_end = span.end,
                          .lower = draft.rects[r].lower,
                          .upper = draft.rects[r].upper});
      }
      unit.piece_begin = piece_begin;
      unit.piece_end = static_cast<std::int32_t>(pieces.size());
    }
    return true;
  }

  // Moves the draft's units and `pieces` into the timeline, in canonical order.
  bool SetUnits(Draft& draft, const std::vector<Piece>& pieces) {
    const std::optional<std::vector<std::int32_t>> order = CanonicalOrder(draft.units, pieces, *budget_);
    if (!order) return false;
    std::vector<std::int32_t> unit_of_draft;
    if (!AssignWithin(*budget_, unit_of_draft, draft.units.size(), kNoUnit)) return false;
    timeline_.units_.reserve(draft.units.size());
    timeline_.pieces_.reserve(pieces.size());
    for (const std::int32_t d : *order) {
      Unit unit = draft.units[d];
      if (budget_->Spend(5 + 4 * (unit.piece_end - unit.piece_begin))) return false;
      const auto u = static_cast<std::int32_t>(timeline_.units_.size());
      unit_of_draft[d] = u;
      const auto piece_begin = static_cast<std::int32_t>(timeline_.pieces_.size());
      for (std::int32_t p = unit.piece_begin; p < unit.piece_end; ++p) {
        timeline_.pieces_.push_back(pieces[p]);
        timeline_.pieces_.back().unit = u;
      }
      unit.piece_begin = piece_begin;
      unit.piece_end = static_cast<std::int32_t>(timeline_.pieces_.size());
      timeline_.units_.push_back(unit);
    }
    timeline_.unit_of_buffer_ = std::move(draft.unit_of_buffer);
    return ForEachWithin(*budget_, timeline_.unit_of_buffer_.size(), 2, [&](std::size_t b) {
      std::int32_t& unit = timeline_.unit_of_buffer_[b];
      if (unit != kNoUnit) unit = unit_of_draft[unit];
    });
  }

  absl::Status SumContention() {
    const std::size_t ticks = timeline_.section_ticks_.size();
    std::vector<Int128> change;  // of the live bytes at each tick
    if (!AssignWithin(*budget_, change, ticks, Int128{0})) return StoppedError();
    const bool listed = ForEachWithin(*budget_, timeline_.pieces_.size(), 2, [&](std::size_t p) {
      const Piece& piece = timeline_.pieces_[p];
      change[piece.section_begin] += piece.upper - piece.lower;
      change[piece.section_end] -= piece.upper - piece.lower;
    });
    if (!listed) return StoppedError();
    constexpr Int128 kMax = std::numeric_limits<std::int64_t>::max();
    Int128 live = 0;
    Int128 most = 0;
    std::size_t busiest = 0;
    timeline_.contention_.reserve(ticks);
    const bool summed = ForEachWithin(*budget_, ticks == 0 ? 0 : ticks - 1, 2, [&](std::size_t s) {
      live += change[s];
      if (live > most) {
        most = live;
        busiest = s;
      }
      timeline_.contention_.push_back(static_cast<std::int64_t>(std::min(live, kMax)));
    });
    if (!summed) return StoppedError();
    if (most <= kMax) return absl::OkStatus();
    ViolationList violations;
    violations.Add([&] {
      return FieldViolation{
          .field = "buffers",
          .description =
              absl::StrCat("the sizes live together must sum to at most ", static_cast<std::int64_t>(kMax),
                           ", got ", ToString(most), " during ticks [", timeline_.section_ticks_[busiest],
                           ", ", timeline_.section_ticks_[busiest + 1], ")")};
    });
    return violations.ToStatus(absl::StatusCode::kOutOfRange);
  }

  bool SplitPartitions() {
    const bool split = ForEachWithin(*budget_, timeline_.units_.size(), 3, [&](std::size_t u) {
      const Unit& unit = timeline_.units_[u];
      std::vector<Partition>& partitions = timeline_.partitions_;
      if (partitions.empty() || unit.section_begin >= partitions.back().section_end) {
        partitions.push_back(
            {.unit_begin = static_cast<std::int32_t>(u), .section_begin = unit.section_begin});
      }
      Partition& partition = partitions.back();
      partition.unit_end = static_cast<std::int32_t>(u) + 1;
      partition.section_end = std::max(partition.section_end, unit.section_end);
      const std::int64_t top = unit.size + std::max<std::int64_t>(unit.fixed_offset, 0);
      partition.lower_bound = std::max(partition.lower_bound, top);
    });
    return split && ForEachWithin(*budget_, timeline_.partitions_.size(), 5, [&](std::size_t p) {
             Partition& partition = timeline_.partitions_[p];
             for (std::int32_t s = partition.section_begin; s < partition.section_end; ++s) {
               partition.lower_bound = std::max(partition.lower_bound, timeline_.contention_[s]);
             }
             timeline_.lower_bound_ = std::max(timeline_.lower_bound_, partition.lower_bound);
           });
  }

  const Problem& problem_;
  Budget* budget_;
  Timeline timeline_;
};

absl::StatusOr<Timeline> Timeline::Build(const Problem& problem, Budget& budget) {
  return TimelineBuilder(problem, budget).Run();
}

}  // namespace telamalloc

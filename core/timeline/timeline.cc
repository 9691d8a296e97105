// From rows to a timeline, one step after the other:
//
//   ValidateBuffers   every rule about one buffer
//   DraftUnits        buffers and groups as units, their rectangles in ticks; rules about groups
//   RankSections      ticks -> sections. Rectangles of a unit only end where its bytes change, so each tick
//                     that is left is a border between different live sets: sections come out maximal.
//   OrderUnits        units (and their pieces) in an order that does not depend on the order of rows
//   contention        prefix sums of what starts and ends; refused if one needs more than 63 bits
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
constexpr Int128 kMaxInt64 = std::numeric_limits<std::int64_t>::max();

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
    std::optional<std::vector<std::int64_t>> ticks = RankSections(draft->rects, *budget_);
    if (!ticks) return StoppedError();
    timeline_.section_ticks_ = *std::move(ticks);
    if (!SetHulls(*draft) || !SetUnits(*draft)) return StoppedError();
    if (absl::Status status = SumContention(); !status.ok()) return status;
    if (!SplitPartitions()) return StoppedError();
    if (pinned_units_ > 1) {
      absl::Status status = CheckPinnedCollisions(problem_, timeline_, *budget_);
      if (!status.ok()) return status;
    }
    return std::move(timeline_);
  }

 private:
  // REQUIRES: here and below the draft's rectangles are in sections already.
  bool SetHulls(Draft& draft) {
    return ForEachWithin(*budget_, draft.units.size(), 3, [&](std::size_t u) {
      Unit& unit = draft.units[u];
      unit.section_begin = static_cast<std::int32_t>(draft.rects[unit.piece_begin].start);
      for (std::int32_t r = unit.piece_begin; r < unit.piece_end; ++r) {
        unit.section_end = std::max(unit.section_end, static_cast<std::int32_t>(draft.rects[r].end));
      }
    });
  }

  // Moves the draft's units and rectangles into the timeline, in canonical order.
  bool SetUnits(Draft& draft) {
    const std::optional<CanonicalOrder> order = OrderUnits(draft, *budget_);
    if (!order) return false;
    std::vector<std::int32_t> unit_of_draft;
    if (!AssignWithin(*budget_, unit_of_draft, draft.units.size(), kNoUnit)) return false;
    timeline_.units_.reserve(draft.units.size());
    timeline_.pieces_.reserve(draft.rects.size());
    std::int32_t section = 0;
    for (const OrderedUnit& ordered : order->units) {
      const auto u = static_cast<std::int32_t>(timeline_.units_.size());
      unit_of_draft[ordered.draft_unit()] = u;
      while (u == order->section_ends[section]) ++section;
      if (ordered.plain()) {
        // The draft is in another order: to look at it would mean to wait for memory.
        if (budget_->Spend(4)) return false;
        AddPlainUnit(ordered, section);
      } else {
        const Unit& unit = draft.units[ordered.draft_unit()];
        if (budget_->Spend(10 + 2 * (unit.piece_end - unit.piece_begin))) return false;
        AddUnit(unit, draft.rects);
      }
    }
    timeline_.unit_of_buffer_ = std::move(draft.unit_of_buffer);
    return ForEachWithin(*budget_, timeline_.unit_of_buffer_.size(), 2, [&](std::size_t b) {
      std::int32_t& unit = timeline_.unit_of_buffer_[b];
      if (unit != kNoUnit) unit = unit_of_draft[unit];
    });
  }

  void AddPlainUnit(const OrderedUnit& ordered, std::int32_t section) {
    const auto piece = static_cast<std::int32_t>(timeline_.pieces_.size());
    timeline_.pieces_.push_back({.unit = static_cast<std::int32_t>(timeline_.units_.size()),
                                 .section_begin = section,
                                 .section_end = ordered.section_end,
                                 .lower = 0,
                                 .upper = ordered.size});
    timeline_.units_.push_back({.section_begin = section,
                                .section_end = ordered.section_end,
                                .piece_begin = piece,
                                .piece_end = piece + 1,
                                .size = ordered.size});
    all_heights_ += ordered.size;
  }

  void AddUnit(Unit unit, const std::vector<TickRect>& rects) {
    const auto u = static_cast<std::int32_t>(timeline_.units_.size());
    const auto piece_begin = static_cast<std::int32_t>(timeline_.pieces_.size());
    for (std::int32_t r = unit.piece_begin; r < unit.piece_end; ++r) {
      const TickRect& rect = rects[r];
      if (rect.lower == rect.upper) continue;
      timeline_.pieces_.push_back({.unit = u,
                                   .section_begin = static_cast<std::int32_t>(rect.start),
                                   .section_end = static_cast<std::int32_t>(rect.end),
                                   .lower = rect.lower,
                                   .upper = rect.upper});
      all_heights_ += rect.upper - rect.lower;
    }
    unit.piece_begin = piece_begin;
    unit.piece_end = static_cast<std::int32_t>(timeline_.pieces_.size());
    if (unit.fixed_offset != kNoOffset) ++pinned_units_;
    timeline_.units_.push_back(unit);
  }

  absl::Status SumContention() {
    // No sum of some pieces exceeds that of all, so that most problems never need 128 bits.
    if (all_heights_ <= kMaxInt64) {
      return PrefixSums(timeline_.contention_) ? absl::OkStatus() : StoppedError();
    }
    std::vector<Int128> contention;
    if (!PrefixSums(contention)) return StoppedError();
    const auto most = std::ranges::max_element(contention);
    if (*most > kMaxInt64) return TooMuchLive(*most, most - contention.begin());
    timeline_.contention_.assign(contention.begin(), contention.end());
    return absl::OkStatus();
  }

  // Sums of the live bytes of each section. False: the budget stopped it.
  template <typename Sum>
  bool PrefixSums(std::vector<Sum>& sums) {
    const std::size_t ticks = timeline_.section_ticks_.size();
    if (!AssignWithin(*budget_, sums, ticks, Sum{0})) return false;
    const bool changed = ForEachWithin(*budget_, timeline_.pieces_.size(), 2, [&](std::size_t p) {
      const Piece& piece = timeline_.pieces_[p];
      sums[piece.section_begin] += piece.upper - piece.lower;
      sums[piece.section_end] -= piece.upper - piece.lower;
    });
    if (!changed || ticks == 0) return changed;
    sums.pop_back();  // nothing is live after the last tick
    return ForEachWithin(*budget_, sums.size() - 1, 1, [&](std::size_t s) { sums[s + 1] += sums[s]; });
  }

  [[nodiscard]] absl::Status TooMuchLive(Int128 bytes, std::ptrdiff_t section) const {
    ViolationList violations;
    violations.Add([&] {
      return FieldViolation{
          .field = "buffers",
          .description = absl::StrCat("the sizes live together must sum to at most ",
                                      static_cast<std::int64_t>(kMaxInt64), ", got ", ToString(bytes),
                                      " during ticks [", timeline_.section_ticks_[section], ", ",
                                      timeline_.section_ticks_[section + 1], ")")};
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
  Int128 all_heights_ = 0;  // of all pieces
  std::size_t pinned_units_ = 0;
};

absl::StatusOr<Timeline> Timeline::Build(const Problem& problem, Budget& budget) {
  return TimelineBuilder(problem, budget).Run();
}

}  // namespace telamalloc

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
#include <span>
#include <string>
#include <tuple>
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
    std::optional<LargeVector<std::int64_t>> ticks = RankSections(*draft, *budget_);
    if (!ticks) return StoppedError();
    timeline_.section_ticks_ = *std::move(ticks);
    if (!SetUnits(*draft)) return StoppedError();
    if (absl::Status status = SumContention(); !status.ok()) return status;
    if (!SplitPartitions()) return StoppedError();
    if (pinned_units_ > 1) {
      absl::Status status = CheckPinnedCollisions(problem_, timeline_, *budget_);
      if (!status.ok()) return status;
    }
    return std::move(timeline_);
  }

 private:
  // Moves the draft's units and rectangles, which are in sections already, into the timeline, in canonical
  // order.
  bool SetUnits(Draft& draft) {
    const std::optional<LargeVector<OrderedUnit>> order =
        OrderUnits(draft, timeline_.section_ticks_.size(), *budget_);
    if (!order) return false;
    LargeVector<DraftUnit>().swap(draft.units);  // what follows is as large again
    LargeVector<std::int32_t> unit_of_draft;
    if (!AssignWithin(*budget_, unit_of_draft, order->size(), kNoUnit)) return false;
    timeline_.units_.reserve(order->size());
    timeline_.pieces_.reserve(order->size() + draft.rects.size());
    const bool added = ForEachWithin(*budget_, order->size(), 5, [&](std::size_t u) {
      const OrderedUnit& ordered = (*order)[u];
      unit_of_draft[ordered.draft_unit] = static_cast<std::int32_t>(u);
      AddUnit(ordered, draft);
    });
    if (!added || budget_->exhausted()) return false;
    timeline_.unit_of_buffer_ = std::move(draft.unit_of_buffer);
    return ForEachWithin(*budget_, timeline_.unit_of_buffer_.size(), 2, [&](std::size_t b) {
      std::int32_t& unit = timeline_.unit_of_buffer_[b];
      if (unit != kNoUnit) unit = unit_of_draft[unit];
    });
  }

  // Of a plain unit `ordered` tells everything: the draft is in another order, to look at it would mean to
  // wait for memory.
  void AddUnit(const OrderedUnit& ordered, const Draft& draft) {
    Unit& unit = timeline_.units_.emplace_back();
    unit.section_begin = ordered.section_begin;
    unit.section_end = ordered.section_end;
    unit.size = ordered.size;
    unit.piece_begin = static_cast<std::int32_t>(timeline_.pieces_.size());
    std::span<const TickRect> rects;
    if (ordered.details != kNoDetails) {
      const UnitDetails& details = draft.details[ordered.details];
      unit.alignment = details.alignment;
      unit.fixed_offset = details.fixed_offset;
      unit.offset_hint = details.offset_hint;
      if (unit.fixed_offset != kNoOffset) ++pinned_units_;
      rects = std::span(draft.rects).subspan(details.rect_begin, details.rect_end - details.rect_begin);
    }
    if (rects.empty()) {
      AddPiece(unit.section_begin, unit.section_end, 0, unit.size);
    } else {
      AddPieces(rects);
    }
    unit.piece_end = static_cast<std::int32_t>(timeline_.pieces_.size());
  }

  // Incomplete once the budget has stopped.
  void AddPieces(std::span<const TickRect> rects) {
    std::ignore = ForEachWithin(*budget_, rects.size(), 2, [&](std::size_t r) {
      const TickRect& rect = rects[r];
      if (rect.lower == rect.upper) return;
      AddPiece(static_cast<std::int32_t>(rect.start), static_cast<std::int32_t>(rect.end), rect.lower,
               rect.upper);
    });
  }

  // A piece of the last unit.
  void AddPiece(std::int32_t section_begin, std::int32_t section_end, std::int64_t lower,
                std::int64_t upper) {
    Piece& piece = timeline_.pieces_.emplace_back();
    piece.unit = static_cast<std::int32_t>(timeline_.units_.size()) - 1;
    piece.section_begin = section_begin;
    piece.section_end = section_end;
    piece.lower = lower;
    piece.upper = upper;
    all_heights_ += upper - lower;
  }

  absl::Status SumContention() {
    // No sum of some pieces exceeds that of all, so that most problems never need 128 bits.
    if (all_heights_ <= kMaxInt64) {
      return PrefixSums(timeline_.contention_) ? absl::OkStatus() : StoppedError();
    }
    LargeVector<Int128> contention;
    if (!PrefixSums(contention)) return StoppedError();
    const auto most = std::ranges::max_element(contention);
    if (*most > kMaxInt64) return TooMuchLive(*most, most - contention.begin());
    timeline_.contention_.assign(contention.begin(), contention.end());
    return absl::OkStatus();
  }

  // Sums of the live bytes of each section. False: the budget stopped it.
  template <typename Sum>
  bool PrefixSums(LargeVector<Sum>& sums) {
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
      LargeVector<Partition>& partitions = timeline_.partitions_;
      if (partitions.empty() || unit.section_begin >= partitions.back().section_end) {
        Partition& next = partitions.emplace_back();
        next.unit_begin = static_cast<std::int32_t>(u);
        next.section_begin = unit.section_begin;
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

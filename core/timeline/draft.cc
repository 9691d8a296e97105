// A buffer becomes the rectangles between its gaps and those of its windows; a colocation group becomes one
// unit with the union of its members' rectangles.
//
//   size 64, lifetime [0, 8), gaps [3, 5) and [6, 7) with window [0, 32):
//     64 +------+  +--+  +--+
//        |      |  |  |  |  |
//     32 |      |  |  +--+  |
//        |      |  |  |  |  |
//        +------+  +--+--+--+   [0,3)x[0,64)  [5,6)x[0,64)  [6,7)x[0,32)  [7,8)x[0,64)
//        0      3  5  6  7  8
#include "timeline/draft.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "problem/violations.h"
#include "timeline/group_shape.h"
#include "timeline/validate.h"
#include "timeline/within.h"

namespace telamalloc {
namespace {

// Windows of many members can cut a group into quadratically many rectangles; no real plan comes near this.
constexpr std::size_t kMaxGroupRects = 4'000'000;

// Appends `rect`, or lengthens the last one since `first` if it goes on without a break.
void AppendRect(const TickRect& rect, std::size_t first, std::vector<TickRect>& rects) {
  if (rect.start == rect.end) return;
  if (rects.size() > first) {
    TickRect& last = rects.back();
    if (last.end == rect.start && last.lower == rect.lower && last.upper == rect.upper) {
      last.end = rect.end;
      return;
    }
  }
  rects.push_back(rect);
}

// The rectangles of one buffer, at least one; incomplete once `budget` has stopped. REQUIRES: size > 0.
void AppendBuffer(const Buffer& buffer, std::vector<TickRect>& rects, Budget& budget) {
  const std::size_t first = rects.size();
  if (buffer.gaps.empty()) {
    rects.push_back({.start = buffer.start, .end = buffer.end, .lower = 0, .upper = buffer.size});
    return;
  }
  std::vector<Gap> gaps = buffer.gaps;
  if (!SortWithin(budget, gaps, [](const Gap& a, const Gap& b) { return a.start < b.start; })) return;
  std::int64_t tick = buffer.start;
  const bool done = ForEachWithin(budget, gaps.size(), 5, [&](std::size_t g) {
    const Gap& gap = gaps[g];
    AppendRect({.start = tick, .end = gap.start, .lower = 0, .upper = buffer.size}, first, rects);
    if (gap.window) {
      AppendRect({.start = gap.start, .end = gap.end, .lower = gap.window->lower, .upper = gap.window->upper},
                 first, rects);
    }
    tick = gap.end;
  });
  if (!done) return;
  AppendRect({.start = tick, .end = buffer.end, .lower = 0, .upper = buffer.size}, first, rects);
  if (rects.size() == first) rects.push_back({.start = buffer.start, .end = buffer.end});
}

// A rectangle without bytes from the first start to the last end.
TickRect HullOf(std::span<const TickRect> rects) {
  TickRect hull;
  if (!rects.empty()) hull = {.start = rects.front().start, .end = rects.front().end};
  for (const TickRect& rect : rects) {
    hull.start = std::min(hull.start, rect.start);
    hull.end = std::max(hull.end, rect.end);
  }
  return hull;
}

// No gaps, and the default in all else but lifetime and size. REQUIRES: size > 0.
bool Plain(const Buffer& buffer) {
  return buffer.alignment == 1 && !buffer.fixed_offset && !buffer.offset_hint && buffer.gaps.empty();
}

UnitDetails DetailsOf(const Buffer& buffer) {
  return {.alignment = buffer.alignment,
          .fixed_offset = buffer.fixed_offset.value_or(kNoOffset),
          .offset_hint = buffer.offset_hint.value_or(kNoOffset)};
}

class Drafter {
 public:
  Drafter(const Problem& problem, Budget& budget) : buffers_(problem.buffers), budget_(&budget) {}

  absl::StatusOr<Draft> Run() {
    draft_.units.reserve(buffers_.size());
    draft_.unit_of_buffer.reserve(buffers_.size());
    const bool drafted = ForEachWithin(*budget_, buffers_.size(), 10, [&](std::size_t b) {
      draft_.unit_of_buffer.push_back(kNoUnit);
      if (!buffers_[b].colocation_group.empty()) {
        JoinGroup(b);
      } else if (buffers_[b].size > 0) {
        draft_.unit_of_buffer.back() = static_cast<std::int32_t>(draft_.units.size());
        AddBuffer(buffers_[b]);
      }
    });
    if (!drafted || budget_->exhausted()) return StoppedError();
    for (const std::vector<std::int32_t>& members : groups_) {
      if (absl::Status status = AddGroup(members); !status.ok()) return status;
    }
    if (!invalid_.empty()) return invalid_.ToStatus(absl::StatusCode::kInvalidArgument);
    if (!out_of_range_.empty()) return out_of_range_.ToStatus(absl::StatusCode::kOutOfRange);
    return std::move(draft_);
  }

 private:
  void JoinGroup(std::size_t b) {
    const auto next = static_cast<std::int32_t>(groups_.size());
    const std::int32_t group = group_by_name_.emplace(buffers_[b].colocation_group, next).first->second;
    if (group == next) groups_.emplace_back();
    groups_[group].push_back(static_cast<std::int32_t>(b));
  }

  // Incomplete once the budget has stopped.
  void AddBuffer(const Buffer& buffer) {
    DraftUnit& unit = draft_.units.emplace_back();
    unit.start = buffer.start;
    unit.end = buffer.end;
    unit.size = buffer.size;
    if (Plain(buffer)) return;
    UnitDetails details = DetailsOf(buffer);
    if (!buffer.gaps.empty()) {
      details.rect_begin = static_cast<std::int32_t>(draft_.rects.size());
      AppendBuffer(buffer, draft_.rects, *budget_);
      EndRects(details, unit);
    }
    unit.details = static_cast<std::int32_t>(draft_.details.size());
    draft_.details.push_back(details);
  }

  // All rectangles of `unit` are there.
  void EndRects(UnitDetails& details, DraftUnit& unit) const {
    details.rect_end = static_cast<std::int32_t>(draft_.rects.size());
    const TickRect hull = HullOf(std::span(draft_.rects).subspan(details.rect_begin));
    unit.start = hull.start;
    unit.end = hull.end;
  }

  // Broken rules are collected; the status is that of being stopped.
  absl::Status AddGroup(const std::vector<std::int32_t>& members) {
    DraftUnit unit{.size = LargestSize(members), .details = static_cast<std::int32_t>(draft_.details.size())};
    std::optional<UnitDetails> details = MergeMembers(members, unit.size);
    if (budget_->exhausted()) return StoppedError();
    if (!details) return absl::OkStatus();
    std::vector<TickRect> rects;
    rects.reserve(members.size());
    for (const std::int32_t member : members) {
      if (buffers_[member].size > 0) AppendBuffer(buffers_[member], rects, *budget_);
      if (budget_->exhausted()) return StoppedError();
      draft_.unit_of_buffer[member] = static_cast<std::int32_t>(draft_.units.size());
    }
    details->rect_begin = static_cast<std::int32_t>(draft_.rects.size());
    switch (UniteRects(rects, kMaxGroupRects - group_rects_, draft_.rects, *budget_)) {
      case Unite::kStopped:
        return StoppedError();
      case Unite::kTooMany:
        Refuse(out_of_range_, members.front(), "colocation_group",
               absl::StrCat("the gaps cut groups into more than ", kMaxGroupRects, " rectangles"));
        return out_of_range_.ToStatus(absl::StatusCode::kOutOfRange);
      case Unite::kDone:
        break;
    }
    const bool nothing_left = draft_.rects.size() == static_cast<std::size_t>(details->rect_begin);
    if (nothing_left) draft_.rects.push_back(HullOf(rects));
    EndRects(*details, unit);
    group_rects_ += details->rect_end - details->rect_begin;
    draft_.units.push_back(unit);
    draft_.details.push_back(*details);
    return absl::OkStatus();
  }

  [[nodiscard]] std::int64_t LargestSize(const std::vector<std::int32_t>& members) const {
    std::int64_t largest = 0;
    for (const std::int32_t member : members) largest = std::max(largest, buffers_[member].size);
    return largest;
  }

  // Alignment, pin and hint of a group. Empty: all its members have size 0, a rule is broken, or the budget
  // stopped.
  std::optional<UnitDetails> MergeMembers(const std::vector<std::int32_t>& members, std::int64_t size) {
    if (size == 0) return std::nullopt;
    UnitDetails unit = DetailsOf(buffers_[members.front()]);
    std::int32_t pinned = unit.fixed_offset == kNoOffset ? kNoBuffer : members.front();
    for (std::size_t m = 1; m < members.size(); ++m) {
      if (budget_->Spend(20)) return std::nullopt;
      if (!MergeMember(members[m], unit, pinned)) return std::nullopt;
    }
    if (pinned == kNoBuffer) return unit;
    return CheckPin(members, size, unit, pinned) ? std::optional(unit) : std::nullopt;
  }

  bool MergeMember(std::int32_t member, UnitDetails& unit, std::int32_t& pinned) {
    const Buffer& buffer = buffers_[member];
    // The least hint: a choice that does not depend on the order of rows.
    if (buffer.offset_hint && (unit.offset_hint == kNoOffset || *buffer.offset_hint < unit.offset_hint)) {
      unit.offset_hint = *buffer.offset_hint;
    }
    const std::int64_t common = std::gcd(unit.alignment, buffer.alignment);
    if (__builtin_mul_overflow(unit.alignment, buffer.alignment / common, &unit.alignment)) {
      Refuse(out_of_range_, member, "alignment",
             absl::StrCat("the least common multiple of the alignments in group ",
                          Quoted(buffer.colocation_group), " must fit in 64 bits, got ", buffer.alignment));
      return false;
    }
    if (!buffer.fixed_offset) return true;
    if (pinned == kNoBuffer) {
      pinned = member;
      unit.fixed_offset = *buffer.fixed_offset;
    } else if (unit.fixed_offset != *buffer.fixed_offset) {
      Refuse(invalid_, member, "fixed_offset",
             absl::StrCat("must equal that of ", Name(pinned), " in group ", Quoted(buffer.colocation_group),
                          ", ", unit.fixed_offset, ", got ", *buffer.fixed_offset));
      return false;
    }
    return true;
  }

  // The pin of one member against the alignments and sizes of all.
  bool CheckPin(const std::vector<std::int32_t>& members, std::int64_t size, const UnitDetails& unit,
                std::int32_t pinned) {
    std::int64_t top = 0;
    if (__builtin_add_overflow(unit.fixed_offset, size, &top)) {
      Refuse(
          out_of_range_, pinned, "fixed_offset",
          absl::StrCat("fixed_offset + the largest size in group ", Quoted(buffers_[pinned].colocation_group),
                       " must fit in 64 bits, got ", unit.fixed_offset, " + ", size));
      return false;
    }
    if (unit.fixed_offset % unit.alignment == 0) return true;
    const auto broken = std::ranges::find_if(
        members, [&](std::int32_t member) { return unit.fixed_offset % buffers_[member].alignment != 0; });
    Refuse(
        invalid_, *broken, "alignment",
        absl::StrCat("must divide the fixed offset ", unit.fixed_offset, " of ", Name(pinned), " in group ",
                     Quoted(buffers_[pinned].colocation_group), ", got ", buffers_[*broken].alignment));
    return false;
  }

  void Refuse(ViolationList& list, std::int32_t b, absl::string_view field, absl::string_view rule) const {
    list.Add([&] {
      const std::string& id = buffers_[b].id;
      return FieldViolation{
          .field = absl::StrCat("buffers[", b, "].", field),
          .description = id.empty() ? absl::StrCat(rule) : absl::StrCat(rule, " (id ", Quoted(id), ")")};
    });
  }

  [[nodiscard]] std::string Name(std::int32_t b) const {
    return buffers_[b].id.empty() ? absl::StrCat("buffers[", b, "]") : Quoted(buffers_[b].id);
  }

  static constexpr std::int32_t kNoBuffer = -1;

  const std::vector<Buffer>& buffers_;
  Budget* budget_;
  absl::flat_hash_map<absl::string_view, std::int32_t> group_by_name_;
  std::vector<std::vector<std::int32_t>> groups_;  // members by row; groups by first row
  std::size_t group_rects_ = 0;
  Draft draft_;
  ViolationList invalid_;
  ViolationList out_of_range_;
};

}  // namespace

absl::StatusOr<Draft> DraftUnits(const Problem& problem, Budget& budget) {
  return Drafter(problem, budget).Run();
}

}  // namespace telamalloc

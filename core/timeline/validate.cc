// Nearly every buffer is valid, so each is first asked one cheap question (`Plain`), and only those that fail
// it or have gaps are looked at rule by rule, where the texts are made.
#include "timeline/validate.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "problem/violations.h"
#include "timeline/unique_ids.h"
#include "timeline/within.h"

namespace telamalloc {
namespace {

// Pieces, and the ticks at which they start and end, are counted in int32. A gap adds at most two pieces.
constexpr std::size_t kMaxPieces = std::numeric_limits<std::int32_t>::max() / 2;

// No gaps, and every other rule holds.
bool Plain(const Buffer& buffer) {
  if (buffer.start >= buffer.end || buffer.size < 0 || buffer.alignment < 1 || !buffer.gaps.empty())
    return false;
  if (buffer.offset_hint && *buffer.offset_hint < 0) return false;
  if (!buffer.fixed_offset) return true;
  std::int64_t top = 0;
  return *buffer.fixed_offset >= 0 && *buffer.fixed_offset % buffer.alignment == 0 &&
         !__builtin_add_overflow(*buffer.fixed_offset, buffer.size, &top);
}

// Looks at one buffer rule by rule.
class BufferRules {
 public:
  // What was found in a buffer is incomplete once `budget` has stopped.
  BufferRules(const Problem& problem, Budget& budget, ViolationList& invalid, ViolationList& out_of_range)
      : problem_(&problem), budget_(&budget), invalid_(&invalid), out_of_range_(&out_of_range) {}

  void Check(std::size_t b) {
    b_ = b;
    const Buffer& buffer = problem_->buffers[b];
    const bool has_lifetime = buffer.start < buffer.end;
    if (!has_lifetime) {
      Refuse("end",
             absl::StrCat("must be greater than start, got end ", buffer.end, " <= start ", buffer.start));
    }
    if (buffer.size < 0) Refuse("size", absl::StrCat("must not be negative, got ", buffer.size));
    if (buffer.alignment < 1) Refuse("alignment", absl::StrCat("must be at least 1, got ", buffer.alignment));
    if (buffer.offset_hint && *buffer.offset_hint < 0) {
      Refuse("offset_hint", absl::StrCat("must not be negative, got ", *buffer.offset_hint));
    }
    CheckFixedOffset(buffer);
    if (has_lifetime) CheckGaps(buffer);
  }

 private:
  void CheckFixedOffset(const Buffer& buffer) {
    if (!buffer.fixed_offset) return;
    const std::int64_t offset = *buffer.fixed_offset;
    if (offset < 0) {
      Refuse("fixed_offset", absl::StrCat("must not be negative, got ", offset));
    } else if (buffer.alignment >= 1 && offset % buffer.alignment != 0) {
      Refuse("fixed_offset",
             absl::StrCat("must be a multiple of alignment ", buffer.alignment, ", got ", offset));
    }
    std::int64_t top = 0;
    if (offset >= 0 && buffer.size >= 0 && __builtin_add_overflow(offset, buffer.size, &top)) {
      out_of_range_->Add([&] {
        return FieldViolation{.field = Path("fixed_offset"),
                              .description = absl::StrCat("fixed_offset + size must fit in 64 bits, got ",
                                                          offset, " + ", buffer.size, Name())};
      });
    }
  }

  void CheckGaps(const Buffer& buffer) {
    bool intervals = true;
    for (std::size_t g = 0; g < buffer.gaps.size() && !budget_->Spend(2); ++g) {
      const Gap& gap = buffer.gaps[g];
      if (gap.start >= gap.end) {
        intervals = false;
        Refuse(GapPath(g), absl::StrCat("must start before it ends, got ", Interval(gap.start, gap.end)));
      } else if (gap.start < buffer.start || gap.end > buffer.end) {
        Refuse(GapPath(g), absl::StrCat("must lie within the lifetime ", Interval(buffer.start, buffer.end),
                                        ", got ", Interval(gap.start, gap.end)));
      }
      if (!gap.window) continue;
      const auto [lower, upper] = *gap.window;
      if (lower < 0 || lower >= upper || upper > buffer.size) {
        Refuse(absl::StrCat(GapPath(g), ".window"),
               absl::StrCat("must have 0 <= lower < upper <= size ", buffer.size, ", got ",
                            Interval(lower, upper)));
      }
    }
    if (intervals) CheckGapsApart(buffer);
  }

  void CheckGapsApart(const Buffer& buffer) {
    std::vector<std::size_t> order(buffer.gaps.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto earlier = [&](std::size_t a, std::size_t b) {
      return buffer.gaps[a].start < buffer.gaps[b].start;
    };
    if (!SortWithin(*budget_, order, earlier)) return;
    for (std::size_t k = 1; k < order.size() && !budget_->Spend(2); ++k) {
      const Gap& before = buffer.gaps[order[k - 1]];
      const Gap& gap = buffer.gaps[order[k]];
      if (gap.start >= before.end) continue;
      Refuse(GapPath(order[k]),
             absl::StrCat("must not overlap ", GapPath(order[k - 1]), " ", Interval(before.start, before.end),
                          ", got ", Interval(gap.start, gap.end)));
    }
  }

  static std::string GapPath(std::size_t g) { return absl::StrCat("gaps[", g, "]"); }
  static std::string Interval(std::int64_t begin, std::int64_t end) {
    return absl::StrCat("[", begin, ", ", end, ")");
  }

  void Refuse(absl::string_view field, absl::string_view rule) {
    invalid_->Add(
        [&] { return FieldViolation{.field = Path(field), .description = absl::StrCat(rule, Name())}; });
  }

  [[nodiscard]] std::string Path(absl::string_view field) const {
    return absl::StrCat("buffers[", b_, "].", field);
  }
  [[nodiscard]] std::string Name() const {
    const std::string& id = problem_->buffers[b_].id;
    return id.empty() ? "" : absl::StrCat(" (id ", Quoted(id), ")");
  }

  const Problem* problem_;
  Budget* budget_;
  ViolationList* invalid_;
  ViolationList* out_of_range_;
  std::size_t b_ = 0;
};

FieldViolation TooMany(std::size_t pieces) {
  return {.field = "buffers",
          .description = absl::StrCat("buffers + 2 * gaps must be at most ", kMaxPieces, ", got ", pieces)};
}

}  // namespace

absl::Status ValidateBuffers(const Problem& problem, Budget& budget) {
  ViolationList invalid;
  ViolationList out_of_range;
  if (problem.capacity && *problem.capacity < 0) {
    invalid.Add([&] {
      return FieldViolation{.field = "capacity",
                            .description = absl::StrCat("must not be negative, got ", *problem.capacity)};
    });
  }
  BufferRules rules(problem, budget, invalid, out_of_range);
  UniqueIds ids(problem.buffers, budget);
  std::size_t pieces = problem.buffers.size();
  for (std::size_t b = 0; b < problem.buffers.size() && pieces <= kMaxPieces; ++b) {
    const Buffer& buffer = problem.buffers[b];
    pieces += 2 * buffer.gaps.size();
    if (!Plain(buffer)) rules.Check(b);
    if (budget.Spend(10)) return StoppedError();
    if (buffer.id.empty()) continue;
    const std::size_t first = ids.Insert(b);
    if (first == b) continue;
    invalid.Add([&] {
      return FieldViolation{.field = absl::StrCat("buffers[", b, "].id"),
                            .description = absl::StrCat("must be unique, got ", Quoted(buffer.id),
                                                        " as in buffers[", first, "]")};
    });
  }
  if (pieces > kMaxPieces) out_of_range.Add([&] { return TooMany(pieces); });
  if (!invalid.empty()) return invalid.ToStatus(absl::StatusCode::kInvalidArgument);
  return out_of_range.ToStatus(absl::StatusCode::kOutOfRange);
}

absl::Status CheckBuffers(const Problem& problem) {
  Budget unlimited;
  return ValidateBuffers(problem, unlimited);
}

absl::Status StoppedError() { return absl::CancelledError("stopped while the problem was being prepared"); }

}  // namespace telamalloc

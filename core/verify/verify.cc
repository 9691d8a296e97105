// The check that stands between every engine and every caller. It knows rows and offsets only: what an engine
// believes about sections, units or partitions plays no part here.
//
// Rules about one buffer are read off its row; members of a group are compared with its first member; overlap
// is left to one sweep over the boxes that the placement occupies (overlap.h).
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/functional/function_ref.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "telamalloc/solution.h"
#include "verify/boxes.h"
#include "verify/overlap.h"

namespace telamalloc {
namespace {

using Rule = PlacementViolation::Rule;
using Row = std::ptrdiff_t;  // position in Problem::buffers; -1: none
using verify::Box;
using verify::Boxes;
using verify::kNoGroup;

class Verifier {
 public:
  Verifier(const Problem& problem, std::span<const std::int64_t> offsets, CapacityRule capacity_rule)
      : buffers_(problem.buffers),
        offsets_(offsets),
        capacity_(capacity_rule == CapacityRule::kEnforced && problem.capacity
                      ? *problem.capacity
                      : std::numeric_limits<std::int64_t>::max()) {}

  VerifyReport Run() {
    if (offsets_.size() != buffers_.size()) {
      Add(Rule::kCount, -1, -1, [&] {
        return absl::StrCat("there must be one offset per buffer: ", buffers_.size(), " buffers, ",
                            offsets_.size(), " offsets");
      });
      return std::move(report_);
    }
    boxes_.reserve(buffers_.size());
    for (Row b = 0; b < std::ssize(buffers_); ++b) {
      CheckBuffer(b);
      if (buffers_[b].colocation_group.empty()) {
        Occupy(b, kNoGroup, boxes_);
      } else {
        JoinGroup(b);
      }
    }
    for (std::size_t g = 0; g < groups_.size(); ++g) CheckGroup(static_cast<std::int32_t>(g));
    if (full()) return std::move(report_);
    verify::FindOverlaps(boxes_, [&](const Box& a, const Box& b) { return AddOverlap(a, b); });
    return std::move(report_);
  }

 private:
  void CheckBuffer(Row b) {
    const Buffer& buffer = buffers_[b];
    const std::int64_t offset = offsets_[b];
    if (offset < 0) {
      Add(Rule::kNegative, b, -1, [&] { return absl::StrCat(Name(b), " has the negative offset ", offset); });
    }
    if (buffer.alignment > 1 && offset % buffer.alignment != 0) {
      Add(Rule::kAlignment, b, -1, [&] {
        return absl::StrCat(Name(b), " at offset ", offset, " breaks its alignment ", buffer.alignment);
      });
    }
    if (buffer.fixed_offset && *buffer.fixed_offset != offset) {
      Add(Rule::kFixedOffset, b, -1, [&] {
        return absl::StrCat(Name(b), " at offset ", offset, " was moved from its fixed offset ",
                            *buffer.fixed_offset);
      });
    }
    if (buffer.size <= 0) return;
    std::int64_t top = 0;
    if (__builtin_add_overflow(offset, buffer.size, &top)) {
      Add(Rule::kRange, b, -1, [&] {
        return absl::StrCat(Name(b), " at offset ", offset, " with size ", buffer.size,
                            " ends beyond 64 bits");
      });
      return;
    }
    report_.peak = std::max(report_.peak, top);
    if (top > capacity_) {
      Add(Rule::kCapacity, b, -1, [&] {
        return absl::StrCat(Name(b), " occupies bytes [", offset, ", ", top, "), above the capacity ",
                            capacity_);
      });
    }
  }

  // Appends the boxes of buffer `b` to `boxes`, if it has any that fit in 64 bits.
  void Occupy(Row b, std::int32_t group, Boxes& boxes) const {
    std::int64_t top = 0;
    if (buffers_[b].size <= 0 || __builtin_add_overflow(offsets_[b], buffers_[b].size, &top)) return;
    verify::AppendBoxes(buffers_[b], offsets_[b], {.buffer = static_cast<std::int32_t>(b), .group = group},
                        boxes);
  }

  void JoinGroup(Row b) {
    const auto [at, fresh] =
        group_by_name_.emplace(buffers_[b].colocation_group, static_cast<std::int32_t>(groups_.size()));
    if (fresh) groups_.emplace_back();
    groups_[at->second].push_back(b);
  }

  // Members elsewhere than the first are violations already; they still must not overlap other buffers.
  void CheckGroup(std::int32_t group) {
    std::vector<Row>& members = groups_[group];
    if (std::ranges::all_of(members, [&](Row b) { return buffers_[b].size <= 0; })) return;
    const Row first = members.front();
    for (const Row b : members) {
      if (offsets_[b] == offsets_[first]) continue;
      Add(Rule::kColocation, b, first, [&] {
        return absl::StrCat(Name(b), " at offset ", offsets_[b], " must share the offset ", offsets_[first],
                            " of ", Name(first), ", as both are in colocation group ",
                            Quoted(buffers_[b].colocation_group));
      });
    }
    std::ranges::stable_sort(members, {}, [&](Row b) { return offsets_[b]; });
    Boxes occupied;  // by the members at one offset
    for (std::size_t m = 0; m < members.size(); ++m) {
      Occupy(members[m], group, occupied);
      const bool last = m + 1 == members.size() || offsets_[members[m + 1]] != offsets_[members[m]];
      if (!last) continue;
      verify::AppendUnion(occupied, boxes_);
      occupied.clear();
    }
  }

  // False: enough was reported.
  bool AddOverlap(const Box& a, const Box& b) {
    const auto [first, second] = std::minmax(a.buffer, b.buffer);
    Add(Rule::kOverlap, first, second, [&, first = first, second = second] {
      const std::int64_t lower = std::max(a.lower, b.lower);
      const std::int64_t upper = std::min(a.upper, b.upper);
      // Of negative offsets the difference may need the 64th bit.
      const std::uint64_t bytes = static_cast<std::uint64_t>(upper) - static_cast<std::uint64_t>(lower);
      return absl::StrCat(Name(first), " and ", Name(second), " share ", bytes,
                          bytes == 1 ? " byte [" : " bytes [", lower, ", ", upper, ") during ticks [",
                          std::max(a.start, b.start), ", ", std::min(a.end, b.end), ")");
    });
    return !full();
  }

  // Nothing more is reported.
  [[nodiscard]] bool full() const { return report_.violations.size() >= kMaxReportedViolations; }

  void Add(Rule rule, Row buffer, Row other, absl::FunctionRef<std::string()> describe) {
    if (full()) return;
    report_.violations.push_back({.rule = rule, .buffer = buffer, .other = other, .description = describe()});
  }

  static std::string Quoted(absl::string_view text) {
    return absl::StrCat("\"", absl::CHexEscape(text), "\"");
  }
  [[nodiscard]] std::string Name(Row b) const {
    return buffers_[b].id.empty() ? absl::StrCat("buffers[", b, "]") : Quoted(buffers_[b].id);
  }

  const std::vector<Buffer>& buffers_;
  std::span<const std::int64_t> offsets_;
  std::int64_t capacity_;
  absl::flat_hash_map<absl::string_view, std::int32_t> group_by_name_;
  std::vector<std::vector<Row>> groups_;  // members by row
  Boxes boxes_;
  VerifyReport report_;
};

}  // namespace

VerifyReport Verify(const Problem& problem, std::span<const std::int64_t> offsets,
                    CapacityRule capacity_rule) {
  return Verifier(problem, offsets, capacity_rule).Run();
}

}  // namespace telamalloc

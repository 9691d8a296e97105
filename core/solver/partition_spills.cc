// Rounds. Each takes out enough, then puts back what it can:
//
//   cover      the cheapest units per byte relieved until no section is overloaded (spill_cover.h)
//   complete   if a placement of the rest is not at hand: also what reaches above the capacity in the
//              heuristic placement where that weighs least. Now the rest fits, with a placement in hand.
//   return     the most costly first, in halving chunks, whatever still fits together (minimal_subset.h)
//   exchange   a unit for a cheaper one of its time, then return again
//
// The first round starts from the incumbent's own overhang, so that there is a set however little time is
// left. Later ones jitter the weights, and make a unit of a known set dear, so that another set is found.
// Returning most costly first gives a minimal set, not the cheapest of all: that is a covering problem with
// a packing problem inside, and the rounds only look around.
#include "solver/partition_spills.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "search/exact/random.h"
#include "solver/minimal_subset.h"
#include "solver/spill_cover.h"

namespace telamalloc {
namespace {

constexpr std::int64_t kNodesPerQuestion = 2048;
constexpr int kExchanges = 64;             // questions per round
constexpr std::size_t kMaxExchanged = 64;  // units; larger sets are left as they are
constexpr double kDear = 1000;             // weight of what shall not be spilled this time, times its cost

class Rounds {
 public:
  Rounds(const ProbeContext& context, const Partition& partition, const PartitionSpillRequest& request)
      : context_(&context),
        partition_(&partition),
        request_(&request),
        probe_(context, partition),
        random_(context.options.random_seed),
        weights_(request.costs.begin(), request.costs.end()),
        spilled_(request.costs.size(), 0) {}

  std::vector<PartitionSpill> Run() {
    if (Ask({}) == Answer::kYes) return {{.minimal = true, .offsets = probe_.offsets()}};
    FromIncumbent();
    const std::size_t rounds = 8 + 4 * request_->count;
    for (std::size_t round = 0; round < rounds && !context_->allowance->used_up(); ++round) {
      if (round > 0) Jitter();
      FromCover();
    }
    Trim();
    return std::move(found_);
  }

 private:
  [[nodiscard]] double Cost(std::int32_t u) const { return request_->costs[u - partition_->unit_begin]; }
  [[nodiscard]] double Weight(std::int32_t u) const { return weights_[u - partition_->unit_begin]; }

  // The units of the partition but `spilled`.
  std::vector<std::int32_t> Kept(std::span<const std::int32_t> spilled) {
    std::ranges::fill(spilled_, 0);
    for (const std::int32_t u : spilled) spilled_[u - partition_->unit_begin] = 1;
    std::vector<std::int32_t> kept;
    for (std::int32_t u = partition_->unit_begin; u < partition_->unit_end; ++u) {
      if (spilled_[u - partition_->unit_begin] == 0) kept.push_back(u);
    }
    return kept;
  }

  // Whether the rest fits without `spilled`.
  Answer Ask(std::span<const std::int32_t> spilled) {
    switch (probe_.Ask(Kept(spilled), kNodesPerQuestion)) {
      case Fit::kFits:
        return Answer::kYes;
      case Fit::kCannotFit:
        return Answer::kNo;
      case Fit::kUnknown:
        return Answer::kUnknown;
      case Fit::kStopped:
        return Answer::kStopped;
    }
    return Answer::kStopped;
  }

  void FromIncumbent() {
    PartitionSpill spill{.offsets = {request_->incumbent.begin(), request_->incumbent.end()}};
    for (std::int32_t u = partition_->unit_begin; u < partition_->unit_end; ++u) {
      const std::int64_t top =
          request_->incumbent[u - partition_->unit_begin] + context_->prepared->timeline.units()[u].size;
      if (top > context_->capacity) spill.units.push_back(u);
    }
    Finish(std::move(spill));
  }

  void FromCover() {
    Allowance& allowance = *context_->allowance;
    Budget budget(allowance.deadline, std::nullopt, allowance.stop);
    auto cover =
        CoverOverload(context_->prepared->timeline, *partition_, context_->capacity, weights_, budget);
    if (!cover) {
      allowance.stopped = true;
      return;
    }
    PartitionSpill spill{.units = *std::move(cover)};
    const Answer answer = Ask(spill.units);
    if (answer == Answer::kStopped) return;
    if (answer == Answer::kYes) {
      spill.offsets = probe_.offsets();
    } else {
      std::optional<Overhang> overhang = probe_.LeastOverhang(Kept(spill.units), weights_);
      if (!overhang) return;
      spill.units.insert(spill.units.end(), overhang->units.begin(), overhang->units.end());
      spill.offsets = std::move(overhang->offsets);
    }
    Finish(std::move(spill));
  }

  // REQUIRES: spill.offsets place all others within the capacity.
  void Finish(PartitionSpill spill) {
    Return(spill);
    int exchanges = 0;
    while (spill.units.size() <= kMaxExchanged && Exchange(spill, exchanges)) Return(spill);
    std::ranges::sort(spill.units);
    for (const std::int32_t u : spill.units) {
      spill.offsets[u - partition_->unit_begin] = kNoOffset;
      spill.cost += Cost(u);
    }
    Record(std::move(spill));
  }

  void Return(PartitionSpill& spill) {
    std::ranges::sort(spill.units);
    std::ranges::stable_sort(spill.units, std::ranges::greater{},
                             [this](std::int32_t u) { return Weight(u); });
    MinimalSubset subset = ShrinkWhile(spill.units, [&](std::span<const std::int32_t> rest) {
      const Answer answer = Ask(rest);
      if (answer == Answer::kYes) spill.offsets = probe_.offsets();
      return answer;
    });
    spill.units = std::move(subset.elements);
    spill.minimal = subset.proven;
  }

  // Replaces a unit by one of less weight, if the rest still fits. `questions` counts the tries.
  bool Exchange(PartitionSpill& spill, int& questions) {
    for (std::size_t k = 0; k < spill.units.size(); ++k) {
      const std::int32_t returned = spill.units[k];
      for (const std::int32_t other : CheaperThan(returned, spill.units)) {
        if (++questions > kExchanges) return false;
        spill.units[k] = other;
        const Answer answer = Ask(spill.units);
        if (answer == Answer::kYes) {
          spill.offsets = probe_.offsets();
          return true;
        }
        spill.units[k] = returned;
        if (answer == Answer::kStopped) return false;
      }
    }
    return false;
  }

  // Units outside `spilled` of less weight than `unit` that share a section with it, the cheapest first.
  std::vector<std::int32_t> CheaperThan(std::int32_t unit, std::span<const std::int32_t> spilled) {
    const auto units = context_->prepared->timeline.units();
    std::vector<std::int32_t> cheaper = Kept(spilled);
    context_->allowance->work -= static_cast<std::int64_t>(cheaper.size()) / 8;
    std::erase_if(cheaper, [&](std::int32_t u) {
      return Weight(u) >= Weight(unit) || units[u].section_end <= units[unit].section_begin ||
             units[unit].section_end <= units[u].section_begin;
    });
    std::ranges::stable_sort(cheaper, {}, [this](std::int32_t u) { return Weight(u); });
    return cheaper;
  }

  // Another look: prices within a factor of two, and one member of a known set dear.
  void Jitter() {
    for (std::size_t k = 0; k < weights_.size(); ++k)
      weights_[k] = request_->costs[k] * (0.7 + 0.7 * random_.Unit());
    const PartitionSpill& known = found_[Below(found_.size())];
    if (known.units.empty()) return;
    const std::int32_t dear = known.units[Below(known.units.size())];
    weights_[dear - partition_->unit_begin] *= kDear;
  }

  std::size_t Below(std::size_t n) {
    return std::min(n - 1, static_cast<std::size_t>(random_.Unit() * static_cast<double>(n)));
  }

  // Keeps `spill` unless it contains a known set; drops those that contain it.
  void Record(PartitionSpill spill) {
    const auto contains = [](const PartitionSpill& a, const PartitionSpill& b) {
      return std::ranges::includes(a.units, b.units);
    };
    if (std::ranges::any_of(found_, [&](const PartitionSpill& known) { return contains(spill, known); }))
      return;
    std::erase_if(found_, [&](const PartitionSpill& known) { return contains(known, spill); });
    found_.push_back(std::move(spill));
  }

  void Trim() {
    std::ranges::stable_sort(found_, {}, &PartitionSpill::cost);
    if (found_.size() > request_->count) found_.resize(request_->count);
  }

  const ProbeContext* context_;
  const Partition* partition_;
  const PartitionSpillRequest* request_;
  SubsetProbe probe_;
  SplitMix random_;
  std::vector<double> weights_;  // of this round, by unit of the partition
  std::vector<char> spilled_;    // scratch
  std::vector<PartitionSpill> found_;
};

}  // namespace

std::vector<PartitionSpill> FindPartitionSpills(const ProbeContext& context, const Partition& partition,
                                                const PartitionSpillRequest& request) {
  return Rounds(context, partition, request).Run();
}

}  // namespace telamalloc

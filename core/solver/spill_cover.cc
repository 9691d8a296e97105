// Greedy cover: again and again the unit with the least weight per byte relieved, where bytes count in every
// overloaded section, up to what that section still holds too much.
//
//   excess   .. 3 5 5 2 ..      a unit of 4 bytes over all four relieves 3 + 4 + 4 + 2 = 13
//
// What a unit relieves only shrinks as others go, so its price per byte only grows: a unit whose price, taken
// anew, is still the least of the heap is the cheapest of all (lazy greedy).
#include "solver/spill_cover.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <tuple>
#include <vector>

namespace telamalloc {
namespace {

struct Offer {
  double price = 0;   // weight per byte
  double relief = 0;  // bytes, summed over sections
  std::int32_t unit = 0;

  friend bool operator>(const Offer& a, const Offer& b) {
    return std::tuple(a.price, -a.relief, a.unit) > std::tuple(b.price, -b.relief, b.unit);
  }
};

class Cover {
 public:
  Cover(const Timeline& timeline, const Partition& partition, std::int64_t capacity,
        std::span<const double> weights, Budget& budget)
      : timeline_(&timeline),
        partition_(&partition),
        capacity_(capacity),
        weights_(weights),
        budget_(&budget) {
    for (std::int32_t s = partition.section_begin; s < partition.section_end; ++s) {
      if (timeline.contention()[s] <= capacity) continue;
      sections_.push_back(s);
      excess_.push_back(timeline.contention()[s] - capacity);
    }
    overloaded_ = static_cast<std::int64_t>(sections_.size());
  }

  std::optional<std::vector<std::int32_t>> Run() {
    for (std::int32_t u = partition_->unit_begin; u < partition_->unit_end; ++u) {
      const Unit& unit = timeline_->units()[u];
      if (std::max<std::int64_t>(unit.fixed_offset, 0) + unit.size > capacity_) {
        Take(u);
      } else {
        Push(u);
      }
    }
    while (overloaded_ > 0 && !offers_.empty() && !budget_->exhausted()) {
      const std::int32_t unit = offers_.top().unit;
      offers_.pop();
      const Offer now = OfferOf(unit);
      if (now.relief <= 0) continue;
      if (!offers_.empty() && now > offers_.top()) {
        offers_.push(now);
      } else {
        Take(unit);
      }
    }
    if (budget_->exhausted()) return std::nullopt;
    std::ranges::sort(taken_);
    return std::move(taken_);
  }

 private:
  // Calls body(index in sections_, height) for each overloaded section of the unit's pieces; for some only,
  // once the budget has stopped.
  template <typename Body>
  void ForEachOverloaded(std::int32_t u, Body body) {
    for (const Piece& piece : timeline_->pieces_of(timeline_->units()[u])) {
      const auto first = std::ranges::lower_bound(sections_, piece.section_begin);
      const auto last = std::ranges::lower_bound(sections_, piece.section_end);
      if (budget_->Spend(last - first + 10)) return;
      for (auto it = first; it != last; ++it) {
        body(static_cast<std::size_t>(it - sections_.begin()), piece.upper - piece.lower);
      }
    }
  }

  Offer OfferOf(std::int32_t u) {
    double relief = 0;
    ForEachOverloaded(u, [&](std::size_t k, std::int64_t height) {
      if (excess_[k] > 0) relief += static_cast<double>(std::min(height, excess_[k]));
    });
    return {
        .price = relief > 0 ? weights_[u - partition_->unit_begin] / relief : 0, .relief = relief, .unit = u};
  }

  void Push(std::int32_t u) {
    const Offer offer = OfferOf(u);
    if (offer.relief > 0) offers_.push(offer);
  }

  void Take(std::int32_t u) {
    taken_.push_back(u);
    ForEachOverloaded(u, [&](std::size_t k, std::int64_t height) {
      if (excess_[k] > 0 && excess_[k] <= height) --overloaded_;
      excess_[k] -= height;  // at least -capacity
    });
  }

  const Timeline* timeline_;
  const Partition* partition_;
  std::int64_t capacity_;
  std::span<const double> weights_;
  Budget* budget_;
  std::vector<std::int32_t> sections_;  // overloaded at first, ascending
  std::vector<std::int64_t> excess_;    // by index in sections_
  std::int64_t overloaded_ = 0;         // sections with an excess now
  std::priority_queue<Offer, std::vector<Offer>, std::greater<>> offers_;
  std::vector<std::int32_t> taken_;
};

}  // namespace

std::optional<std::vector<std::int32_t>> CoverOverload(const Timeline& timeline, const Partition& partition,
                                                       std::int64_t capacity, std::span<const double> weights,
                                                       Budget& budget) {
  return Cover(timeline, partition, capacity, weights, budget).Run();
}

}  // namespace telamalloc

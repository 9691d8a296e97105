#include "search/greedy.h"

#include <algorithm>
#include <bit>
#include <memory>
#include <vector>

#include "absl/numeric/int128.h"
#include "search/occupancy.h"
#include "search/placing.h"
#include "search/unit_measures.h"
#include "timeline/within.h"

namespace telamalloc {
namespace {

struct Ranked {
  std::uint64_t key = 0;  // the largest first
  std::int64_t size = 0;
  std::int32_t unit = 0;
};

bool Before(const Ranked& a, const Ranked& b) {
  if (a.key != b.key) return a.key > b.key;
  if (a.size != b.size) return a.size > b.size;
  return a.unit < b.unit;
}

// Keeps the order of numbers up to their 57 leading bits: those, below the exponent.
std::uint64_t LeadingBits(absl::uint128 number) {
  constexpr int kBits = 57;
  const std::uint64_t high = absl::Uint128High64(number);
  const int width =
      high != 0 ? 128 - std::countl_zero(high) : 64 - std::countl_zero(absl::Uint128Low64(number));
  const int shift = std::max(0, width - kBits);
  return (static_cast<std::uint64_t>(shift) << kBits) + absl::Uint128Low64(number >> shift);
}

// The key of units by an order.
class Key {
 public:
  // Empty: `budget` stopped.
  static std::optional<Key> Make(const Timeline& timeline, const Partition& partition, GreedyOrder order,
                                 Budget& budget) {
    Key made(timeline, order);
    if (order == GreedyOrder::kContention) {
      made.busiest_ = BusiestSection::Make(timeline, partition, budget);
      if (!made.busiest_) return std::nullopt;
    }
    if (order == GreedyOrder::kSizeClass) {
      const bool done =
          ForEachWithin(budget, partition.unit_end - partition.unit_begin, 1, [&](std::size_t k) {
            made.largest_ = std::max(made.largest_, timeline.units()[partition.unit_begin + k].size);
          });
      if (!done) return std::nullopt;
    }
    return made;
  }

  [[nodiscard]] std::uint64_t Of(const Unit& unit) const {
    switch (order_) {
      case GreedyOrder::kSize:
        return static_cast<std::uint64_t>(unit.size);
      case GreedyOrder::kSizeClass:
        return std::countl_zero(static_cast<std::uint64_t>(largest_ / unit.size));
      case GreedyOrder::kArea:
        return LeadingBits(AreaOf(*timeline_, unit));
      case GreedyOrder::kLifetime:
        return LifetimeOf(*timeline_, unit);
      case GreedyOrder::kContention:
        return static_cast<std::uint64_t>(timeline_->contention()[busiest_->Of(unit)]);
    }
    return 0;
  }

 private:
  Key(const Timeline& timeline, GreedyOrder order) : timeline_(&timeline), order_(order) {}

  const Timeline* timeline_;
  GreedyOrder order_;
  std::optional<BusiestSection> busiest_;
  std::int64_t largest_ = 0;
};

// The units that are not pinned, in the order of their placement. Empty: `budget` stopped.
std::optional<std::vector<Ranked>> Rank(const Timeline& timeline, const Partition& partition,
                                        GreedyOrder order, Budget& budget) {
  const std::optional<Key> key = Key::Make(timeline, partition, order, budget);
  if (!key) return std::nullopt;
  std::vector<Ranked> ranked;
  ranked.reserve(partition.unit_end - partition.unit_begin);
  for (std::int32_t u = partition.unit_begin; u < partition.unit_end; ++u) {
    const Unit& unit = timeline.units()[u];
    if (budget.Spend(2 + 2 * (unit.piece_end - unit.piece_begin))) return std::nullopt;
    if (unit.fixed_offset != kNoOffset) continue;
    // Within a class the first to start goes first: units of like size then tile without waste.
    ranked.push_back({key->Of(unit), order == GreedyOrder::kSizeClass ? 0 : unit.size, u});
  }
  if (!SortWithin(budget, ranked, &Before)) return std::nullopt;
  return ranked;
}

std::optional<PartitionPlacement> PlaceInOrder(const Timeline& timeline, const Partition& partition,
                                               GreedyOrder order, Budget& budget) {
  std::optional<Placing> placing = Placing::Make(timeline, partition, budget);
  if (!placing) return std::nullopt;
  const std::unique_ptr<Occupancy> occupancy = MakeOccupancy(timeline, partition, budget);
  if (occupancy == nullptr || !placing->PlacePinned(*occupancy, budget)) return std::nullopt;
  const std::optional<std::vector<Ranked>> ranked = Rank(timeline, partition, order, budget);
  if (!ranked) return std::nullopt;
  for (const Ranked& next : *ranked) {
    const Unit& unit = timeline.units()[next.unit];
    const std::int64_t offset = occupancy->LowestOffset(unit, 0, budget);
    if (offset == kNoOffset) return std::nullopt;
    occupancy->Place(unit, offset, budget);
    placing->Set(next.unit, offset);
  }
  return placing->Take();
}

}  // namespace

template <GreedyOrder order>
std::optional<PartitionPlacement> PlaceGreedily(const Timeline& timeline, const Partition& partition,
                                                Budget& budget) {
  return PlaceInOrder(timeline, partition, order, budget);
}

template std::optional<PartitionPlacement> PlaceGreedily<GreedyOrder::kSize>(const Timeline&,
                                                                             const Partition&, Budget&);
template std::optional<PartitionPlacement> PlaceGreedily<GreedyOrder::kSizeClass>(const Timeline&,
                                                                                  const Partition&, Budget&);
template std::optional<PartitionPlacement> PlaceGreedily<GreedyOrder::kArea>(const Timeline&,
                                                                             const Partition&, Budget&);
template std::optional<PartitionPlacement> PlaceGreedily<GreedyOrder::kLifetime>(const Timeline&,
                                                                                 const Partition&, Budget&);
template std::optional<PartitionPlacement> PlaceGreedily<GreedyOrder::kContention>(const Timeline&,
                                                                                   const Partition&, Budget&);

}  // namespace telamalloc

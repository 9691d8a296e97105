// Why a branch failed, in the form that lets the search jump.
#ifndef TELAMALLOC_SEARCH_CONFLICT_H_
#define TELAMALLOC_SEARCH_CONFLICT_H_

#include <algorithm>
#include <cstdint>
#include <vector>

namespace telamalloc {

// A set of units as a bit set of fixed width.
class UnitSet {
 public:
  UnitSet() = default;
  explicit UnitSet(std::int32_t units) : words_((units + 63) / 64, 0) {}

  void Clear() { std::ranges::fill(words_, 0); }
  void Insert(std::int32_t unit) { words_[unit >> 6] |= std::uint64_t{1} << (unit & 63); }
  void Erase(std::int32_t unit) { words_[unit >> 6] &= ~(std::uint64_t{1} << (unit & 63)); }
  [[nodiscard]] bool Contains(std::int32_t unit) const {
    return ((words_[unit >> 6] >> (unit & 63)) & 1) != 0;
  }
  void InsertAll(const UnitSet& other) {
    for (std::size_t w = 0; w < words_.size(); ++w) words_[w] |= other.words_[w];
  }
  // Calls visit(unit) in ascending order.
  template <typename Visit>
  void ForEach(const Visit& visit) const {
    for (std::size_t w = 0; w < words_.size(); ++w) {
      for (std::uint64_t word = words_[w]; word != 0; word &= word - 1) {
        visit(static_cast<std::int32_t>(64 * w) + __builtin_ctzll(word));
      }
    }
  }
  friend bool operator==(const UnitSet&, const UnitSet&) = default;

 private:
  std::vector<std::uint64_t> words_;
};

// With the units of `reason` where they are, the units of `victims` cannot all be placed, wherever everything
// else goes. `reason` holds decided units only: pins are always where they are.
struct Conflict {
  UnitSet reason;
  UnitSet victims;
  // The unit that could not be placed, for the blame.
  std::int32_t blamed = -1;
  // False if the search gave up on part of the branch: then it is a guide for jumping, not a proof.
  bool proven = true;
};

}  // namespace telamalloc

#endif  // TELAMALLOC_SEARCH_CONFLICT_H_

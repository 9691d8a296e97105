// Memory of component states from which nothing was found: the same state is reached by many orders of the
// same decisions.
//
// A bounded table that grows as it fills; then a newer failure overwrites an older one in its slot. A state
// is known by a 64-bit hash of everything that its future depends on: two of a million states share a hash
// with a probability of 3e-8.
#ifndef TELAMALLOC_SEARCH_EXACT_FAILED_STATES_H_
#define TELAMALLOC_SEARCH_EXACT_FAILED_STATES_H_

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "search/exact/section_set.h"

namespace telamalloc {

class FailedStates {
 public:
  FailedStates() : slots_(kFirstSlots) {}

  // What the failure of the state `key` depends on; null if it is not known. REQUIRES: key != 0.
  [[nodiscard]] const SectionSet* Find(std::uint64_t key) const {
    const Slot& slot = SlotOf(key);
    return slot.key == key ? &slot.reason : nullptr;
  }

  // Says that `key` will be asked for soon: the table does not fit the fast caches.
  void Prefetch(std::uint64_t key) const { __builtin_prefetch(&SlotOf(key)); }

  // REQUIRES: key != 0. Cost: O(1) amortised.
  void Add(std::uint64_t key, const SectionSet& reason) {
    if (used_ >= slots_.size() / 2 && slots_.size() < kMaxSlots) Grow();
    Slot& slot = SlotOf(key);
    if (slot.key == 0) ++used_;
    slot = {.key = key, .reason = reason};
  }

 private:
  struct Slot {
    std::uint64_t key = 0;  // 0: empty
    SectionSet reason;
  };
  static constexpr std::size_t kFirstSlots = std::size_t{1} << 8;
  static constexpr std::size_t kMaxSlots = std::size_t{1} << 18;  // 10 MiB

  [[nodiscard]] const Slot& SlotOf(std::uint64_t key) const { return slots_[key & (slots_.size() - 1)]; }
  Slot& SlotOf(std::uint64_t key) { return slots_[key & (slots_.size() - 1)]; }

  void Grow() {
    std::vector<Slot> old(slots_.size() * 4);
    std::swap(old, slots_);
    for (const Slot& slot : old) {
      if (slot.key != 0) SlotOf(slot.key) = slot;
    }
  }

  std::vector<Slot> slots_;
  std::size_t used_ = 0;
};

}  // namespace telamalloc

#endif  // TELAMALLOC_SEARCH_EXACT_FAILED_STATES_H_

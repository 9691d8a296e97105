// Which ids repeat.
#ifndef TELAMALLOC_TIMELINE_UNIQUE_IDS_H_
#define TELAMALLOC_TIMELINE_UNIQUE_IDS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/hash/hash.h"
#include "memory/large_pages.h"
#include "telamalloc/problem.h"
#include "timeline/budget.h"

namespace telamalloc {

// Buffers by id, for those that have one. REQUIRES: `buffers` outlives it.
class UniqueIds {
 public:
  UniqueIds(const std::vector<Buffer>& buffers, Budget& budget)
      : buffers_(&buffers), budget_(&budget), ids_(0, Hash{&buffers}, Equal{&buffers}) {}

  // The first buffer that has the id of `b`: `b` itself unless it repeats, or once the budget has stopped.
  // REQUIRES: the id is not empty; each call names a later buffer.
  // Cost: a comparison while ids ascend, then a hash set's.
  std::size_t Insert(std::size_t b) {
    if (ascending_) {
      if (last_ == kNone || Less((*buffers_)[last_].id, (*buffers_)[b].id)) {
        last_ = b;
        return b;
      }
      InsertEarlier(b);
    }
    return InsertHashed(b);
  }

 private:
  // A set of buffers in which those with equal ids are equal: a quarter of the memory of a set of texts.
  struct Hash {
    const std::vector<Buffer>* buffers;
    std::size_t operator()(std::uint32_t b) const { return absl::HashOf((*buffers)[b].id); }
  };
  struct Equal {
    const std::vector<Buffer>* buffers;
    bool operator()(std::uint32_t a, std::uint32_t b) const { return (*buffers)[a].id == (*buffers)[b].id; }
  };

  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  // By length, then text: the order of numbers, and of numbers after a common letter.
  static bool Less(const std::string& a, const std::string& b) {
    return a.size() != b.size() ? a.size() < b.size() : a < b;
  }

  // Moves from comparing to hashing, before `b`.
  void InsertEarlier(std::size_t b);
  std::size_t InsertHashed(std::size_t b);

  const std::vector<Buffer>* buffers_;
  Budget* budget_;
  bool ascending_ = true;  // each id so far is greater than the one before
  std::size_t last_ = kNone;
  absl::flat_hash_set<std::uint32_t, Hash, Equal, LargePageAllocator<std::uint32_t>> ids_;
};

}  // namespace telamalloc

#endif  // TELAMALLOC_TIMELINE_UNIQUE_IDS_H_

// Most ids are numbers, in order: "0", "1", .. or "b0", "b1", ... Ordered by length and then by text these
// ascend, and what ascends cannot repeat. A set is only built once that order is broken.
#include "timeline/unique_ids.h"

namespace telamalloc {

void UniqueIds::InsertEarlier(std::size_t b) {
  ascending_ = false;
  ids_.reserve(buffers_->size());
  for (std::size_t a = 0; a < b && !budget_->Spend(10); ++a) {
    if (!(*buffers_)[a].id.empty()) InsertHashed(a);
  }
}

std::size_t UniqueIds::InsertHashed(std::size_t b) {
  constexpr std::size_t kAhead = 8;
  // Each id lands somewhere else in memory: ask for the place of one that comes soon.
  if (b + kAhead < buffers_->size()) ids_.prefetch(static_cast<std::uint32_t>(b + kAhead));
  return *ids_.insert(static_cast<std::uint32_t>(b)).first;
}

}  // namespace telamalloc

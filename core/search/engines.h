// Which searches a capacity is handed to.
#ifndef TELAMALLOC_SEARCH_ENGINES_H_
#define TELAMALLOC_SEARCH_ENGINES_H_

#include <cstdint>
#include <memory>

#include "search/capacity_search.h"
#include "timeline/timeline.h"

namespace telamalloc {

enum class Engines : std::int8_t {
  kAuto,        // the exact search where it accepts, TelaMalloc's elsewhere and beside it on what takes long
  kTelamalloc,  // TelaMalloc's search alone
  kExact,       // the exact search alone
};

// A search of `partition` within `capacity`; null if none of `engines` takes the partition.
// REQUIRES: `timeline` outlives it.
std::unique_ptr<CapacitySearch> MakeSearch(Engines engines, const Timeline& timeline,
                                           const Partition& partition, std::int64_t capacity,
                                           const SearchOptions& options);

}  // namespace telamalloc

#endif  // TELAMALLOC_SEARCH_ENGINES_H_

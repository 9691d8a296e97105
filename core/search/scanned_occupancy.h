// Occupancy for few pieces: all that is placed in one list by address, scanned from the bottom.
//
// A piece that overlaps the asking one in time lifts it over its top; at the first piece that begins above
// the riser the gap is found, since everything later begins higher still. No set-up, no index: unbeaten up to
// some dozens of pieces. Cost: linear in what is placed, for both operations.
#ifndef TELAMALLOC_SEARCH_SCANNED_OCCUPANCY_H_
#define TELAMALLOC_SEARCH_SCANNED_OCCUPANCY_H_

#include <cstdint>
#include <vector>

#include "search/occupancy.h"

namespace telamalloc {

class ScannedOccupancy final : public Occupancy {
 public:
  explicit ScannedOccupancy(const Timeline& timeline) : Occupancy(timeline) {}

 private:
  struct Placed {
    std::int64_t bottom = 0;
    std::int64_t top = 0;
    std::int32_t section_begin = 0;
    std::int32_t section_end = 0;
  };

  bool Raise(std::int32_t p, Riser& riser, Budget& budget) const override;
  void Cover(std::int32_t p, std::int64_t bottom, std::int64_t top, Budget& budget) override;

  std::vector<Placed> placed_;  // by bottom
};

}  // namespace telamalloc

#endif  // TELAMALLOC_SEARCH_SCANNED_OCCUPANCY_H_

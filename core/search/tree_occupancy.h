// Occupancy for any number of pieces and overlaps: a binary tree over the sections of a partition.
//
// Each node stands for a range of sections and keeps two sets of addresses: `covering`, taken in all of its
// sections by the same pieces, and `inside`, taken in any of its sections by pieces that end inside its range
// or below. A range of sections [a, b) falls into O(log n) nodes; what is taken at any time in it is the
// union of `inside` and `covering` of those nodes and of `covering` of the nodes above them. So the lowest
// gap is found by running through O(log n) sorted lists at once.
//
//        +-------------+         piece x covers the node of its first two sections: in `covering` and
//        |      o      |         `inside` there, and in `inside` of the root
//        +------+------+
//        |  o   |  o   |         Neighbours in address merge, so that in practice a list is far shorter than
//        +--+---+--+---+         what is placed: one section that 10,000 pieces share keeps one interval.
//        |xx|xxx|  |   |
#ifndef TELAMALLOC_SEARCH_TREE_OCCUPANCY_H_
#define TELAMALLOC_SEARCH_TREE_OCCUPANCY_H_

#include <cstdint>
#include <vector>

#include "search/interval_set.h"
#include "search/occupancy.h"

namespace telamalloc {

class TreeOccupancy final : public Occupancy {
 public:
  TreeOccupancy(const Timeline& timeline, const Partition& partition);

 private:
  struct Node {
    IntervalSet covering;
    IntervalSet inside;
  };

  // Calls fill(node) for each of the disjoint nodes that make up the sections of piece `p`, then part(node)
  // for each node that it overlaps without filling it.
  template <typename Fill, typename Part>
  void Visit(std::int32_t p, Fill fill, Part part) const;

  bool Raise(std::int32_t p, Riser& riser, Budget& budget) const override;
  void Cover(std::int32_t p, std::int64_t bottom, std::int64_t top, Budget& budget) override;

  std::int32_t section_begin_;
  std::uint32_t leaves_;     // a power of two
  std::vector<Node> nodes_;  // children of k: 2k and 2k + 1; the leaves from leaves_
};

}  // namespace telamalloc

#endif  // TELAMALLOC_SEARCH_TREE_OCCUPANCY_H_

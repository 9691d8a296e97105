// Occupancy for any number of pieces and overlaps: a binary tree over the sections of a partition.
//
// Each node stands for a range of sections and keeps two sets of addresses:
//   covering   taken by pieces that fill its range, but not that of the node above;
//   inside     taken at any time in its range: by pieces that fill it or end in it. In the coarse nodes near
//              the root, by those that fill a node above too.
// The sections of a piece fall into O(log n) nodes that they fill, and cut O(log n) others. What it meets is
// in `inside` of the former and, unless all of those are coarse, in `covering` of the latter. So the lowest
// gap is found by running through O(log n) sorted lists at once.
//
//   +---------------------------+
//   |             ,             |  coarse    x fills the two marked nodes: it is in `covering` of both, in
//   +-------------+-------------+            `inside` of both and of those that it cuts (,). A coarse node
//   |      ,      |    x        |  coarse    passes it on to the coarse nodes below.
//   +------+------+------+------+
//   |      |  x   |      |      |            Neighbours in address merge: one section that 10,000 pieces
//   share
//   +------+------+------+------+            keeps one interval. The coarse lists, where most is known, merge
//          [    piece x         )            best; they are asked first.
#ifndef TELAMALLOC_SEARCH_TREE_OCCUPANCY_H_
#define TELAMALLOC_SEARCH_TREE_OCCUPANCY_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "search/interval_set.h"
#include "search/occupancy.h"

namespace telamalloc {

class TreeOccupancy final : public Occupancy {
 public:
  // Null: `budget` stopped.
  static std::unique_ptr<TreeOccupancy> Make(const Timeline& timeline, const Partition& partition,
                                             Budget& budget);

 private:
  struct Node {
    IntervalSet covering;
    IntervalSet inside;
  };

  TreeOccupancy(const Timeline& timeline, const Partition& partition);

  // The leaves [begin, end) of a piece.
  struct Leaves {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
  };
  [[nodiscard]] Leaves LeavesOf(std::int32_t p) const;

  bool Raise(std::int32_t p, Riser& riser, Budget& budget) const override;
  void Cover(std::int32_t p, std::int64_t bottom, std::int64_t top, Budget& budget) override;

  std::int32_t section_begin_;
  std::uint32_t leaves_;        // a power of two
  std::uint64_t coarse_nodes_;  // those with lower indices are coarse
  IntervalPool pool_;
  std::vector<Node> nodes_;  // children of k: 2k and 2k + 1; the leaves from leaves_
};

}  // namespace telamalloc

#endif  // TELAMALLOC_SEARCH_TREE_OCCUPANCY_H_

// Parts of the skyline that can be filled apart: between two borders, with units still to place.
//
// When a decision leaves a boundary that no unplaced unit crosses, what lies left and right of it is
// independent. One part is searched at a time, the one with the fewest units first; the others wait. A part
// that fails makes the decision that split it off fail, whatever was decided in its siblings since.
//
// A unit that spans its whole component may be put on top of it at once: in any placement what lies above the
// unit can be moved below it. It costs capacity and nothing else. (Not with pins or alignments.)
#ifndef TELAMALLOC_SEARCH_EXACT_COMPONENTS_H_
#define TELAMALLOC_SEARCH_EXACT_COMPONENTS_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "search/exact/section_set.h"
#include "search/exact/skyline.h"
#include "telamalloc/solver.h"

namespace telamalloc {

struct Component {
  std::int32_t begin = 0;  // sections [begin, end)
  std::int32_t end = 0;
  std::int64_t capacity = 0;  // less what was put on top
  std::int32_t units = 0;     // to place when it was made
  std::int32_t creator = -1;  // frame of the decision that split it off; -1: none
  std::int32_t next = -1;     // that waits after it
  // Its borders, if something was put on top on their strength: part of each failure's explanation.
  SectionSet borders;
};

class Components {
 public:
  struct Mark {
    std::size_t count = 0;
    std::int32_t current = -1;
    std::int32_t waiting = -1;
  };

  // REQUIRES: both outlive this object.
  Components(Skyline& skyline, const SectionBits& bits, const ExactRules& rules)
      : skyline_(&skyline), bits_(&bits), rules_(rules) {}

  // Starts over with the whole skyline. current() is then its first part to be searched, if any.
  void Start(std::int64_t capacity);

  [[nodiscard]] bool has_current() const { return current_ >= 0; }
  [[nodiscard]] const Component& current() const { return components_[current_]; }
  // Makes the next waiting component the current one; false if none waits.
  bool TakeNext();

  // Whether the decision that changed sections [begin, end) leaves the current component in one piece.
  [[nodiscard]] bool StillWhole(std::int32_t begin, std::int32_t end) const;
  // Replaces the current component by its parts; those() lists them. Cost: O(its sections).
  void Split(std::int32_t creator);
  [[nodiscard]] std::span<const std::int32_t> parts() const { return parts_; }
  [[nodiscard]] const Component& operator[](std::int32_t c) const { return components_[c]; }

  [[nodiscard]] Mark mark() const { return {components_.size(), current_, waiting_}; }
  void BacktrackTo(const Mark& mark);

 private:
  [[nodiscard]] bool AnyUnplaced(const Component& component) const;
  void Settle(const Component& whole);
  void PutSpanningOnTop(Component& component);
  void CutUp(const Component& component);

  Skyline* skyline_;
  const SectionBits* bits_;
  ExactRules rules_;
  std::vector<Component> components_;
  std::int32_t current_ = -1;
  std::int32_t waiting_ = -1;
  std::vector<std::int32_t> parts_;
  std::vector<Component> work_;  // scratch
};

}  // namespace telamalloc

#endif  // TELAMALLOC_SEARCH_EXACT_COMPONENTS_H_

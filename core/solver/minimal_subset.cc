// Chunks first, halving: what does not matter goes in large pieces, what matters is found one by one.
//
//   abcdefgh   without abcd?  yes: drop them        holds(efgh)
//       efgh   without ef?    no
//       efgh   without gh?    yes                   holds(ef)
//       ef     without e? no: e is needed. Without f? yes: the answer is {e}.
//
// The property is monotone, so an element that was needed once stays needed when others go: one pass over
// single elements proves minimality. An element whose question stayed open is asked about again as long as
// others have gone since, because smaller questions are easier.
#include "solver/minimal_subset.h"

#include <algorithm>
#include <bit>
#include <cstddef>

namespace telamalloc {
namespace {

struct Element {
  std::int32_t value = 0;
  bool needed = false;
};

class Shrinker {
 public:
  using Holds = std::function<Answer(std::span<const std::int32_t>)>;

  Shrinker(std::span<const std::int32_t> elements, const Holds& holds) : holds_(&holds) {
    elements_.reserve(elements.size());
    for (const std::int32_t value : elements) elements_.push_back({.value = value});
  }

  MinimalSubset Run() {
    for (std::size_t chunk = std::bit_ceil(elements_.size()) / 2; chunk > 1 && !stopped_; chunk /= 2) {
      Pass(std::min(chunk, elements_.size()));
    }
    bool again = true;
    while (again && !stopped_) again = Pass(1) && !AllNeeded();
    MinimalSubset result{.proven = AllNeeded()};
    for (const Element& element : elements_) result.elements.push_back(element.value);
    return result;
  }

 private:
  [[nodiscard]] bool AllNeeded() const {
    return std::ranges::all_of(elements_, [](const Element& element) { return element.needed; });
  }

  // Tries to drop each run of `chunk` elements; whether any went.
  bool Pass(std::size_t chunk) {
    bool dropped = false;
    for (std::size_t begin = 0; begin < elements_.size() && !stopped_;) {
      const std::size_t end = std::min(elements_.size(), begin + chunk);
      if (chunk == 1 && elements_[begin].needed) {
        ++begin;
        continue;
      }
      const Answer answer = AskWithout(begin, end);
      stopped_ = answer == Answer::kStopped;
      if (answer == Answer::kYes) {
        elements_.erase(elements_.begin() + static_cast<std::ptrdiff_t>(begin),
                        elements_.begin() + static_cast<std::ptrdiff_t>(end));
        dropped = true;
        continue;
      }
      if (answer == Answer::kNo && end - begin == 1) elements_[begin].needed = true;
      begin = end;
    }
    return dropped;
  }

  Answer AskWithout(std::size_t begin, std::size_t end) {
    rest_.clear();
    for (std::size_t k = 0; k < elements_.size(); ++k) {
      if (k < begin || k >= end) rest_.push_back(elements_[k].value);
    }
    return (*holds_)(rest_);
  }

  const Holds* holds_;
  std::vector<Element> elements_;
  std::vector<std::int32_t> rest_;
  bool stopped_ = false;
};

}  // namespace

MinimalSubset ShrinkWhile(std::span<const std::int32_t> elements,
                          const std::function<Answer(std::span<const std::int32_t>)>& holds) {
  return Shrinker(elements, holds).Run();
}

}  // namespace telamalloc

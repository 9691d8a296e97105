// Sets of addresses as their maximal intervals, by address; touching intervals are merged.
//
// A tree has millions of such sets, most of them tiny. Their arrays come from one pool, so that they take no
// more room than they need and go all at once: a search that is told to stop must not spend long on tidying.
#ifndef TELAMALLOC_SEARCH_INTERVAL_SET_H_
#define TELAMALLOC_SEARCH_INTERVAL_SET_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace telamalloc {

// [bottom, top), bottom < top.
struct Interval {
  std::int64_t bottom = 0;
  std::int64_t top = 0;
};

// Arrays of intervals, of 2^k elements each. They live as long as the pool.
class IntervalPool {
 public:
  Interval* Take(int k) {
    std::vector<Interval*>& free = free_[k];
    if (!free.empty()) {
      Interval* const array = free.back();
      free.pop_back();
      return array;
    }
    const std::size_t size = std::size_t{1} << k;
    if (size > left_) {
      left_ = std::max(size, kChunk);
      chunks_.push_back(std::make_unique<Interval[]>(left_));
      next_ = chunks_.back().get();
    }
    Interval* const array = next_;
    next_ += size;
    left_ -= size;
    return array;
  }

  void GiveBack(Interval* array, int k) { free_[k].push_back(array); }

 private:
  static constexpr std::size_t kChunk = 4096;

  std::vector<std::unique_ptr<Interval[]>> chunks_;
  Interval* next_ = nullptr;  // in the last chunk
  std::size_t left_ = 0;
  std::array<std::vector<Interval*>, 32> free_;
};

class IntervalSet {
 public:
  [[nodiscard]] std::span<const Interval> intervals() const { return {begin_, end()}; }

  // Adds [bottom, top), which may overlap what is there. Every call takes the same pool, which owns the
  // memory. Cost: logarithmic in the intervals, and linear in those above unless one of the neighbours
  // absorbs it.
  void Add(std::int64_t bottom, std::int64_t top, IntervalPool& pool) {
    // [first, last): what [bottom, top) overlaps or touches.
    Interval* const first = size_ == 0 || (end() - 1)->top < bottom
                                ? end()
                                : std::ranges::lower_bound(begin_, end(), bottom, {}, &Interval::top);
    if (first == end() || first->bottom > top) {
      Insert(first - begin_, {bottom, top}, pool);
      return;
    }
    Interval* last = first + 1;
    while (last != end() && last->bottom <= top) ++last;
    first->bottom = std::min(first->bottom, bottom);
    first->top = std::max((last - 1)->top, top);
    if (last - first > 1) size_ = static_cast<std::int32_t>(std::copy(last, end(), first + 1) - begin_);
  }

 private:
  [[nodiscard]] Interval* end() const { return begin_ + size_; }

  void Insert(std::ptrdiff_t position, Interval interval, IntervalPool& pool) {
    if (begin_ == nullptr) {
      begin_ = pool.Take(0);
    } else if (size_ == std::int32_t{1} << log_capacity_) {
      Interval* const larger = pool.Take(log_capacity_ + 1);
      std::copy(begin_, end(), larger);
      pool.GiveBack(begin_, log_capacity_++);
      begin_ = larger;
    }
    std::copy_backward(begin_ + position, end(), end() + 1);
    begin_[position] = interval;
    ++size_;
  }

  Interval* begin_ = nullptr;  // 2^log_capacity_ elements of the pool; null: none yet
  std::int32_t size_ = 0;
  std::int32_t log_capacity_ = 0;
};

}  // namespace telamalloc

#endif  // TELAMALLOC_SEARCH_INTERVAL_SET_H_

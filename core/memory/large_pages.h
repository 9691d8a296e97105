// Arrays that ask the system for large pages.
//
// A new array costs its first touch: one fault per page, of which a million buffers cause 50,000 with pages
// of 4 KiB - a third of the time it takes to prepare them - and 100 with pages of 2 MiB. Random access to a
// large array gains as well. A request only: where the system has no large pages nothing changes.
#ifndef TELAMALLOC_MEMORY_LARGE_PAGES_H_
#define TELAMALLOC_MEMORY_LARGE_PAGES_H_

#include <cstddef>
#include <new>
#include <vector>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace telamalloc {

// Small arrays come from the heap as ever. Stateless: all allocators are equal.
template <typename T>
class LargePageAllocator {
 public:
  using value_type = T;

  LargePageAllocator() = default;
  template <typename U>
  explicit LargePageAllocator(const LargePageAllocator<U>& /*other*/) {}

  T* allocate(std::size_t count) {
    const std::size_t bytes = count * sizeof(T);  // std::vector checks that this fits
    if (bytes < kPage) return static_cast<T*>(::operator new(bytes));
    void* const array = ::operator new (bytes, std::align_val_t{kPage});
#if defined(MADV_HUGEPAGE)
    madvise(array, bytes, MADV_HUGEPAGE);  // refused: then pages are small
#endif
    return static_cast<T*>(array);
  }

  void deallocate(T* array, std::size_t count) {
    if (count * sizeof(T) < kPage) {
      ::operator delete(array);
    } else {
      ::operator delete (array, std::align_val_t{kPage});
    }
  }

  friend bool operator==(const LargePageAllocator&, const LargePageAllocator&) { return true; }

 private:
  static constexpr std::size_t kPage = std::size_t{2} << 20;
};

template <typename T>
using LargeVector = std::vector<T, LargePageAllocator<T>>;

}  // namespace telamalloc

#endif  // TELAMALLOC_MEMORY_LARGE_PAGES_H_

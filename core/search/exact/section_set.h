// A set of sections as a few machine words: what a failure depends on.
//
// Sections share a bit when there are more of them than bits. A set may then hold more sections than were put
// in, never fewer: the search jumps less far, and stays complete.
#ifndef TELAMALLOC_SEARCH_EXACT_SECTION_SET_H_
#define TELAMALLOC_SEARCH_EXACT_SECTION_SET_H_

#include <algorithm>
#include <array>
#include <cstdint>

namespace telamalloc {

struct SectionSet {
  static constexpr std::int32_t kWords = 4;
  static constexpr std::int32_t kBits = 64 * kWords;

  std::array<std::uint64_t, kWords> words{};

  void Add(const SectionSet& other) {
    for (std::int32_t w = 0; w < kWords; ++w) words[w] |= other.words[w];
  }
  [[nodiscard]] bool Meets(const SectionSet& other) const {
    std::uint64_t common = 0;
    for (std::int32_t w = 0; w < kWords; ++w) common |= words[w] & other.words[w];
    return common != 0;
  }
  friend bool operator==(const SectionSet&, const SectionSet&) = default;
};

// Maps the sections of one partition to bits, evenly.
class SectionBits {
 public:
  explicit SectionBits(std::int32_t sections) {
    while ((static_cast<std::int64_t>(sections) - 1) >> shift_ >= SectionSet::kBits) ++shift_;
  }

  // The sections [begin, end). REQUIRES: 0 <= begin < end <= sections.
  [[nodiscard]] SectionSet Range(std::int32_t begin, std::int32_t end) const {
    SectionSet set;
    const std::int32_t first = begin >> shift_;
    const std::int32_t last = (end - 1) >> shift_;
    const std::int32_t first_word = first >> 6;
    const std::int32_t last_word = last >> 6;
    for (std::int32_t w = first_word; w <= last_word; ++w) set.words[w] = ~std::uint64_t{0};
    set.words[first_word] &= ~std::uint64_t{0} << (first & 63);
    set.words[last_word] &= ~std::uint64_t{0} >> (63 - (last & 63));
    return set;
  }

 private:
  std::int32_t shift_ = 0;
};

}  // namespace telamalloc

#endif  // TELAMALLOC_SEARCH_EXACT_SECTION_SET_H_

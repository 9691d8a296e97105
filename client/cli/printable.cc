// A strict reading of UTF-8 (RFC 3629): no overlong forms, no surrogates, nothing above U+10FFFF.
#include "client/cli/printable.h"

#include <cstddef>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace telamalloc::cli {
namespace {

// Bytes of the character that `lead` begins; 0 if none begins with it.
std::size_t LengthOf(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return 2;
  if (lead >= 0xE0 && lead <= 0xEF) return 3;
  if (lead >= 0xF0 && lead <= 0xF4) return 4;
  return 0;
}

// What the first continuation byte of some leads must not be.
bool Overlong(unsigned char lead, unsigned char next) {
  return (lead == 0xE0 && next < 0xA0) || (lead == 0xED && next > 0x9F) || (lead == 0xF0 && next < 0x90) ||
         (lead == 0xF4 && next > 0x8F);
}

// Bytes of the printable character at the front; 0 if there is none. C1 controls and the two code points
// that XML forbids (U+FFFE, U+FFFF) are not printable.
std::size_t PrintableLength(absl::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  const std::size_t length = LengthOf(lead);
  if (length == 0 || length > text.size()) return 0;
  if (length == 1) return lead >= 0x20 && lead != 0x7F ? 1 : 0;
  for (std::size_t k = 1; k < length; ++k) {
    if ((static_cast<unsigned char>(text[k]) & 0xC0) != 0x80) return 0;
  }
  const auto next = static_cast<unsigned char>(text[1]);
  if (Overlong(lead, next) || (lead == 0xC2 && next < 0xA0)) return 0;
  if (text.substr(0, 2) == "\xEF\xBF" && static_cast<unsigned char>(text[2]) >= 0xBE) return 0;
  return length;
}

}  // namespace

std::vector<std::string> Characters(absl::string_view text) {
  std::vector<std::string> characters;
  while (!text.empty()) {
    const std::size_t length = PrintableLength(text);
    characters.push_back(length == 0 ? "?" : absl::StrCat(text.substr(0, length)));
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return characters;
}

std::string Shortened(absl::string_view text, std::size_t limit) {
  const std::vector<std::string> characters = Characters(text);
  std::string shortened;
  for (std::size_t k = 0; k < characters.size() && k < limit; ++k) {
    const bool cut = k + 1 == limit && characters.size() > limit;
    shortened += cut ? "…" : characters[k];
  }
  return shortened;
}

}  // namespace telamalloc::cli

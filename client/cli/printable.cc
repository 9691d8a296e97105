// A strict reading of UTF-8 (RFC 3629): no overlong forms, no surrogates, nothing above U+10FFFF.
#include "client/cli/printable.h"

#include <array>
#include <cstddef>
#include <cstdint>
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

// Bytes of the well-formed character at the front; 0 if there is none.
std::size_t CharacterLength(absl::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  const std::size_t length = LengthOf(lead);
  if (length == 0 || length > text.size()) return 0;
  for (std::size_t k = 1; k < length; ++k) {
    if ((static_cast<unsigned char>(text[k]) & 0xC0) != 0x80) return 0;
  }
  return length > 1 && Overlong(lead, static_cast<unsigned char>(text[1])) ? 0 : length;
}

// REQUIRES: `character` is one well-formed character.
std::uint32_t CodePoint(absl::string_view character) {
  constexpr std::array<std::uint32_t, 5> kLeadBits = {0, 0x7F, 0x1F, 0x0F, 0x07};
  std::uint32_t code = static_cast<unsigned char>(character[0]) & kLeadBits.at(character.size());
  for (const char c : character.substr(1)) code = code << 6 | (static_cast<unsigned char>(c) & 0x3F);
  return code;
}

// Controls (C0, DEL, C1), line separators, marks that turn the direction of writing, and the two code points
// that XML forbids.
bool IsPrintable(std::uint32_t code) {
  if (code < 0x20 || (code >= 0x7F && code < 0xA0)) return false;
  if (code == 0x200E || code == 0x200F || (code >= 0x2028 && code <= 0x202E)) return false;
  return !(code >= 0x2066 && code <= 0x2069) && code != 0xFFFE && code != 0xFFFF;
}

enum class Kind { kPrintable, kUnprintable, kMalformed };

// Calls `take(character, kind)` for each character of `text`; a malformed one is a byte.
template <typename Take>
void ForEachCharacter(absl::string_view text, const Take& take) {
  while (!text.empty()) {
    const std::size_t length = CharacterLength(text);
    const absl::string_view character = text.substr(0, length == 0 ? 1 : length);
    take(character, length == 0                         ? Kind::kMalformed
                    : IsPrintable(CodePoint(character)) ? Kind::kPrintable
                                                        : Kind::kUnprintable);
    text.remove_prefix(character.size());
  }
}

}  // namespace

std::string Printable(absl::string_view text) {
  std::string printable;
  ForEachCharacter(text, [&](absl::string_view character, Kind kind) {
    if (kind == Kind::kPrintable) {
      absl::StrAppend(&printable, character);
    } else {
      for (const char c : character) {
        absl::StrAppend(&printable, "\\x", absl::Hex(static_cast<unsigned char>(c), absl::kZeroPad2));
      }
    }
  });
  return printable;
}

std::string JsonString(absl::string_view text) {
  std::string quoted = "\"";
  ForEachCharacter(text, [&](absl::string_view character, Kind kind) {
    if (kind == Kind::kMalformed) {
      absl::StrAppend(&quoted, "\\ufffd");
    } else if (kind == Kind::kUnprintable) {
      absl::StrAppend(&quoted, "\\u", absl::Hex(CodePoint(character), absl::kZeroPad4));
    } else {
      absl::StrAppend(&quoted, character == "\"" || character == "\\" ? "\\" : "", character);
    }
  });
  quoted.push_back('"');
  return quoted;
}

std::vector<std::string> Characters(absl::string_view text) {
  std::vector<std::string> characters;
  ForEachCharacter(text, [&](absl::string_view character, Kind kind) {
    characters.push_back(kind == Kind::kPrintable ? absl::StrCat(character) : "?");
  });
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

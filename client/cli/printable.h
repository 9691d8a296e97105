// Ids, file names and what a server says of itself are any text; terminals and pictures need harmless text.
#ifndef TELAMALLOC_CLIENT_CLI_PRINTABLE_H_
#define TELAMALLOC_CLIENT_CLI_PRINTABLE_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace telamalloc::cli {

// `text` with control characters, what turns the direction of writing, and bytes that are not well-formed
// UTF-8 as \xNN: nothing that a terminal would obey, and one line.
std::string Printable(absl::string_view text);

// `text` as a string of JSON, in quotes. Bytes that are not well-formed UTF-8 become U+FFFD.
std::string JsonString(absl::string_view text);

// The characters of `text`, each as its UTF-8 bytes; those that Printable escapes become "?".
std::vector<std::string> Characters(absl::string_view text);

// The first `limit` characters, the last of them "…" when some were left out.
std::string Shortened(absl::string_view text, std::size_t limit);

}  // namespace telamalloc::cli

#endif  // TELAMALLOC_CLIENT_CLI_PRINTABLE_H_

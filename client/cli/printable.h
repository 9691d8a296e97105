// Ids are any bytes; pictures need text.
#ifndef TELAMALLOC_CLIENT_CLI_PRINTABLE_H_
#define TELAMALLOC_CLIENT_CLI_PRINTABLE_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace telamalloc::cli {

// The characters of `text`, each as its UTF-8 bytes. Control characters and bytes that are not well-formed
// UTF-8 become "?".
std::vector<std::string> Characters(absl::string_view text);

// The first `limit` characters, the last of them "…" when some were left out.
std::string Shortened(absl::string_view text, std::size_t limit);

}  // namespace telamalloc::cli

#endif  // TELAMALLOC_CLIENT_CLI_PRINTABLE_H_

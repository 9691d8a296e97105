// A placement as a picture for a terminal.
#ifndef TELAMALLOC_CLIENT_CLI_PICTURE_H_
#define TELAMALLOC_CLIENT_CLI_PICTURE_H_

#include <cstdint>
#include <span>
#include <string>

#include "telamalloc/problem.h"

namespace telamalloc::cli {

// Time runs to the right, addresses upward; lines of at most 80 characters, at most 30 lines.
//
//   12 ┌───────┬───────────────────┐
//      │  b3   │        b4         │
//    8 ├──┬────┴─┬─────────────────┤
//      │b1│  b2  │                 │
//
// Buffers too thin for a cell of their own are counted below the picture.
// REQUIRES: the placement is valid for `problem`, capacity apart.
std::string DrawPicture(const Problem& problem, std::span<const std::int64_t> offsets);

}  // namespace telamalloc::cli

#endif  // TELAMALLOC_CLIENT_CLI_PICTURE_H_

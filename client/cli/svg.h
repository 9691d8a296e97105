// A placement as an SVG picture.
#ifndef TELAMALLOC_CLIENT_CLI_SVG_H_
#define TELAMALLOC_CLIENT_CLI_SVG_H_

#include <cstdint>
#include <span>
#include <string>

#include "telamalloc/problem.h"

namespace telamalloc::cli {

// Time runs to the right, addresses upward: a rectangle for each buffer with its id where it fits and
// lifetime, size and offset on hovering, the load as a curve, the capacity as a line.
//
// A self-contained document without scripts; all text is escaped, bytes that are not UTF-8 are replaced.
// REQUIRES: the placement is valid for `problem`, capacity apart.
std::string DrawSvg(const Problem& problem, std::span<const std::int64_t> offsets);

}  // namespace telamalloc::cli

#endif  // TELAMALLOC_CLIENT_CLI_SVG_H_

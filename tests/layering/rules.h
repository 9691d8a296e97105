// What the layout of the project promises, as checks on its text. Each answers one line per broken promise,
// "path:line: what is wrong"; none means that it holds.
//
//   client/cli -> client/include -> core/include        Arrows are permissions to include; nothing else may.
//   client, server -> proto/convert -> generated code, core/include
//   core/solver -> core/search -> core/timeline -> core/problem -> core/include
//   core/csv -> core/problem; core/verify -> core/include and nothing else
#ifndef TELAMALLOC_TESTS_LAYERING_RULES_H_
#define TELAMALLOC_TESTS_LAYERING_RULES_H_

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "layering/source_tree.h"

namespace telamalloc::layering {

inline constexpr std::size_t kMaxLinesPerFile = 400;

// Includes point one way, as drawn above, and the solver library includes the standard library and Abseil
// only (of Abseil neither flags nor logging).
std::vector<std::string> CheckIncludes(std::span<const SourceFile> files);

// The solver library does not ask the environment: an answer depends on the request alone.
std::vector<std::string> CheckEnvironment(std::span<const SourceFile> files);

// No file is longer than kMaxLinesPerFile.
std::vector<std::string> CheckLengths(std::span<const SourceFile> files);

// Nothing is left for later in a comment.
std::vector<std::string> CheckLeftovers(std::span<const SourceFile> files);

}  // namespace telamalloc::layering

#endif  // TELAMALLOC_TESTS_LAYERING_RULES_H_

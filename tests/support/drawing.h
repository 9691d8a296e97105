// Problems and placements as pictures.
#ifndef TELAMALLOC_TESTS_SUPPORT_DRAWING_H_
#define TELAMALLOC_TESTS_SUPPORT_DRAWING_H_

#include <cstdint>
#include <vector>

#include "absl/strings/string_view.h"
#include "telamalloc/problem.h"

namespace telamalloc::testing {

// A problem as one of its placements: rows = bytes (address 0 at the bottom), columns = ticks from 0; the
// same character = one buffer, which is also its id; '.' = nothing. The capacity is the number of rows.
//
//   FromDrawing("aab\n"          a: [0, 2) x 1 byte, b: [2, 3) x 2 bytes, c: [0, 2) x 1 byte; capacity 2
//               "ccb\n");
//
// Buffers are ordered by character. A column in which a buffer that goes on later holds nothing is a gap; one
// in which it holds only some bytes is a gap with a window. REQUIRES: rows of equal length; in every column a
// buffer's bytes are contiguous.
Problem FromDrawing(absl::string_view picture);

// The offsets that the picture shows, for the buffers of FromDrawing(picture).
std::vector<std::int64_t> DrawnOffsets(absl::string_view picture);

}  // namespace telamalloc::testing

#endif  // TELAMALLOC_TESTS_SUPPORT_DRAWING_H_

#include "support/drawing.h"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <map>
#include <string>

#include "absl/strings/str_split.h"

namespace telamalloc::testing {
namespace {

// Bytes [lower, upper) of one buffer in one column.
struct Column {
  std::int64_t tick = 0;
  std::int64_t lower = 0;
  std::int64_t upper = 0;
};

struct Picture {
  std::int64_t rows = 0;
  std::map<char, std::vector<Column>> columns = {};  // of each buffer, by tick
};

Picture Read(absl::string_view text) {
  const std::vector<absl::string_view> rows = absl::StrSplit(text, '\n', absl::SkipEmpty());
  Picture picture{.rows = static_cast<std::int64_t>(rows.size())};
  if (rows.empty()) return picture;
  for (std::size_t tick = 0; tick < rows.front().size(); ++tick) {
    for (std::size_t row = rows.size(); row-- > 0;) {
      assert(rows[row].size() == rows.front().size());
      const char name = rows[row][tick];
      if (name == '.') continue;
      const auto byte = static_cast<std::int64_t>(rows.size() - 1 - row);
      std::vector<Column>& columns = picture.columns[name];
      if (columns.empty() || columns.back().tick != static_cast<std::int64_t>(tick)) {
        columns.push_back({.tick = static_cast<std::int64_t>(tick), .lower = byte, .upper = byte});
      }
      assert(columns.back().upper == byte);
      columns.back().upper = byte + 1;
    }
  }
  return picture;
}

std::int64_t Base(const std::vector<Column>& columns) {
  return std::ranges::min_element(columns, {}, &Column::lower)->lower;
}

Buffer FromColumns(char name, const std::vector<Column>& columns) {
  const std::int64_t base = Base(columns);
  Buffer buffer;
  buffer.id = std::string(1, name);
  buffer.start = columns.front().tick;
  buffer.end = columns.back().tick + 1;
  buffer.size = std::ranges::max_element(columns, {}, &Column::upper)->upper - base;
  std::int64_t tick = buffer.start;
  for (const Column& column : columns) {
    if (tick < column.tick) buffer.gaps.push_back({.start = tick, .end = column.tick});
    tick = column.tick + 1;
    const AddressWindow window{.lower = column.lower - base, .upper = column.upper - base};
    if (window == AddressWindow{.lower = 0, .upper = buffer.size}) continue;
    if (!buffer.gaps.empty() && buffer.gaps.back().end == column.tick &&
        buffer.gaps.back().window == window) {
      buffer.gaps.back().end = tick;
    } else {
      buffer.gaps.push_back({.start = column.tick, .end = tick, .window = window});
    }
  }
  return buffer;
}

}  // namespace

Problem FromDrawing(absl::string_view picture) {
  const Picture read = Read(picture);
  Problem problem;
  problem.capacity = read.rows;
  for (const auto& [name, columns] : read.columns) problem.buffers.push_back(FromColumns(name, columns));
  return problem;
}

std::vector<std::int64_t> DrawnOffsets(absl::string_view picture) {
  std::vector<std::int64_t> offsets;
  for (const auto& [name, columns] : Read(picture).columns) offsets.push_back(Base(columns));
  return offsets;
}

}  // namespace telamalloc::testing

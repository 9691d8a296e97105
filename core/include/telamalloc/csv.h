// MiniMalloc's CSV, read and written: `id,lower,upper,size[,alignment][,offset][,hint][,gaps][,group]`.
//
//   id,lower,upper,size,alignment,offset,hint,gaps
//   kv,0,8,64,16,,128,3-5 6-7@0:32          lifetime [0,8); gaps [3,5) and [6,7), the latter keeps [0,32)
//
// Columns go by name, in any order. An empty cell means unset. CRLF, a UTF-8 byte-order mark and blank lines
// are read. Cells may be quoted as in RFC 4180. Lifetimes are half-open; a header with `start,end` instead of
// `lower,upper` is refused unless CsvOptions::ends says what `end` means.
#ifndef TELAMALLOC_CSV_H_
#define TELAMALLOC_CSV_H_

#include <cstdint>
#include <span>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "telamalloc/problem.h"

namespace telamalloc {

// What the last column of a lifetime means in a file with `start,end` columns.
enum class CsvEnds {
  kUnset,      // such a file is refused with a hint
  kExclusive,  // [start, end)
  kInclusive,  // [start, end], read as [start, end + 1)
};

struct CsvOptions {
  CsvEnds ends = CsvEnds::kUnset;
};

// Reads a problem without capacity; `offset` cells become fixed offsets.
//
// Errors: kInvalidArgument with row (the line number, header = 1) and column of every offence (first 20):
//   missing or unknown columns, short or long rows, cells that are not 64-bit integers, malformed gaps.
//   Rules of the model itself (end before start, ...) are PreparedProblem::Create's.
// Cost: linear in the text. Thread-safe.
absl::StatusOr<Problem> ReadProblemCsv(absl::string_view text, const CsvOptions& options = {});

// The problem as CSV, with only the columns that some buffer uses. Reading it back gives an equal problem
// (capacity and name apart).
std::string WriteProblemCsv(const Problem& problem);

// The problem with every offset in its `offset` column. REQUIRES: one offset per buffer.
std::string WritePlacementCsv(const Problem& problem, std::span<const std::int64_t> offsets);

}  // namespace telamalloc

#endif  // TELAMALLOC_CSV_H_

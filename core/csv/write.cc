// Only the columns that some buffer uses are written, so that a plain problem stays `id,lower,upper,size`.
#include <algorithm>
#include <cstddef>

#include "absl/strings/str_cat.h"
#include "csv/cells.h"
#include "telamalloc/csv.h"

namespace telamalloc {
namespace {

struct Columns {
  bool id = false;
  bool alignment = false;
  bool offset = false;
  bool hint = false;
  bool gaps = false;
  bool group = false;
};

Columns UsedColumns(const Problem& problem) {
  Columns used;
  for (const Buffer& buffer : problem.buffers) {
    used.id = used.id || !buffer.id.empty();
    used.alignment = used.alignment || buffer.alignment != 1;
    used.offset = used.offset || buffer.fixed_offset.has_value();
    used.hint = used.hint || buffer.offset_hint.has_value();
    used.gaps = used.gaps || !buffer.gaps.empty();
    used.group = used.group || !buffer.colocation_group.empty();
  }
  return used;
}

std::string Header(const Columns& used) {
  return absl::StrCat(used.id ? "id," : "", "lower,upper,size", used.alignment ? ",alignment" : "",
                      used.offset ? ",offset" : "", used.hint ? ",hint" : "", used.gaps ? ",gaps" : "",
                      used.group ? ",group" : "", "\n");
}

void AppendOptional(const std::optional<std::int64_t>& value, std::string& out) {
  out.push_back(',');
  if (value) absl::StrAppend(&out, *value);
}

void AppendRow(const Buffer& buffer, const std::optional<std::int64_t>& offset, const Columns& used,
               std::string& out) {
  if (used.id) {
    csv::AppendCell(buffer.id, out);
    out.push_back(',');
  }
  absl::StrAppend(&out, buffer.start, ",", buffer.end, ",", buffer.size);
  if (used.alignment) absl::StrAppend(&out, ",", buffer.alignment);
  if (used.offset) AppendOptional(offset, out);
  if (used.hint) AppendOptional(buffer.offset_hint, out);
  if (used.gaps) absl::StrAppend(&out, ",", csv::FormatGaps(buffer.gaps));
  if (used.group) {
    out.push_back(',');
    csv::AppendCell(buffer.colocation_group, out);
  }
  out.push_back('\n');
}

}  // namespace

std::string WriteProblemCsv(const Problem& problem) {
  const Columns used = UsedColumns(problem);
  std::string text = Header(used);
  for (const Buffer& buffer : problem.buffers) AppendRow(buffer, buffer.fixed_offset, used, text);
  return text;
}

std::string WritePlacementCsv(const Problem& problem, std::span<const std::int64_t> offsets) {
  Columns used = UsedColumns(problem);
  used.offset = true;
  std::string text = Header(used);
  for (std::size_t b = 0; b < problem.buffers.size(); ++b) {
    AppendRow(problem.buffers[b], offsets[b], used, text);
  }
  return text;
}

}  // namespace telamalloc

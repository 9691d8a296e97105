// protobuf's own readers, told to be strict. Text refuses unknown fields by itself; in binary they would be
// kept silently, so they are looked for; JSON is checked before (json_shape.h).
#include "client/cli/proto_formats.h"

#include <google/protobuf/descriptor.h>
#include <google/protobuf/io/tokenizer.h>
#include <google/protobuf/message.h>
#include <google/protobuf/text_format.h>
#include <google/protobuf/unknown_field_set.h>
#include <google/protobuf/util/json_util.h>

#include <algorithm>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "client/cli/json_shape.h"
#include "convert/convert.h"
#include "telamalloc/problem.h"
#include "telamalloc/v1/allocation_service.pb.h"

namespace telamalloc::cli {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

// Keeps the first error: the others mostly follow from it.
class FirstError : public google::protobuf::io::ErrorCollector {
 public:
  void AddError(int line, int column, const std::string& message) override {
    if (text_.empty()) text_ = absl::StrCat("line ", line + 1, ", column ", column + 1, ": ", message);
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
};

// The path of the first field that the schema does not know; empty if there is none.
std::string UnknownField(const Message& message, const std::string& path) {
  const auto* reflection = message.GetReflection();
  const auto& unknown = reflection->GetUnknownFields(message);
  if (!unknown.empty()) return absl::StrCat(path, "field number ", unknown.field(0).number());
  std::vector<const FieldDescriptor*> fields;
  reflection->ListFields(message, &fields);
  for (const FieldDescriptor* field : fields) {
    // Every message field of a problem is repeated.
    if (field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE || !field->is_repeated()) continue;
    for (int k = 0; k < reflection->FieldSize(message, field); ++k) {
      const std::string inner = absl::StrCat(path, field->name(), "[", k, "].");
      std::string found = UnknownField(reflection->GetRepeatedMessage(message, field, k), inner);
      if (!found.empty()) return found;
    }
  }
  return "";
}

}  // namespace

absl::StatusOr<Problem> ProblemFromJson(const std::string& text) {
  v1::Problem wire;
  if (absl::Status status = CheckJsonShape(text, *v1::Problem::descriptor()); !status.ok()) return status;
  const auto status = google::protobuf::util::JsonStringToMessage(text, &wire);
  if (!status.ok()) {
    // The lines after the first show the place with a caret.
    std::string message(status.message().data(), status.message().size());
    message.resize(std::min(message.find('\n'), message.size()));
    return absl::InvalidArgumentError(absl::StrCat("not a problem in JSON: ", message));
  }
  return FromProto(wire);
}

absl::StatusOr<Problem> ProblemFromTextproto(const std::string& text) {
  v1::Problem wire;
  google::protobuf::TextFormat::Parser parser;
  FirstError error;
  parser.RecordErrorsTo(&error);
  if (!parser.ParseFromString(text, &wire)) return absl::InvalidArgumentError(error.text());
  return FromProto(wire);
}

absl::StatusOr<Problem> ProblemFromBinary(const std::string& bytes) {
  v1::Problem wire;
  if (!wire.ParseFromString(bytes)) {
    return absl::InvalidArgumentError("not a telamalloc.v1.Problem in binary");
  }
  const std::string unknown = UnknownField(wire, "");
  if (!unknown.empty()) return absl::InvalidArgumentError(absl::StrCat(unknown, ": unknown field"));
  return FromProto(wire);
}

}  // namespace telamalloc::cli

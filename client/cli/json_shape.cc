// protobuf's own reader of JSON forgives: [[..]] where a list of messages belongs loses what is inside, a key
// that stands twice takes either value, and null makes an empty message. So the text is walked once before,
// with a stack of what is open:
//
//   {"buffers": [{"size": 4}]}      object of Problem > list of Buffer > object of Buffer > (size)
#include "client/cli/json_shape.h"

#include <google/protobuf/descriptor.h>

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace telamalloc::cli {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;

// An object or a list that has begun and not ended.
struct Open {
  const Descriptor* message;  // of the object; null in a list of scalars
  bool is_list = false;
  const FieldDescriptor* field = nullptr;  // the list's; else of the last key
  std::size_t next = 0;                    // position in the list of what comes next
  absl::flat_hash_set<const FieldDescriptor*> seen = {};
};

class ShapeReader : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit ShapeReader(const Descriptor& message) : root_(&message) {}

  [[nodiscard]] const std::string& error() const { return error_; }

  // Null stands for a field that is not set, but not for an element of a list.
  bool null() override { return open_.empty() || open_.back().is_list ? Scalar("null") : true; }
  bool boolean(bool /*value*/) override { return Scalar("true or false"); }
  bool number_integer(number_integer_t /*value*/) override { return Scalar("a number"); }
  bool number_unsigned(number_unsigned_t /*value*/) override { return Scalar("a number"); }
  bool number_float(number_float_t /*value*/, const string_t& /*text*/) override {
    return Scalar("a number");
  }
  bool string(string_t& /*value*/) override { return Scalar("a text"); }
  bool binary(binary_t& /*value*/) override { return Scalar("bytes"); }

  bool start_object(std::size_t /*size*/) override {
    const Descriptor* message = MessageHere();
    if (ListHere() || message == nullptr) return Refuse("an object");
    Enter();
    open_.push_back({.message = message});
    return true;
  }

  bool end_object() override {
    open_.pop_back();
    return true;
  }

  bool start_array(std::size_t /*size*/) override {
    if (!ListHere()) return Refuse("a list");
    const FieldDescriptor* field = open_.back().field;
    open_.push_back({.message = field->message_type(), .is_list = true, .field = field});
    return true;
  }

  bool end_array() override {
    open_.pop_back();
    return true;
  }

  bool key(string_t& name) override {
    Open& object = open_.back();
    object.field = nullptr;
    const std::string path = Path();
    const FieldDescriptor* field = object.message->FindFieldByCamelcaseName(name);
    if (field == nullptr) field = object.message->FindFieldByName(name);
    if (field == nullptr || !object.seen.insert(field).second) {
      const std::string key = absl::StrCat(path, path.empty() ? "" : ".", absl::Utf8SafeCHexEscape(name));
      return Fail(absl::StrCat(key, field == nullptr ? ": unknown key" : ": must not occur twice"));
    }
    object.field = field;
    return true;
  }

  bool parse_error(std::size_t position, const std::string& token,
                   const nlohmann::json::exception& /*error*/) override {
    const std::string near = absl::Utf8SafeCHexEscape(absl::string_view(token).substr(0, 40));
    return Fail(absl::StrCat("not JSON: unexpected ", near.empty() ? "end" : absl::StrCat("\"", near, "\""),
                             " at byte ", position));
  }

 private:
  // Whether a list belongs where the reader is.
  [[nodiscard]] bool ListHere() const {
    return !open_.empty() && !open_.back().is_list && open_.back().field->is_repeated();
  }

  // The message whose object belongs where the reader is; null for a scalar.
  [[nodiscard]] const Descriptor* MessageHere() const {
    if (open_.empty()) return root_;
    return open_.back().is_list ? open_.back().message : open_.back().field->message_type();
  }

  bool Scalar(absl::string_view what) {
    if (ListHere() || MessageHere() != nullptr) return Refuse(what);
    if (what == "null") return Refuse(what);
    Enter();
    return true;
  }

  void Enter() {
    if (!open_.empty() && open_.back().is_list) ++open_.back().next;
  }

  bool Refuse(absl::string_view what) {
    const absl::string_view expected = ListHere()                 ? "a list"
                                       : MessageHere() != nullptr ? "an object"
                                                                  : "a single value";
    const std::string path = Path();
    return Fail(absl::StrCat(path, path.empty() ? "" : ": ", "must be ", expected, ", got ", what));
  }

  bool Fail(std::string error) {
    error_ = std::move(error);
    return false;
  }

  // "buffers[1].gaps" of where the reader is.
  [[nodiscard]] std::string Path() const {
    std::string path;
    for (std::size_t depth = 0; depth < open_.size(); ++depth) {
      const Open& open = open_[depth];
      if (open.is_list) {
        // What is inside an element has been counted already.
        absl::StrAppend(&path, "[", depth + 1 == open_.size() ? open.next : open.next - 1, "]");
      } else if (open.field != nullptr) {
        absl::StrAppend(&path, path.empty() ? "" : ".", open.field->name());
      }
    }
    return path;
  }

  const Descriptor* root_;
  std::vector<Open> open_;
  std::string error_;
};

}  // namespace

absl::Status CheckJsonShape(const std::string& text, const Descriptor& message) {
  ShapeReader reader(message);
  if (nlohmann::json::sax_parse(text, &reader)) return absl::OkStatus();
  return absl::InvalidArgumentError(reader.error());
}

}  // namespace telamalloc::cli

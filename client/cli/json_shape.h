// JSON, held against a message before protobuf reads it.
#ifndef TELAMALLOC_CLIENT_CLI_JSON_SHAPE_H_
#define TELAMALLOC_CLIENT_CLI_JSON_SHAPE_H_

#include <google/protobuf/descriptor.h>

#include <string>

#include "absl/status/status.h"

namespace telamalloc::cli {

// Whether `text` is JSON (RFC 8259) in which every key is a field of its message and stands once in its
// object, lists stand where fields repeat and objects where messages belong. What the values are is left to
// protobuf.
//
// Errors: kInvalidArgument with the path or the line of the first offence.
// Cost: linear; nests no deeper than the message.
absl::Status CheckJsonShape(const std::string& text, const google::protobuf::Descriptor& message);

}  // namespace telamalloc::cli

#endif  // TELAMALLOC_CLIENT_CLI_JSON_SHAPE_H_

// What a result says: to a program (one JSON object) and to a person (a few lines).
#ifndef TELAMALLOC_CLIENT_CLI_REPORT_H_
#define TELAMALLOC_CLIENT_CLI_REPORT_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "telamalloc/client.h"
#include "telamalloc/problem.h"

namespace telamalloc::cli {

// An object on one line, members in the order they were added.
class JsonObject {
 public:
  JsonObject& Add(absl::string_view key, absl::string_view text);
  JsonObject& Add(absl::string_view key, std::int64_t number);
  JsonObject& Add(absl::string_view key, std::optional<std::int64_t> number);  // null when unset
  JsonObject& AddSeconds(absl::string_view key, double seconds);
  JsonObject& AddBool(absl::string_view key, bool value);
  // With a line feed at the end.
  [[nodiscard]] std::string Text() const;

 private:
  JsonObject& AddRaw(absl::string_view key, absl::string_view value);
  std::string members_;
};

// The object of `solve --json`; its keys are a contract (docs/cli.md).
std::string JsonReport(const Problem& problem, const ClientResult& answer);

// "FEASIBLE: peak 12 of 12 bytes, ..." with an explanation when nothing fits.
std::string HumanReport(const Problem& problem, const ClientResult& answer);

// Why nothing fits: needed, available and excess bytes and who is live then. REQUIRES: it is infeasible.
std::string ExplainInfeasible(const Problem& problem, const Infeasibility& infeasibility);

// What a person calls a buffer: its id, else its position.
std::string BufferName(const Problem& problem, std::size_t buffer);

}  // namespace telamalloc::cli

#endif  // TELAMALLOC_CLIENT_CLI_REPORT_H_

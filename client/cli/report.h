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
  // `value` is JSON.
  JsonObject& AddRaw(absl::string_view key, absl::string_view value);
  // With a line feed at the end.
  [[nodiscard]] std::string Text() const;

 private:
  std::string members_;
};

// Whether the object has a "spill_advice".
enum class Spills { kLeftOut, kPrinted };

// The object of `solve --json`; its keys are a contract (docs/cli.md).
std::string JsonReport(const Problem& problem, const ClientResult& answer, Spills spills);

// "FEASIBLE: peak 12 of 12 bytes, ..." with an explanation when nothing fits.
std::string HumanReport(const Problem& problem, const ClientResult& answer);

// Why nothing fits: needed, available and excess bytes, who is live then, who already clashes, and what to
// spill. REQUIRES: it is infeasible.
std::string ExplainInfeasible(const Problem& problem, const SolveResult& result);

// "3 buffers, peak 12 of 16 bytes", without a capacity "3 buffers, peak 12 bytes".
std::string SizeText(const Problem& problem, std::int64_t peak);

// What a person calls a buffer: its id, printable, else its position.
std::string BufferName(const Problem& problem, std::size_t buffer);

}  // namespace telamalloc::cli

#endif  // TELAMALLOC_CLIENT_CLI_REPORT_H_

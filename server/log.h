// What the server tells its operator: one line per event, as text or as JSON.
//
//   2026-01-31T12:00:00.000Z info request rpc=SolveAllocation id=5f1c code=OK buffers=42
//   {"time":"2026-01-31T12:00:00.000Z","level":"info","event":"request","rpc":"SolveAllocation",...}
//
// Lines go to standard error, written by a thread of the log's own: nobody who serves a request waits for a
// disk or a terminal. When the reader is too slow the oldest lines are lost.
#ifndef TELAMALLOC_SERVER_LOG_H_
#define TELAMALLOC_SERVER_LOG_H_

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <variant>

#include "absl/strings/string_view.h"
#include "server/settings.h"

namespace telamalloc::server {

struct LogField {
  absl::string_view key;
  std::variant<std::int64_t, double, std::string> value;
};

// Thread-safe.
class Log {
 public:
  Log(LogFormat format, LogLevel level);
  ~Log();
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;
  Log(Log&&) = delete;
  Log& operator=(Log&&) = delete;

  // `event` and keys are words of ours; values may be any bytes; fields with an empty text are left out.
  void Write(LogLevel level, absl::string_view event, std::initializer_list<LogField> fields);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// The part of a line that tells the event, as either format spells it; for Log and its tests.
std::string FormatEvent(LogFormat format, absl::string_view event, std::initializer_list<LogField> fields);

}  // namespace telamalloc::server

#endif  // TELAMALLOC_SERVER_LOG_H_

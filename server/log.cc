#include "server/log.h"

#include <spdlog/async.h>
#include <spdlog/async_logger.h>
#include <spdlog/details/thread_pool.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/stdout_sinks.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <variant>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "server/settings.h"

namespace telamalloc::server {
namespace {

constexpr std::size_t kMaxLinesInMemory = 8192;

// In the order of LogLevel.
constexpr std::array kLevels = {spdlog::level::debug, spdlog::level::info, spdlog::level::warn,
                                spdlog::level::err, spdlog::level::off};

spdlog::level::level_enum LevelOf(LogLevel level) { return kLevels.at(static_cast<std::size_t>(level)); }

// As JSON; bytes that are not UTF-8 are replaced.
std::string Json(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string Text(const std::string& text) {
  const bool plain = !text.empty() && text.find_first_of(" \"=\\\n\r\t") == std::string::npos;
  return plain ? absl::CHexEscape(text) : absl::StrCat("\"", absl::CHexEscape(text), "\"");
}

std::string Render(LogFormat format, const LogField& field) {
  if (const auto* number = std::get_if<std::int64_t>(&field.value)) return absl::StrCat(*number);
  if (const auto* number = std::get_if<double>(&field.value)) return absl::StrCat(*number);
  const auto& text = std::get<std::string>(field.value);
  return format == LogFormat::kJson ? Json(text) : Text(text);
}

}  // namespace

struct Log::Impl {
  LogFormat format = LogFormat::kText;
  std::shared_ptr<spdlog::details::thread_pool> writer;
  std::shared_ptr<spdlog::async_logger> logger;
};

Log::Log(LogFormat format, LogLevel level) : impl_(std::make_unique<Impl>()) {
  impl_->format = format;
  impl_->writer = std::make_shared<spdlog::details::thread_pool>(kMaxLinesInMemory, 1);
  impl_->logger =
      std::make_shared<spdlog::async_logger>("telamallocd", std::make_shared<spdlog::sinks::stderr_sink_mt>(),
                                             impl_->writer, spdlog::async_overflow_policy::overrun_oldest);
  const char* pattern = format == LogFormat::kJson ? R"({"time":"%Y-%m-%dT%H:%M:%S.%eZ","level":"%l",%v})"
                                                   : "%Y-%m-%dT%H:%M:%S.%eZ %l %v";
  impl_->logger->set_formatter(
      std::make_unique<spdlog::pattern_formatter>(pattern, spdlog::pattern_time_type::utc));
  impl_->logger->set_level(LevelOf(level));
}

Log::~Log() = default;

void Log::Write(LogLevel level, absl::string_view event, std::initializer_list<LogField> fields) {
  if (!impl_->logger->should_log(LevelOf(level))) return;
  const std::string line = FormatEvent(impl_->format, event, fields);
  impl_->logger->log(LevelOf(level), spdlog::string_view_t(line.data(), line.size()));
}

std::string FormatEvent(LogFormat format, absl::string_view event, std::initializer_list<LogField> fields) {
  const bool json = format == LogFormat::kJson;
  std::string line = json ? absl::StrCat("\"event\":\"", event, "\"") : absl::StrCat(event);
  for (const LogField& field : fields) {
    const auto* text = std::get_if<std::string>(&field.value);
    if (text != nullptr && text->empty()) continue;
    if (json) {
      absl::StrAppend(&line, ",\"", field.key, "\":", Render(format, field));
    } else {
      absl::StrAppend(&line, " ", field.key, "=", Render(format, field));
    }
  }
  return line;
}

}  // namespace telamalloc::server

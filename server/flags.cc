// The command line is parsed twice: first to learn of --config, and again after the file and the environment
// have set their flags, so that it wins over both.
#include "server/flags.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "absl/flags/reflection.h"
#include "absl/flags/usage.h"
#include "absl/flags/usage_config.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "server/settings.h"
#include "telamalloc/solver.h"

namespace telamalloc::server {
namespace {

template <typename Enum, std::size_t kCount>
using Names = std::array<std::pair<absl::string_view, Enum>, kCount>;

constexpr Names<OverloadPolicy, 2> kOverloadPolicies = {
    {{"greedy", OverloadPolicy::kGreedy}, {"reject", OverloadPolicy::kReject}}};
constexpr Names<LogFormat, 2> kLogFormats = {{{"text", LogFormat::kText}, {"json", LogFormat::kJson}}};
constexpr Names<LogLevel, 5> kLogLevels = {{{"debug", LogLevel::kDebug},
                                            {"info", LogLevel::kInfo},
                                            {"warning", LogLevel::kWarning},
                                            {"error", LogLevel::kError},
                                            {"off", LogLevel::kOff}}};

template <typename Enum, std::size_t kCount>
bool ParseName(const Names<Enum, kCount>& names, absl::string_view text, Enum* value, std::string* error) {
  *error = "must be one of";
  for (const auto& [name, named] : names) {
    absl::StrAppend(error, " ", name);
    if (text == name) *value = named;
    if (text == name) return true;
  }
  return false;
}

template <typename Enum, std::size_t kCount>
std::string NameOf(const Names<Enum, kCount>& names, Enum value) {
  for (const auto& [name, named] : names) {
    if (named == value) return absl::StrCat(name);
  }
  return "";
}

}  // namespace

bool AbslParseFlag(absl::string_view text, OverloadPolicy* value, std::string* error) {
  return ParseName(kOverloadPolicies, text, value, error);
}
std::string AbslUnparseFlag(OverloadPolicy value) { return NameOf(kOverloadPolicies, value); }
bool AbslParseFlag(absl::string_view text, LogFormat* value, std::string* error) {
  return ParseName(kLogFormats, text, value, error);
}
std::string AbslUnparseFlag(LogFormat value) { return NameOf(kLogFormats, value); }
bool AbslParseFlag(absl::string_view text, LogLevel* value, std::string* error) {
  return ParseName(kLogLevels, text, value, error);
}
std::string AbslUnparseFlag(LogLevel value) { return NameOf(kLogLevels, value); }

}  // namespace telamalloc::server

using telamalloc::server::LogFormat;
using telamalloc::server::LogLevel;
using telamalloc::server::OverloadPolicy;
using telamalloc::server::Settings;

// Defaults and meanings are those of settings.h.
ABSL_FLAG(std::string, listen_address, Settings().listen_address, "host:port of the service; port 0: any");
ABSL_FLAG(std::string, admin_address, Settings().admin_address,
          "host:port of /metrics, /livez, /readyz and /statusz (numeric host); empty: none");
ABSL_FLAG(int, workers, Settings().workers, "solver threads; 0: the cores this process may use");
ABSL_FLAG(std::int64_t, queue_capacity, Settings().queue_capacity, "most requests that wait for a worker");
ABSL_FLAG(std::int64_t, queue_bytes, Settings().queue_bytes, "most memory of waiting requests, in bytes");
ABSL_FLAG(absl::Duration, default_budget, absl::FromChrono(Settings().default_budget),
          "time of a request that sets no solve_budget");
ABSL_FLAG(absl::Duration, max_budget, absl::FromChrono(Settings().max_budget), "most time of any request");
ABSL_FLAG(absl::Duration, min_reply_margin, absl::FromChrono(Settings().min_reply_margin),
          "replies leave at least so long before the caller's deadline");
ABSL_FLAG(OverloadPolicy, overload_policy, Settings().overload_policy,
          "when the queue is full: greedy (as the request's fallback_policy says) or reject");
ABSL_FLAG(std::int64_t, max_message_bytes, Settings().max_message_bytes, "largest request in bytes");
ABSL_FLAG(std::int64_t, max_buffers, Settings().max_buffers, "most buffers in one problem");
ABSL_FLAG(absl::Duration, predrain, absl::FromChrono(Settings().predrain),
          "at SIGTERM: time to keep serving as not ready");
ABSL_FLAG(absl::Duration, drain_timeout, absl::FromChrono(Settings().drain_timeout),
          "then: time for running solves to finish");
ABSL_FLAG(LogFormat, log_format, Settings().log_format, "text or json");
ABSL_FLAG(LogLevel, log_level, Settings().log_level, "debug, info, warning, error or off");
ABSL_FLAG(bool, enable_reflection, Settings().enable_reflection, "describe the API to tools such as grpcurl");

ABSL_FLAG(std::string, config, "", "JSON file of settings; keys are the names of these flags");
ABSL_FLAG(bool, print_config, false, "print the settings in force as JSON and exit");
ABSL_FLAG(bool, validate_config, false, "check the settings and exit");

namespace telamalloc::server {
namespace {

constexpr std::array<absl::string_view, 16> kSettingFlags = {
    "listen_address",  "admin_address",     "workers",     "queue_capacity",
    "queue_bytes",     "default_budget",    "max_budget",  "min_reply_margin",
    "overload_policy", "max_message_bytes", "max_buffers", "predrain",
    "drain_timeout",   "log_format",        "log_level",   "enable_reflection"};

bool IsSetting(absl::string_view name) {
  for (const absl::string_view known : kSettingFlags) {
    if (known == name) return true;
  }
  return false;
}

std::string VariableOf(absl::string_view flag) {
  return absl::StrCat("TELAMALLOC_", absl::AsciiStrToUpper(flag));
}

// REQUIRES: IsSetting(flag).
absl::Status Set(absl::string_view flag, absl::string_view source, const std::string& text) {
  std::string error;
  if (absl::FindCommandLineFlag(flag)->ParseFrom(text, &error)) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(source, ": ", error));
}

absl::StatusOr<std::string> ReadFile(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  if (!file || !(text << file.rdbuf())) {
    return absl::NotFoundError(absl::StrCat("config: cannot read ", path));
  }
  return text.str();
}

absl::Status ApplyConfigFile(const std::string& path) {
  const absl::StatusOr<std::string> text = ReadFile(path);
  if (!text.ok()) return text.status();
  absl::Status status = ApplyConfig(*text);
  if (status.ok()) return status;
  return absl::InvalidArgumentError(absl::StrCat(path, ": ", status.message()));
}

// Once per process: Abseil takes no second message.
bool SetUpUsage() {
  absl::SetProgramUsageMessage(
      "serves memory allocation over gRPC.\n\n"
      "Each flag is also an environment variable TELAMALLOC_<FLAG> and a key of the --config file.");
  absl::FlagsUsageConfig usage;
  const auto is_ours = [](absl::string_view file) { return absl::EndsWith(file, "server/flags.cc"); };
  usage.contains_helpshort_flags = is_ours;
  usage.contains_help_flags = is_ours;
  usage.contains_helppackage_flags = is_ours;
  usage.version_string = [] { return absl::StrCat("telamallocd ", SolverVersion(), "\n"); };
  absl::SetFlagsUsageConfig(usage);
  return true;
}

}  // namespace

absl::StatusOr<Invocation> ReadInvocation(int argc, char** argv, const Environment& environment) {
  [[maybe_unused]] static const bool is_set_up = SetUpUsage();
  const std::vector<char*> rest = absl::ParseCommandLine(argc, argv);
  if (rest.size() > 1) {
    return absl::InvalidArgumentError(absl::StrCat("\"", rest[1], "\" is not a flag; see --help"));
  }
  std::string path = absl::GetFlag(FLAGS_config);
  if (path.empty()) path = environment(VariableOf("config")).value_or("");
  if (!path.empty()) {
    if (absl::Status status = ApplyConfigFile(path); !status.ok()) return status;
  }
  if (absl::Status status = ApplyEnvironment(environment); !status.ok()) return status;
  absl::ParseCommandLine(argc, argv);
  const absl::StatusOr<Settings> settings = SettingsFromFlags();
  if (!settings.ok()) return settings.status();
  const Action action = absl::GetFlag(FLAGS_print_config)      ? Action::kPrintConfig
                        : absl::GetFlag(FLAGS_validate_config) ? Action::kValidateConfig
                                                               : Action::kServe;
  return Invocation{.action = action, .settings = *settings};
}

absl::Status ApplyConfig(const std::string& json) {
  const nlohmann::json config = nlohmann::json::parse(json, nullptr, /*allow_exceptions=*/false);
  if (!config.is_object()) return absl::InvalidArgumentError("must be a JSON object of settings");
  for (const auto& [key, value] : config.items()) {
    if (!IsSetting(key)) return absl::InvalidArgumentError(absl::StrCat("unknown key \"", key, "\""));
    if (!value.is_primitive() || value.is_null()) {
      return absl::InvalidArgumentError(absl::StrCat(key, ": must be a string, a number or a boolean"));
    }
    const std::string text = value.is_string() ? value.get<std::string>() : value.dump();
    if (absl::Status status = Set(key, key, text); !status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status ApplyEnvironment(const Environment& environment) {
  for (const absl::string_view flag : kSettingFlags) {
    const std::string variable = VariableOf(flag);
    const std::optional<std::string> value = environment(variable);
    if (!value) continue;
    if (absl::Status status = Set(flag, variable, *value); !status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::StatusOr<Settings> SettingsFromFlags() {
  const Settings settings = {
      .listen_address = absl::GetFlag(FLAGS_listen_address),
      .admin_address = absl::GetFlag(FLAGS_admin_address),
      .workers = absl::GetFlag(FLAGS_workers),
      .queue_capacity = absl::GetFlag(FLAGS_queue_capacity),
      .queue_bytes = absl::GetFlag(FLAGS_queue_bytes),
      .default_budget = absl::ToChronoNanoseconds(absl::GetFlag(FLAGS_default_budget)),
      .max_budget = absl::ToChronoNanoseconds(absl::GetFlag(FLAGS_max_budget)),
      .min_reply_margin = absl::ToChronoNanoseconds(absl::GetFlag(FLAGS_min_reply_margin)),
      .overload_policy = absl::GetFlag(FLAGS_overload_policy),
      .max_message_bytes = absl::GetFlag(FLAGS_max_message_bytes),
      .max_buffers = absl::GetFlag(FLAGS_max_buffers),
      .predrain = absl::ToChronoNanoseconds(absl::GetFlag(FLAGS_predrain)),
      .drain_timeout = absl::ToChronoNanoseconds(absl::GetFlag(FLAGS_drain_timeout)),
      .log_format = absl::GetFlag(FLAGS_log_format),
      .log_level = absl::GetFlag(FLAGS_log_level),
      .enable_reflection = absl::GetFlag(FLAGS_enable_reflection)};
  if (absl::Status status = Validate(settings); !status.ok()) return status;
  return settings;
}

std::string ConfigFromFlags() {
  nlohmann::ordered_json config;
  for (const absl::string_view name : kSettingFlags) {
    const absl::CommandLineFlag& flag = *absl::FindCommandLineFlag(name);
    const std::string text = flag.CurrentValue();
    const bool is_text = !flag.IsOfType<bool>() && !flag.IsOfType<int>() && !flag.IsOfType<std::int64_t>();
    config[absl::StrCat(name)] = is_text ? nlohmann::ordered_json(text) : nlohmann::ordered_json::parse(text);
  }
  return config.dump(2);
}

}  // namespace telamalloc::server

#include "server/flags.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "absl/flags/reflection.h"
#include "absl/status/status.h"
#include "server/settings.h"
#include "support/temp_folder.h"

namespace telamalloc::server {
namespace {

using ::telamalloc::testing::TempFolder;
using ::testing::HasSubstr;

Environment From(const std::map<std::string, std::string>& variables) {
  return [variables](const std::string& name) {
    const auto found = variables.find(name);
    return found == variables.end() ? std::nullopt : std::optional<std::string>(found->second);
  };
}

absl::StatusOr<Invocation> Invoke(std::vector<std::string> arguments,
                                  const std::map<std::string, std::string>& variables = {}) {
  arguments.insert(arguments.begin(), "telamallocd");
  std::vector<char*> argv;
  argv.reserve(arguments.size() + 1);
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  return ReadInvocation(static_cast<int>(argv.size()) - 1, argv.data(), From(variables));
}

// A configuration file that is there as long as this is.
class ConfigFile {
 public:
  explicit ConfigFile(absl::string_view text) : path_(folder_.Write("config.json", text)) {}
  [[nodiscard]] std::string flag() const { return "--config=" + path_; }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  TempFolder folder_;
  std::string path_;
};

TEST(Flags, HaveTheDefaultsOfSettings) {
  const absl::FlagSaver saver;
  const auto invocation = Invoke({});
  ASSERT_TRUE(invocation.ok()) << invocation.status();
  const Settings expected;
  EXPECT_EQ(invocation->action, Action::kServe);
  EXPECT_EQ(invocation->settings.listen_address, expected.listen_address);
  EXPECT_EQ(invocation->settings.max_budget, expected.max_budget);
  EXPECT_EQ(invocation->settings.max_message_bytes, expected.max_message_bytes);
  EXPECT_EQ(invocation->settings.enable_reflection, expected.enable_reflection);
}

TEST(Flags, WinOverTheEnvironmentAndThatOverTheFile) {
  const absl::FlagSaver saver;
  const ConfigFile file(
      R"({"workers": 1, "queue_capacity": 1, "default_budget": "1s", "enable_reflection": false})");
  const auto invocation =
      Invoke({file.flag(), "--workers=3"}, {{"TELAMALLOC_WORKERS", "2"}, {"TELAMALLOC_QUEUE_CAPACITY", "2"}});
  ASSERT_TRUE(invocation.ok()) << invocation.status();
  EXPECT_EQ(invocation->settings.workers, 3);
  EXPECT_EQ(invocation->settings.queue_capacity, 2);
  EXPECT_EQ(invocation->settings.default_budget, std::chrono::seconds(1));
  EXPECT_FALSE(invocation->settings.enable_reflection);
}

TEST(Flags, TakeTheFileFromTheEnvironment) {
  const absl::FlagSaver saver;
  const ConfigFile file(R"({"workers": 4})");
  const auto invocation = Invoke({}, {{"TELAMALLOC_CONFIG", file.path()}});
  ASSERT_TRUE(invocation.ok()) << invocation.status();
  EXPECT_EQ(invocation->settings.workers, 4);
}

TEST(Flags, RefuseWhatTheyDoNotKnow) {
  const struct {
    const char* json;
    const char* complaint;
  } files[] = {{R"({"wrokers": 1})", "unknown key \"wrokers\""},
               {R"({"print_config": true})", "unknown key"},
               {R"({"workers": "many"})", "workers: "},
               {R"({"workers": [1]})", "workers: must be"},
               {R"({"log_format": "xml"})", "text json"},
               {R"({"workers": 1)", "JSON object"},
               {R"([1])", "JSON object"},
               {R"({"workers": -1})", "workers: must lie in"}};
  for (const auto& [json, complaint] : files) {
    const absl::FlagSaver each;
    const ConfigFile file(json);
    const auto invocation = Invoke({file.flag()});
    EXPECT_EQ(invocation.status().code(), absl::StatusCode::kInvalidArgument) << json;
    EXPECT_THAT(std::string(invocation.status().message()), HasSubstr(complaint)) << json;
  }
}

TEST(Flags, NameTheVariableThatIsWrong) {
  const absl::FlagSaver saver;
  const auto invocation = Invoke({}, {{"TELAMALLOC_PREDRAIN", "soon"}});
  EXPECT_THAT(std::string(invocation.status().message()), HasSubstr("TELAMALLOC_PREDRAIN"));
}

TEST(Flags, RefuseArgumentsAndMissingFiles) {
  const absl::FlagSaver saver;
  EXPECT_EQ(Invoke({"serve"}).status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(Invoke({"--config=/does/not/exist"}).status().code(), absl::StatusCode::kNotFound);
}

TEST(Flags, PrintAConfigThatReadsBack) {
  const absl::FlagSaver saver;
  ASSERT_TRUE(Invoke({"--workers=7", "--predrain=1500ms", "--log_format=json", "--print_config"}).ok());
  const std::string text = ConfigFromFlags();
  const nlohmann::json config = nlohmann::json::parse(text);
  EXPECT_EQ(config["workers"], 7);
  EXPECT_EQ(config["predrain"], "1.5s");
  EXPECT_EQ(config["enable_reflection"], true);
  EXPECT_EQ(config.size(), 16U);
  ASSERT_TRUE(Invoke({"--workers=1", "--predrain=0", "--log_format=text"}).ok());
  ASSERT_TRUE(ApplyConfig(text).ok());
  const auto settings = SettingsFromFlags();
  ASSERT_TRUE(settings.ok()) << settings.status();
  EXPECT_EQ(settings->workers, 7);
  EXPECT_EQ(settings->predrain, std::chrono::milliseconds(1500));
  EXPECT_EQ(settings->log_format, LogFormat::kJson);
}

TEST(Flags, SayWhatToDo) {
  const absl::FlagSaver saver;
  EXPECT_EQ(Invoke({"--print_config"})->action, Action::kPrintConfig);
  EXPECT_EQ(Invoke({"--print_config=false", "--validate_config"})->action, Action::kValidateConfig);
}

}  // namespace
}  // namespace telamalloc::server

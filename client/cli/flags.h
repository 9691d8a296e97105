// The flags of one command: `--name=VALUE`, `--name VALUE`, `--switch`.
//
//   FlagSet flags;
//   flags.Text("input", "FILE", "the problem", input);
//   absl::StatusOr<std::vector<std::string>> rest = flags.Parse(arguments);
//
// Not Abseil's flags: those are global, so that each command would accept the flags of all, and end the
// process with 1 on a bad one, where this command line promises 4. Durations read the same (10s, 250ms).
#ifndef TELAMALLOC_CLIENT_CLI_FLAGS_H_
#define TELAMALLOC_CLIENT_CLI_FLAGS_H_

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"

namespace telamalloc::cli {

// A name on the command line and what it stands for.
template <typename T>
struct NamedChoice {
  const char* name;
  T value;
};

// From `least` to `most`, both allowed.
struct IntegerRange {
  std::int64_t least = 0;
  std::int64_t most = std::numeric_limits<std::int64_t>::max();
};

class FlagSet {
 public:
  // Each declares one flag and where Parse stores it; the variable must outlive Parse. `value` is how the
  // help spells what follows the equals sign.
  void Text(absl::string_view name, absl::string_view value, absl::string_view help, std::string& target);
  void Integer(absl::string_view name, absl::string_view value, absl::string_view help,
               std::optional<std::int64_t>& target, IntegerRange range = {});
  // 0 or more, with or without a unit: 4096, 512KiB, 1MiB, 2GiB.
  void Bytes(absl::string_view name, absl::string_view help, std::optional<std::int64_t>& target);
  void Unsigned(absl::string_view name, absl::string_view value, absl::string_view help,
                std::uint64_t& target);
  // "inf" leaves it unset: no limit. Must be above 0.
  void Duration(absl::string_view name, absl::string_view help,
                std::optional<std::chrono::nanoseconds>& target);
  void Switch(absl::string_view name, absl::string_view help, bool& target);

  // `choices` must outlive Parse too.
  template <typename T, std::size_t kCount, typename U>
  void Choice(absl::string_view name, const std::array<NamedChoice<T>, kCount>& choices,
              absl::string_view help, U& target) {
    const std::string names = absl::StrJoin(
        choices, "|", [](std::string* out, const NamedChoice<T>& c) { absl::StrAppend(out, c.name); });
    Add(name, names, help, [&choices, names, &target](absl::string_view text) {
      for (const NamedChoice<T>& choice : choices) {
        if (text == choice.name) {
          target = choice.value;
          return absl::OkStatus();
        }
      }
      return absl::InvalidArgumentError(absl::StrCat("must be one of ", names, ", got \"", text, "\""));
    });
  }

  // The arguments that are no flags, in order ("-" is one). Everything after "--" is.
  // Errors: kInvalidArgument naming the flag, with the nearest known name for an unknown one.
  [[nodiscard]] absl::StatusOr<std::vector<std::string>> Parse(std::span<const std::string> arguments) const;

  // The flags with what they mean, at most 100 columns wide.
  [[nodiscard]] std::string Help() const;

 private:
  using Setter = std::function<absl::Status(absl::string_view)>;
  struct Flag {
    std::string name;
    std::string value;  // empty: a switch
    std::string help;
    Setter set;
  };

  void Add(absl::string_view name, absl::string_view value, absl::string_view help, Setter set);
  [[nodiscard]] const Flag* Find(absl::string_view name) const;
  [[nodiscard]] absl::Status Unknown(absl::string_view name) const;

  std::vector<Flag> flags_;
};

}  // namespace telamalloc::cli

#endif  // TELAMALLOC_CLIENT_CLI_FLAGS_H_

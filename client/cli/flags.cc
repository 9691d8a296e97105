// Flags are a list of names with a setter each; parsing is one pass over the arguments.
#include "client/cli/flags.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "absl/time/time.h"

namespace telamalloc::cli {
namespace {

absl::Status Malformed(absl::string_view expected, absl::string_view text) {
  return absl::InvalidArgumentError(absl::StrCat("must be ", expected, ", got \"", text, "\""));
}

// Edits (one letter put in, taken out or changed) between two short words.
std::size_t EditDistance(absl::string_view a, absl::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t change = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({change, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

// Takes a unit off the end of `text`: its bytes, 1 without one.
std::int64_t ConsumeUnit(absl::string_view& text) {
  constexpr std::array kUnits = {NamedChoice<int>{"KiB", 10}, NamedChoice<int>{"MiB", 20},
                                 NamedChoice<int>{"GiB", 30}};
  for (const NamedChoice<int>& unit : kUnits) {
    if (absl::ConsumeSuffix(&text, unit.name)) return std::int64_t{1} << unit.value;
  }
  return 1;
}

// Breaks `text` at blanks so that no line is longer than `width`, if it can be.
std::vector<std::string> Wrapped(absl::string_view text, std::size_t width) {
  std::vector<std::string> lines = {""};
  for (const absl::string_view word : absl::StrSplit(text, ' ')) {
    if (!lines.back().empty() && lines.back().size() + 1 + word.size() > width) lines.emplace_back();
    absl::StrAppend(&lines.back(), lines.back().empty() ? "" : " ", word);
  }
  return lines;
}

}  // namespace

void FlagSet::Add(absl::string_view name, absl::string_view value, absl::string_view help, Setter set) {
  flags_.push_back({.name = absl::StrCat(name),
                    .value = absl::StrCat(value),
                    .help = absl::StrCat(help),
                    .set = std::move(set)});
}

void FlagSet::Text(absl::string_view name, absl::string_view value, absl::string_view help,
                   std::string& target) {
  Add(name, value, help, [&target](absl::string_view text) {
    target.assign(text.data(), text.size());
    return absl::OkStatus();
  });
}

void FlagSet::Integer(absl::string_view name, absl::string_view value, absl::string_view help,
                      std::optional<std::int64_t>& target, IntegerRange range) {
  Add(name, value, help, [&target, range](absl::string_view text) {
    std::int64_t number = 0;
    if (!absl::SimpleAtoi(text, &number)) return Malformed("a 64-bit integer", text);
    if (number < range.least || number > range.most) {
      const bool bounded = range.most < std::numeric_limits<std::int64_t>::max();
      const std::string upto = range.least == range.most ? "" : absl::StrCat(" to ", range.most);
      return Malformed(absl::StrCat(range.least, bounded ? upto : " or more"), text);
    }
    target = number;
    return absl::OkStatus();
  });
}

void FlagSet::Bytes(absl::string_view name, absl::string_view help, std::optional<std::int64_t>& target) {
  Add(name, "BYTES", help, [&target](absl::string_view text) {
    absl::string_view digits = text;
    std::int64_t bytes = 0;
    const std::int64_t unit = ConsumeUnit(digits);
    if (!absl::SimpleAtoi(digits, &bytes) || bytes < 0 || __builtin_mul_overflow(bytes, unit, &bytes)) {
      return Malformed("bytes from 0 to 2^63-1 such as 4096, 512KiB or 1MiB", text);
    }
    target = bytes;
    return absl::OkStatus();
  });
}

void FlagSet::Unsigned(absl::string_view name, absl::string_view value, absl::string_view help,
                       std::uint64_t& target) {
  Add(name, value, help, [&target](absl::string_view text) {
    if (!absl::SimpleAtoi(text, &target)) return Malformed("an integer from 0 to 2^64-1", text);
    return absl::OkStatus();
  });
}

void FlagSet::Duration(absl::string_view name, absl::string_view help,
                       std::optional<std::chrono::nanoseconds>& target) {
  Add(name, "DURATION", help, [&target](absl::string_view text) {
    absl::Duration duration;
    if (!absl::ParseDuration(text, &duration) || duration <= absl::ZeroDuration()) {
      return Malformed("a duration above 0 such as 10s, 250ms or inf", text);
    }
    // Anything beyond the nanoseconds of 64 bits (292 years) is no limit.
    if (duration >= absl::Nanoseconds(std::chrono::nanoseconds::max().count())) {
      target.reset();
    } else {
      target = std::max(absl::ToChronoNanoseconds(duration), std::chrono::nanoseconds(1));
    }
    return absl::OkStatus();
  });
}

void FlagSet::Switch(absl::string_view name, absl::string_view help, bool& target) {
  Add(name, "", help, [&target](absl::string_view text) {
    if (!absl::SimpleAtob(text, &target)) return Malformed("true or false", text);
    return absl::OkStatus();
  });
}

const FlagSet::Flag* FlagSet::Find(absl::string_view name) const {
  const auto found = std::ranges::find(flags_, name, &Flag::name);
  return found == flags_.end() ? nullptr : &*found;
}

absl::Status FlagSet::Unknown(absl::string_view name) const {
  std::string hint;
  std::size_t best = 3;  // further away is another word
  for (const Flag& flag : flags_) {
    const std::size_t distance = EditDistance(name, flag.name);
    if (distance < best) {
      best = distance;
      hint = absl::StrCat("; did you mean --", flag.name, "?");
    }
  }
  return absl::InvalidArgumentError(absl::StrCat("unknown flag --", name, hint));
}

absl::StatusOr<std::vector<std::string>> FlagSet::Parse(std::span<const std::string> arguments) const {
  std::vector<std::string> rest;
  for (std::size_t next = 0; next < arguments.size(); ++next) {
    absl::string_view argument = arguments[next];
    if (argument == "--") {
      rest.insert(rest.end(), arguments.begin() + static_cast<std::ptrdiff_t>(next) + 1, arguments.end());
      break;
    }
    if (argument == "-" || argument.empty() || argument.front() != '-') {
      rest.emplace_back(argument);
      continue;
    }
    if (!absl::ConsumePrefix(&argument, "--")) argument.remove_prefix(1);
    const std::size_t equals = argument.find('=');
    const absl::string_view name = argument.substr(0, equals);
    const Flag* flag = Find(name);
    if (flag == nullptr) return Unknown(name);

    absl::string_view text = "true";
    if (equals != absl::string_view::npos) {
      text = argument.substr(equals + 1);
    } else if (!flag->value.empty()) {
      if (++next == arguments.size()) {
        return absl::InvalidArgumentError(
            absl::StrCat("--", name, " needs a value: --", name, "=", flag->value));
      }
      text = arguments[next];
    }
    const absl::Status set = flag->set(text);
    if (!set.ok()) return absl::InvalidArgumentError(absl::StrCat("--", name, ": ", set.message()));
  }
  return rest;
}

std::string FlagSet::Help() const {
  constexpr std::size_t kColumn = 38;
  constexpr std::size_t kWidth = 100;
  std::string text;
  for (const Flag& flag : flags_) {
    std::string line = absl::StrCat("  --", flag.name, flag.value.empty() ? "" : "=", flag.value);
    for (const std::string& help : Wrapped(flag.help, kWidth - kColumn)) {
      line.resize(kColumn, ' ');
      absl::StrAppend(&text, line, help, "\n");
      line.clear();
    }
  }
  return text;
}

}  // namespace telamalloc::cli

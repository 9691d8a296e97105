// Compares every engine with brute force on as many random small problems as wanted (check.h):
//
//   telamalloc_differential --count=100000 --seed=1 --features=all
//
// --features: families of features.h, by comma; "all" takes them in turn. Problem number k of a run is drawn
// from seed + k, so that a reported problem can be had alone with --count=1 and the same --features. Exit
// code 1 and the problem as CSV on the first difference.
#include <algorithm>
#include <cstdint>
#include <iostream>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "absl/strings/str_join.h"
#include "property/check.h"
#include "property/features.h"
#include "support/problem_text.h"

ABSL_FLAG(std::int64_t, count, 1000, "How many problems");
ABSL_FLAG(std::uint64_t, seed, 1, "Seed of the first problem; each next one has the next");
ABSL_FLAG(std::vector<std::string>, features, {"all"}, "Families to draw from, by comma; all: each in turn");

namespace telamalloc::testing {
namespace {

constexpr std::int64_t kProgressStep = 10'000;

std::optional<std::vector<std::string>> ChosenFeatures() {
  std::vector<std::string> chosen = absl::GetFlag(FLAGS_features);
  const std::span<const absl::string_view> known = Features();
  if (chosen == std::vector<std::string>{"all"}) return std::vector<std::string>(known.begin(), known.end());
  for (const std::string& feature : chosen) {
    if (std::ranges::find(known, feature) != known.end()) continue;
    std::cerr << "features: unknown family \"" << feature << "\"; known: all, " << absl::StrJoin(known, ", ")
              << "\n";
    return std::nullopt;
  }
  return chosen;
}

void Report(const Difference& found, std::uint64_t seed, const std::string& feature) {
  const Difference least = Reduced(found, seed);
  std::cout << "DIFFERENCE at --seed=" << seed << " --features=" << feature << ": " << found.what << "\n"
            << ProblemToText(found.problem) << "\nreduced: " << least.what << "\n"
            << ProblemToText(least.problem);
}

int Run() {
  const std::optional<std::vector<std::string>> features = ChosenFeatures();
  if (!features) return 2;
  const std::int64_t count = absl::GetFlag(FLAGS_count);
  Tally tally;
  for (std::int64_t k = 0; k < count; ++k) {
    const std::uint64_t seed = absl::GetFlag(FLAGS_seed) + static_cast<std::uint64_t>(k);
    // By seed, not by k: the same seed is the same problem in every run over the same families.
    const std::string& feature = (*features)[seed % features->size()];
    const Problem problem = DrawProblem(seed, feature);
    const std::optional<std::string> what = FirstDifference(problem, seed, tally);
    if (what) {
      Report({.problem = problem, .what = *what}, seed, feature);
      return 1;
    }
    if ((k + 1) % kProgressStep == 0) std::cerr << k + 1 << " problems\n";
  }
  std::cout << count << " problems, " << tally.above_load << " above their load, " << tally.solves
            << " solves (" << tally.undecided << " undecided), no difference\n";
  return 0;
}

}  // namespace
}  // namespace telamalloc::testing

int main(int argc, char** argv) {
  absl::ParseCommandLine(argc, argv);
  return telamalloc::testing::Run();
}

// The printed names of the enums, one table each.
#include <cstddef>

#include "telamalloc/solver.h"

namespace telamalloc {
namespace {

// `value` indexes `names`; the tables follow the order of the enumerators.
template <typename Enum, std::size_t kCount>
absl::string_view NameIn(const std::array<absl::string_view, kCount>& names, Enum value) {
  const auto index = static_cast<std::size_t>(value);
  return index < kCount ? names[index] : absl::string_view("UNKNOWN");
}

}  // namespace

absl::string_view Name(Objective objective) {
  static constexpr std::array<absl::string_view, 2> kNames = {"FIT", "MINIMIZE"};
  return NameIn(kNames, objective);
}

absl::string_view Name(Outcome outcome) {
  static constexpr std::array<absl::string_view, kAllOutcomes.size()> kNames = {
      "OPTIMAL", "FEASIBLE", "INFEASIBLE", "NO_SOLUTION_FOUND"};
  return NameIn(kNames, outcome);
}

absl::string_view Name(Limit limit) {
  static constexpr std::array<absl::string_view, kAllLimits.size()> kNames = {"NONE", "TIME", "NODES",
                                                                              "CANCELLED"};
  return NameIn(kNames, limit);
}

absl::string_view Name(Method method) {
  static constexpr std::array<absl::string_view, kAllMethods.size()> kNames = {"NONE", "LOAD_BOUND", "GREEDY",
                                                                               "TELAMALLOC", "EXACT"};
  return NameIn(kNames, method);
}

}  // namespace telamalloc

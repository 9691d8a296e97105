// Every combination of rules, by number.
#ifndef TELAMALLOC_TESTS_SUPPORT_RULE_SETS_H_
#define TELAMALLOC_TESTS_SUPPORT_RULE_SETS_H_

#include "telamalloc/solver.h"

namespace telamalloc::testing {

inline constexpr unsigned kSearchRuleSets = 1U << 5;
inline constexpr unsigned kExactRuleSets = 1U << 7;

// The rules whose bits are set.
constexpr SearchRules SearchRulesOf(unsigned bits) {
  return {.section_sums = (bits & 1U) != 0,
          .tail_sums = (bits & 2U) != 0,
          .symmetry = (bits & 4U) != 0,
          .complete = (bits & 8U) != 0,
          .restarts = (bits & 16U) != 0};
}

constexpr ExactRules ExactRulesOf(unsigned bits) {
  return {.real_ground = (bits & 1U) != 0,
          .holes = (bits & 2U) != 0,
          .spanning = (bits & 4U) != 0,
          .components = (bits & 8U) != 0,
          .jumps = (bits & 16U) != 0,
          .memory = (bits & 32U) != 0,
          .restarts = (bits & 64U) != 0};
}

static_assert(SearchRulesOf(kSearchRuleSets - 1) == SearchRules{});
static_assert(ExactRulesOf(kExactRuleSets - 1) == ExactRules{});

}  // namespace telamalloc::testing

#endif  // TELAMALLOC_TESTS_SUPPORT_RULE_SETS_H_

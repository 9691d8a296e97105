// The first row with a value decides, so that several wire values may mean one of ours.
#include "convert/enums.h"

#include <array>
#include <cstddef>
#include <optional>

#include "convert/convert.h"
#include "telamalloc/solution.h"
#include "telamalloc/solver.h"
#include "telamalloc/v1/allocation_service.pb.h"

namespace telamalloc {
namespace {

template <typename Core, typename Wire>
struct Pair {
  Core core;
  Wire wire;
};

constexpr std::array kObjectives = {
    Pair<Objective, v1::Objective>{Objective::kFit, v1::OBJECTIVE_FIT},
    Pair<Objective, v1::Objective>{Objective::kMinimize, v1::OBJECTIVE_MINIMIZE},
    Pair<Objective, v1::Objective>{Objective::kFit, v1::OBJECTIVE_UNSPECIFIED},
};

constexpr std::array kFallbacks = {
    Pair<FallbackPolicy, v1::FallbackPolicy>{FallbackPolicy::kGreedy, v1::FALLBACK_POLICY_GREEDY},
    Pair<FallbackPolicy, v1::FallbackPolicy>{FallbackPolicy::kGreedyOnTimeout,
                                             v1::FALLBACK_POLICY_GREEDY_ON_TIMEOUT},
    Pair<FallbackPolicy, v1::FallbackPolicy>{FallbackPolicy::kNone, v1::FALLBACK_POLICY_NONE},
    Pair<FallbackPolicy, v1::FallbackPolicy>{FallbackPolicy::kGreedy, v1::FALLBACK_POLICY_UNSPECIFIED},
};

constexpr std::array kOutcomes = {
    Pair<Outcome, v1::Outcome>{Outcome::kOptimal, v1::OUTCOME_OPTIMAL},
    Pair<Outcome, v1::Outcome>{Outcome::kFeasible, v1::OUTCOME_FEASIBLE},
    Pair<Outcome, v1::Outcome>{Outcome::kInfeasible, v1::OUTCOME_INFEASIBLE},
    Pair<Outcome, v1::Outcome>{Outcome::kNoSolutionFound, v1::OUTCOME_NO_SOLUTION_FOUND},
};

constexpr std::array kLimits = {
    Pair<Limit, v1::StopReason>{Limit::kNone, v1::STOP_REASON_COMPLETED},
    Pair<Limit, v1::StopReason>{Limit::kTime, v1::STOP_REASON_TIME},
    Pair<Limit, v1::StopReason>{Limit::kNodes, v1::STOP_REASON_NODES},
    // A cancelled caller gets no result, so that only a server's own stop shows on the wire.
    Pair<Limit, v1::StopReason>{Limit::kCancelled, v1::STOP_REASON_OVERLOAD},
    Pair<Limit, v1::StopReason>{Limit::kCancelled, v1::STOP_REASON_DRAIN},
};

constexpr std::array kMethods = {
    Pair<Method, v1::Method>{Method::kNone, v1::METHOD_UNSPECIFIED},
    Pair<Method, v1::Method>{Method::kLoadBound, v1::METHOD_LOAD_BOUND},
    Pair<Method, v1::Method>{Method::kGreedy, v1::METHOD_GREEDY},
    Pair<Method, v1::Method>{Method::kTelamalloc, v1::METHOD_TELAMALLOC},
    Pair<Method, v1::Method>{Method::kExact, v1::METHOD_EXACT},
};

constexpr std::array<absl::string_view, 8> kRuleNames = {"count",        "negative",   "range",   "alignment",
                                                         "fixed_offset", "colocation", "overlap", "capacity"};

template <typename Core, typename Wire, std::size_t kCount>
std::optional<Core> CoreOf(const std::array<Pair<Core, Wire>, kCount>& table, Wire wire) {
  for (const Pair<Core, Wire>& pair : table) {
    if (pair.wire == wire) return pair.core;
  }
  return std::nullopt;
}

template <typename Core, typename Wire, std::size_t kCount>
Wire WireOf(const std::array<Pair<Core, Wire>, kCount>& table, Core core) {
  for (const Pair<Core, Wire>& pair : table) {
    if (pair.core == core) return pair.wire;
  }
  return Wire{};
}

}  // namespace

v1::Objective ToProto(Objective objective) { return WireOf(kObjectives, objective); }
v1::Outcome ToProto(Outcome outcome) { return WireOf(kOutcomes, outcome); }
v1::StopReason ToProto(Limit limit) { return WireOf(kLimits, limit); }
v1::Method ToProto(Method method) { return WireOf(kMethods, method); }

std::optional<Objective> FromProto(v1::Objective wire) { return CoreOf(kObjectives, wire); }
std::optional<FallbackPolicy> FromProto(v1::FallbackPolicy wire) { return CoreOf(kFallbacks, wire); }
std::optional<Outcome> FromProto(v1::Outcome wire) { return CoreOf(kOutcomes, wire); }
std::optional<Limit> FromProto(v1::StopReason wire) { return CoreOf(kLimits, wire); }
std::optional<Method> FromProto(v1::Method wire) { return CoreOf(kMethods, wire); }

absl::string_view WireName(PlacementViolation::Rule rule) {
  const auto index = static_cast<std::size_t>(rule);
  return index < kRuleNames.size() ? kRuleNames[index] : absl::string_view("unknown");
}

}  // namespace telamalloc

// What the work that follows a proof of infeasibility may take in all.
#ifndef TELAMALLOC_SOLVER_ALLOWANCE_H_
#define TELAMALLOC_SOLVER_ALLOWANCE_H_

#include <cstdint>
#include <functional>
#include <optional>

#include "timeline/budget.h"

namespace telamalloc {

// Unlike a Budget it outlives its nodes: without any left, bounds and heuristics still answer.
struct Allowance {
  std::optional<Budget::Clock::time_point> deadline;
  std::function<bool()> stop;
  std::int64_t nodes = 0;  // search decisions
  // Decisions, and units of the problems looked at: roughly a microsecond each. What bounds the time where
  // nothing else does, the same on every machine.
  std::int64_t work = 0;
  bool stopped = false;  // by deadline or stop; latches

  [[nodiscard]] bool used_up() const { return stopped || work <= 0; }
};

}  // namespace telamalloc

#endif  // TELAMALLOC_SOLVER_ALLOWANCE_H_

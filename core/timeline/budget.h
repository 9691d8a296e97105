// One Budget goes to everything that takes time: a deadline, a node limit and a stop predicate that latch.
//
// Work is counted in steps of roughly a nanosecond to ten; the clock and the predicate are asked only every
// kStepsPerPoll of them, so that polling costs nothing and the answer is never older than about a
// millisecond.
#ifndef TELAMALLOC_TIMELINE_BUDGET_H_
#define TELAMALLOC_TIMELINE_BUDGET_H_

#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <utility>

namespace telamalloc {

class Budget {
 public:
  using Clock = std::chrono::steady_clock;
  enum class Cause { kNone, kTime, kNodes, kStop };

  // No limit at all.
  Budget() = default;
  Budget(std::optional<Clock::time_point> deadline, std::optional<std::int64_t> max_nodes,
         std::function<bool()> stop)
      : deadline_(deadline),
        nodes_left_(max_nodes.value_or(std::numeric_limits<std::int64_t>::max())),
        stop_(std::move(stop)) {}
  Budget(const Budget&) = delete;
  Budget& operator=(const Budget&) = delete;
  Budget(Budget&&) = delete;
  Budget& operator=(Budget&&) = delete;
  ~Budget() = default;

  // Adds `steps` of work; true once the budget is used up, from then on for ever.
  [[nodiscard]] bool Spend(std::int64_t steps) {
    steps_left_ -= steps;
    return steps_left_ <= 0 ? Poll() : cause_ != Cause::kNone;
  }

  // Takes one node; true once the budget is used up.
  [[nodiscard]] bool SpendNode() {
    if (nodes_left_ <= 0 && cause_ == Cause::kNone) cause_ = Cause::kNodes;
    if (cause_ != Cause::kNone) return true;
    --nodes_left_;
    ++nodes_;
    return false;
  }

  // Asks clock and predicate now.
  bool Poll() {
    steps_left_ = kStepsPerPoll;
    if (cause_ != Cause::kNone) return true;
    if (stop_ && stop_()) {
      cause_ = Cause::kStop;
    } else if (deadline_ && Clock::now() >= *deadline_) {
      cause_ = Cause::kTime;
    }
    return cause_ != Cause::kNone;
  }

  [[nodiscard]] bool exhausted() const { return cause_ != Cause::kNone; }
  [[nodiscard]] Cause cause() const { return cause_; }
  [[nodiscard]] std::int64_t nodes() const { return nodes_; }
  [[nodiscard]] std::int64_t nodes_left() const { return nodes_left_; }

 private:
  static constexpr std::int64_t kStepsPerPoll = 20'000;

  std::optional<Clock::time_point> deadline_;
  std::int64_t nodes_left_ = std::numeric_limits<std::int64_t>::max();
  std::function<bool()> stop_;
  std::int64_t steps_left_ = 0;
  std::int64_t nodes_ = 0;
  Cause cause_ = Cause::kNone;
};

}  // namespace telamalloc

#endif  // TELAMALLOC_TIMELINE_BUDGET_H_

// Solving: a problem in, a verified placement out.
//
//   absl::StatusOr<PreparedProblem> prepared = PreparedProblem::Create(problem);
//   absl::StatusOr<SolveResult> result = Solve(*prepared, {.time_limit = std::chrono::seconds(1)});
//   if (result.ok() && result->outcome == Outcome::kFeasible) Use(result->solution->offsets);
//
// What is known of the problem (Outcome) and why the search stopped (Limit) are data, never error codes:
// a search that ran out of time is not an infeasible problem.
#ifndef TELAMALLOC_SOLVER_H_
#define TELAMALLOC_SOLVER_H_

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "telamalloc/problem.h"
#include "telamalloc/solution.h"

namespace telamalloc {

enum class Objective {
  kFit,       // any placement with peak <= capacity; capacity is required
  kMinimize,  // the least peak, with a proven lower bound; a capacity, when set, bounds it
};

// What is known of the problem.
enum class Outcome {
  kOptimal,          // kMinimize: the peak equals the proven lower bound (and is within the capacity)
  kFeasible,         // a placement within the capacity
  kInfeasible,       // proven: no placement within the capacity exists
  kNoSolutionFound,  // neither found nor ruled out
};

// Why the search stopped.
enum class Limit {
  kNone,       // by itself
  kTime,       // SolveOptions::time_limit
  kNodes,      // SolveOptions::max_nodes
  kCancelled,  // SolveOptions::stop
};

// The engine that produced the answer: the placement of a feasible result, the proof of an infeasible one.
enum class Method {
  kNone,        // no buffers to place, or nothing found
  kLoadBound,   // infeasible: the live bytes of one section, or one buffer alone, exceed the capacity
  kGreedy,      // one of the greedy orders
  kTelamalloc,  // TelaMalloc's search
  kExact,       // the exact search over corners
};

inline constexpr std::array kAllOutcomes = {Outcome::kOptimal, Outcome::kFeasible, Outcome::kInfeasible,
                                            Outcome::kNoSolutionFound};
inline constexpr std::array kAllLimits = {Limit::kNone, Limit::kTime, Limit::kNodes, Limit::kCancelled};
inline constexpr std::array kAllMethods = {Method::kNone, Method::kLoadBound, Method::kGreedy,
                                           Method::kTelamalloc, Method::kExact};

// Upper-case names as printed and labelled everywhere: "NO_SOLUTION_FOUND", "TIME", "TELAMALLOC", ...
absl::string_view Name(Objective objective);
absl::string_view Name(Outcome outcome);
absl::string_view Name(Limit limit);
absl::string_view Name(Method method);

// Pruning and guidance beyond the paper, each switchable; all off is the paper's algorithm as
// docs/algorithm.md reconstructs it.
struct SearchRules {
  // Free bytes of a section that no unplaced buffer of it can use count as lost.
  bool section_sums = true;
  // In each section the unplaced buffers that cannot start below an offset must fit above it.
  bool tail_sums = true;
  // Of buffers alike in lifetime, size and alignment only the first unplaced one is tried.
  bool symmetry = true;
  // When the paper's three candidates are used up, the other buffers of the conflict are tried too, so that
  // exhaustion proves infeasibility.
  bool complete = true;
  // A round that got stuck is followed by another with a larger threshold and perturbed candidate order.
  bool restarts = true;
  friend bool operator==(const SearchRules&, const SearchRules&) = default;
};

// Reductions and pruning of the exact search, each switchable: none changes an answer, all save time
// (docs/algorithm.md, "The exact search").
struct ExactRules {
  // A buffer rests on another one, a pin or address 0, not on bytes left empty.
  bool real_ground = true;
  // No bytes are left empty into which an unplaced buffer would fit.
  bool holes = true;
  // A buffer that is live as long as all that is left goes on top of it.
  bool spanning = true;
  // What no unplaced buffer connects is searched apart.
  bool components = true;
  // A failure skips the decisions that it does not depend on.
  bool jumps = true;
  // States that failed are remembered.
  bool memory = true;
  // The search starts over with another order of trying buffers, with limits that grow.
  bool restarts = true;
  friend bool operator==(const ExactRules&, const ExactRules&) = default;
};

// Most that SolveOptions::spill_advice may ask for.
inline constexpr std::int64_t kMaxSpillSets = 64;

struct SolveOptions {
  Objective objective = Objective::kFit;
  // Name of an engine from SolverNames(); empty: the default pipeline ("auto").
  std::string solver;
  // Counted from the call. Unset: none. Solve returns within about 1 ms of it.
  std::optional<std::chrono::nanoseconds> time_limit;
  // Search decisions over all partitions, >= 0. Unset: none. 0: bounds and greedy orders only.
  std::optional<std::int64_t> max_nodes;
  // Perturbs tie-breaks between restarts; the result is deterministic for a seed.
  std::uint64_t random_seed = 0;
  // Search decisions, >= 0, that an infeasible answer may spend on a small Infeasibility::conflict, within
  // max_nodes. Unset: twice those of the search so far and 65,536. 0: none, the verdict is all that matters.
  std::optional<std::int64_t> max_explain_nodes;
  SearchRules rules;       // of TelaMalloc's search
  ExactRules exact_rules;  // of the exact search
  // Sets of buffers to spill that are wanted when nothing fits, 0 to kMaxSpillSets. 0: none. They cost time
  // of their own, within the limits above: some seconds where nothing else limits it.
  std::int64_t spill_advice = 0;
  // What it costs to spill each buffer, by position; finite, >= 0. Empty: size x lifetime, as a double.
  std::vector<double> spill_costs;
  // Polled at least every millisecond; once it returns true the search stops (it is not asked again).
  // Unset: never.
  std::function<bool()> stop;
  // Called on the solving thread with each better placement of the whole problem and the engine behind it,
  // verified before the call;
  // peaks strictly decrease. The reference is valid during the call only. Unset: none.
  std::function<void(const Solution&, Method)> on_incumbent;
};

struct SolveStats {
  std::int64_t nodes = 0;             // search decisions taken
  std::int64_t minor_backtracks = 0;  // one placement undone, next candidate tried
  std::int64_t major_backtracks = 0;  // jumps to an earlier decision
  std::int64_t partitions = 0;
  std::chrono::nanoseconds solve_time{0};
};

// Why no placement can fit.
struct Infeasibility {
  std::int64_t needed = 0;     // bytes, a proven lower bound on the peak
  std::int64_t available = 0;  // the capacity
  // needed - available; when search (not a bound) proved it, at least the step to the next possible peak.
  std::int64_t excess = 0;
  // The ticks [start, end) at which `buffers` are live together; when search proved it, those from the first
  // start to the last end of `buffers`.
  std::int64_t start = 0;
  std::int64_t end = 0;
  // Positions in problem.buffers, ascending: those live in the window, or the one that cannot fit alone; when
  // search proved it, `conflict`.
  std::vector<std::size_t> buffers;
  // Positions, ascending, of buffers that by themselves cannot be placed within the capacity: as few as the
  // budget admitted.
  std::vector<std::size_t> conflict;
  // Proven: without any one of `conflict` the others of it fit (a colocation group counts as one).
  bool irreducible = false;
  // The least capacity known to suffice: the peak of SolveResult::solution. Unset: none is known.
  std::optional<std::int64_t> sufficient;
  // One sentence with the figures above.
  std::string explanation;
};

// Stands for "spilled" in SpillSet::offsets.
inline constexpr std::int64_t kSpilled = -1;

// Buffers to take out of a problem that does not fit, so that the rest does.
struct SpillSet {
  // Positions in problem.buffers, ascending. Pins may be among them; a colocation group is whole or not at
  // all.
  std::vector<std::size_t> buffers;
  double cost = 0;         // sum over `buffers`; at most the largest double
  std::int64_t bytes = 0;  // sum of the sizes of `buffers`; at most 2^63 - 1
  // Proven: none of them (no whole group) can be returned. Not that no other set is cheaper.
  bool minimal = false;
  // A placement of the others within the capacity, verified; by position, kSpilled for `buffers`. Hints are
  // not looked at.
  std::vector<std::int64_t> offsets;
  std::int64_t peak = 0;  // of that placement
};

struct SolveResult {
  Outcome outcome = Outcome::kNoSolutionFound;
  Limit limit = Limit::kNone;
  Method method = Method::kNone;
  // The best placement known, verified. Its peak is above the capacity exactly when the outcome is
  // kInfeasible or kNoSolutionFound: then it is a plan to spill by. Unset: none was found in time.
  std::optional<Solution> solution;
  // Proven: no placement has a smaller peak.
  std::int64_t lower_bound = 0;
  // Set exactly when the outcome is kInfeasible.
  std::optional<Infeasibility> infeasibility;
  // At most SolveOptions::spill_advice, cheapest first, none containing another. Empty unless the outcome is
  // kInfeasible and a `solution` is known.
  std::vector<SpillSet> spill_advice;
  SolveStats stats;
};

// A validated problem with its timeline: immutable, cheap to copy, thread-safe.
class PreparedProblem {
 public:
  // Validates `problem` and builds its timeline.
  //
  // Errors: kInvalidArgument if `problem` breaks a rule of problem.h (FieldViolationsOf lists the first 20
  //   broken rules); kOutOfRange if offset + size or a sum of live sizes does not fit in 64 bits;
  //   kCancelled if `stop` returned true.
  // Cost: O(n log n); memory linear in buffers plus gaps.
  static absl::StatusOr<PreparedProblem> Create(Problem problem, std::function<bool()> stop = nullptr);

  [[nodiscard]] const Problem& problem() const;
  // No placement has a smaller peak: the largest of live bytes, single sizes and pinned tops. O(1).
  [[nodiscard]] std::int64_t lower_bound() const;

  struct Impl;  // defined inside the library
  [[nodiscard]] const Impl& impl() const { return *impl_; }

 private:
  explicit PreparedProblem(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}
  std::shared_ptr<const Impl> impl_;
};

// Packs all buffers of `prepared` into one address range.
//
// Running out of budget is not an error; see SolveResult::outcome. Every placement in the result or handed to
// on_incumbent has passed Verify.
//
// Errors: kInvalidArgument if the options name an unknown solver, a negative limit, kFit without a
//   capacity, or bad spill options; kInternal if a placement failed verification (a bug of ours; never handed
//   out).
// Cost: O(n log n) before search; returns within about 1 ms of options.time_limit.
// Thread-safe. Deterministic for a fixed seed when it stops by itself or by max_nodes.
// Source: Maas et al., ASPLOS 2023; deviations in docs/algorithm.md.
absl::StatusOr<SolveResult> Solve(const PreparedProblem& prepared, const SolveOptions& options = {});

// Names that SolveOptions::solver accepts, "auto" first.
std::span<const absl::string_view> SolverNames();

// The version of the solver as a text; equal versions give equal placements.
absl::string_view SolverVersion();

}  // namespace telamalloc

#endif  // TELAMALLOC_SOLVER_H_

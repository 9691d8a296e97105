// The pipeline, cheapest first, stopping at a proof: load bound -> heuristics -> search (search/engines.h).
//
//   fit:       bound > capacity? infeasible.  Each partition: heuristics until one fits, else search.
//   minimise:  heuristics until one meets the bound, else a ladder of searches between bound and incumbent.
//
// "telamalloc" and "exact" go to that search at once (one heuristic runs before it for the fallback, and is
// not accepted as the answer to a fit); a heuristic's name runs that one alone.
#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "search/strategy.h"
#include "solver/fit.h"
#include "solver/heuristic_pass.h"
#include "solver/incumbent.h"
#include "solver/infeasibility.h"
#include "solver/minimize.h"
#include "solver/prepared_problem.h"
#include "solver/search_plan.h"
#include "solver/spill_advice.h"
#include "solver/subset_probe.h"
#include "solver/unit_buffers.h"
#include "telamalloc/solver.h"

namespace telamalloc {
namespace {

constexpr absl::string_view kAuto = "auto";
constexpr absl::string_view kGreedy = "greedy";
constexpr absl::string_view kTelamalloc = "telamalloc";
constexpr absl::string_view kExact = "exact";

// After a proof of infeasibility, nodes spent on the least capacity that would do.
constexpr std::int64_t kAdviceNodes = 2048;
// Then those spent on a small set of buffers that already clash; see SolveOptions::max_explain_nodes.
constexpr std::int64_t kExplainNodes = 65'536;
// And the units looked at meanwhile.
constexpr std::int64_t kExplainWork = 131'072;
// The same for spill advice.
constexpr std::int64_t kSpillNodes = 1'000'000;
constexpr std::int64_t kSpillWork = 1'000'000;

// What a solver name stands for.
struct Plan {
  std::span<const NamedHeuristic> heuristics;
  bool accept_heuristics = true;  // a heuristic's placement may be the answer to a fit
  bool search = true;
  Engines engines = Engines::kAuto;
  Method method = Method::kGreedy;  // of what needs no search
};

std::vector<absl::string_view> AllSolverNames() {
  std::vector<absl::string_view> names = {kAuto, kTelamalloc, kExact, kGreedy};
  for (const NamedHeuristic& heuristic : Heuristics()) names.push_back(heuristic.name);
  return names;
}

absl::StatusOr<Plan> PlanFor(const std::string& solver) {
  const std::span<const NamedHeuristic> all = Heuristics();
  if (solver.empty() || solver == kAuto) return Plan{.heuristics = all};
  if (solver == kGreedy) return Plan{.heuristics = all, .search = false};
  if (solver == kTelamalloc) {
    return Plan{.heuristics = all.first(1),
                .accept_heuristics = false,
                .engines = Engines::kTelamalloc,
                .method = Method::kTelamalloc};
  }
  if (solver == kExact) {
    return Plan{.heuristics = all.first(1),
                .accept_heuristics = false,
                .engines = Engines::kExact,
                .method = Method::kExact};
  }
  for (std::size_t h = 0; h < all.size(); ++h) {
    if (all[h].name == solver) return Plan{.heuristics = all.subspan(h, 1), .search = false};
  }
  return absl::InvalidArgumentError(
      absl::StrCat("solver: unknown name \"", solver, "\"; known: ", absl::StrJoin(SolverNames(), ", ")));
}

absl::Status CheckOptions(const Problem& problem, const SolveOptions& options) {
  if (options.objective == Objective::kFit && !problem.capacity) {
    return absl::InvalidArgumentError("capacity: required when the objective is fit");
  }
  if (options.max_nodes && *options.max_nodes < 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("max_nodes: must not be negative, got ", *options.max_nodes));
  }
  if (options.max_explain_nodes && *options.max_explain_nodes < 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("max_explain_nodes: must not be negative, got ", *options.max_explain_nodes));
  }
  if (options.time_limit && options.time_limit->count() < 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("time_limit: must not be negative, got ", options.time_limit->count(), " ns"));
  }
  return CheckSpillOptions(problem, options);
}

std::optional<Budget::Clock::time_point> DeadlineOf(const SolveOptions& options,
                                                    Budget::Clock::time_point now) {
  if (!options.time_limit || *options.time_limit > Budget::Clock::time_point::max() - now)
    return std::nullopt;
  return now + *options.time_limit;
}

std::int64_t SaturatingSum(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? std::numeric_limits<std::int64_t>::max() : sum;
}

Limit LimitOf(Budget::Cause cause) {
  switch (cause) {
    case Budget::Cause::kNone:
      return Limit::kNone;
    case Budget::Cause::kTime:
      return Limit::kTime;
    case Budget::Cause::kNodes:
      return Limit::kNodes;
    case Budget::Cause::kStop:
      return Limit::kCancelled;
  }
  return Limit::kNone;
}

// One call of Solve.
class Run {
 public:
  Run(const PreparedProblem::Impl& prepared, const SolveOptions& options, const Plan& plan)
      : prepared_(&prepared),
        options_(&options),
        plan_(plan),
        search_plan_{.engines = plan.engines,
                     .options = {.rules = options.rules,
                                 .exact_rules = options.exact_rules,
                                 .random_seed = options.random_seed}},
        started_(Budget::Clock::now()),
        budget_(DeadlineOf(options, started_), options.max_nodes, LatchedStop()),
        incumbent_(prepared, options, DeadlineOf(options, started_)),
        fallback_(prepared, options, DeadlineOf(options, started_)) {
    result_.lower_bound = prepared.timeline.lower_bound();
    result_.stats.partitions = static_cast<std::int64_t>(prepared.timeline.partitions().size());
  }

  absl::StatusOr<SolveResult> Go() {
    const absl::Status status = options_->objective == Objective::kFit ? Fit() : Minimize();
    if (!status.ok()) return status;
    if (proof_ != Method::kNone) {
      if (absl::Status explained = Explain(); !explained.ok()) return explained;
    }
    Conclude();
    result_.stats.solve_time = Budget::Clock::now() - started_;
    return std::move(result_);
  }

 private:
  absl::Status Fit() {
    const Timeline& timeline = prepared_->timeline;
    const std::int64_t capacity = *prepared_->problem.capacity;
    if (timeline.lower_bound() > capacity) {
      proof_ = Method::kLoadBound;
      return Advise();
    }
    incumbent_.PlaceSingles(plan_.method);
    if (incumbent_.complete()) return incumbent_.Publish();
    fallback_.PlaceSingles(Method::kGreedy);
    Incumbent& first = plan_.accept_heuristics ? incumbent_ : fallback_;
    if (absl::Status status = RunHeuristics(timeline, plan_.heuristics, capacity, budget_, first);
        !status.ok()) {
      return status;
    }
    return plan_.search && !Fits(incumbent_.solution()) ? FitRest(capacity) : absl::OkStatus();
  }

  // Searches the partitions that do not fit yet.
  absl::Status FitRest(std::int64_t capacity) {
    absl::StatusOr<ProvenBound> proven =
        FitBySearch(prepared_->timeline, capacity, search_plan_, budget_, incumbent_, result_.stats);
    if (!proven.ok()) return proven.status();
    if (proven->partition < 0) return absl::OkStatus();
    Keep(*proven);
    proof_ = proven->method;
    return Advise();
  }

  absl::Status Minimize() {
    const Timeline& timeline = prepared_->timeline;
    incumbent_.PlaceSingles(Method::kGreedy);
    absl::Status status =
        RunHeuristics(timeline, plan_.heuristics, timeline.lower_bound(), budget_, incumbent_);
    if (status.ok() && plan_.search && incumbent_.complete()) status = Lower(budget_);
    if (!prepared_->problem.capacity || result_.lower_bound <= *prepared_->problem.capacity) return status;
    proof_ = timeline.lower_bound() > *prepared_->problem.capacity ? Method::kLoadBound : proven_.method;
    return status;
  }

  // Lowers the incumbent's peak by search within `budget`.
  absl::Status Lower(Budget& budget) {
    absl::StatusOr<ProvenBound> proven =
        MinimizeBySearch(prepared_->timeline, search_plan_, budget, incumbent_, result_.stats);
    if (!proven.ok()) return proven.status();
    Keep(*proven);
    return absl::OkStatus();
  }

  void Keep(const ProvenBound& proven) {
    if (proven.lower_bound <= result_.lower_bound) return;
    result_.lower_bound = proven.lower_bound;
    proven_ = proven;
  }

  // Nothing fits: a placement to spill by, near the least capacity that would do.
  absl::Status Advise() {
    incumbent_.PlaceSingles(Method::kGreedy);
    const absl::Status status =
        RunHeuristics(prepared_->timeline, Heuristics(), result_.lower_bound, budget_, incumbent_);
    if (!status.ok() || !plan_.search || !incumbent_.complete() || budget_.exhausted()) return status;
    Budget advice(DeadlineOf(*options_, started_), std::min(kAdviceNodes, budget_.nodes_left()),
                  LatchedStop());
    return Lower(advice);
  }

  // REQUIRES: proof_ is set. Errors: AdviseSpills's.
  absl::Status Explain() {
    const UnitBuffers buffers(prepared_->timeline);
    Allowance allowance = AllowanceOf(ExplainNodes(), kExplainWork);
    ProbeContext context{.prepared = prepared_,
                         .buffers = &buffers,
                         .capacity = *prepared_->problem.capacity,
                         .options = search_plan_.options,
                         .allowance = &allowance,
                         .stats = &result_.stats};
    Infeasibility& infeasibility = result_.infeasibility.emplace(
        proof_ == Method::kLoadBound ? ExplainLoad(context) : ExplainSearch(context, proven_));
    if (Best().solution()) SaySufficient(Best().solution()->peak, infeasibility);
    if (options_->spill_advice == 0) return absl::OkStatus();
    Allowance spill_allowance = AllowanceOf(kSpillNodes, kSpillWork);
    context.allowance = &spill_allowance;
    absl::StatusOr<std::vector<SpillSet>> advice = AdviseSpills(context, *options_, incumbent_);
    if (!advice.ok()) return advice.status();
    result_.spill_advice = *std::move(advice);
    return absl::OkStatus();
  }

  // At most `nodes` of those that are left.
  [[nodiscard]] Allowance AllowanceOf(std::int64_t nodes, std::int64_t work) {
    if (!plan_.search) nodes = 0;
    if (options_->max_nodes) {
      nodes = std::clamp<std::int64_t>(*options_->max_nodes - result_.stats.nodes, 0, nodes);
    }
    return {.deadline = DeadlineOf(*options_, started_),
            .stop = LatchedStop(),
            .nodes = nodes,
            .work = SaturatingSum(nodes, work),
            .stopped = stopped_};
  }

  [[nodiscard]] std::int64_t ExplainNodes() const {
    return options_->max_explain_nodes.value_or(2 * result_.stats.nodes + kExplainNodes);
  }

  // SolveOptions::stop, not asked again once it was true; empty if there is none.
  [[nodiscard]] std::function<bool()> LatchedStop() {
    if (!options_->stop) return nullptr;
    return [this] { return stopped_ = stopped_ || options_->stop(); };
  }

  [[nodiscard]] bool Fits(const std::optional<Solution>& solution) const {
    return solution && (!prepared_->problem.capacity || solution->peak <= *prepared_->problem.capacity);
  }

  [[nodiscard]] const Incumbent& Best() const { return incumbent_.solution() ? incumbent_ : fallback_; }

  void Conclude() {
    result_.solution = Best().solution();
    result_.method = Best().method();
    if (result_.infeasibility) {
      result_.outcome = Outcome::kInfeasible;
      result_.method = proof_;
    } else if (Fits(result_.solution)) {
      const bool optimal =
          options_->objective == Objective::kMinimize && result_.solution->peak <= result_.lower_bound;
      result_.outcome = optimal ? Outcome::kOptimal : Outcome::kFeasible;
    } else {
      result_.outcome = Outcome::kNoSolutionFound;
    }
    const bool conclusive = result_.outcome == Outcome::kOptimal || result_.outcome == Outcome::kInfeasible ||
                            (result_.outcome == Outcome::kFeasible && options_->objective == Objective::kFit);
    result_.limit = conclusive ? Limit::kNone : LimitOf(budget_.cause());
  }

  const PreparedProblem::Impl* prepared_;
  const SolveOptions* options_;
  Plan plan_;
  SearchPlan search_plan_;
  Budget::Clock::time_point started_;
  bool stopped_ = false;  // see LatchedStop
  Budget budget_;
  Incumbent incumbent_;
  Incumbent fallback_;            // not an answer to accept, see Plan
  ProvenBound proven_;            // by search; the best so far
  Method proof_ = Method::kNone;  // of infeasibility
  SolveResult result_;
};

}  // namespace

absl::StatusOr<SolveResult> Solve(const PreparedProblem& prepared, const SolveOptions& options) {
  if (absl::Status status = CheckOptions(prepared.problem(), options); !status.ok()) return status;
  absl::StatusOr<Plan> plan = PlanFor(options.solver);
  if (!plan.ok()) return plan.status();
  return Run(prepared.impl(), options, *plan).Go();
}

std::span<const absl::string_view> SolverNames() {
  static const auto* const kNames = new std::vector<absl::string_view>(AllSolverNames());
  return *kNames;
}

absl::string_view SolverVersion() { return TELAMALLOC_VERSION; }

}  // namespace telamalloc

#include "property/check.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "property/features.h"
#include "support/brute_force.h"
#include "support/naive.h"
#include "support/random_problem.h"
#include "support/rule_sets.h"
#include "telamalloc/solution.h"
#include "telamalloc/solver.h"

namespace telamalloc::testing {
namespace {

// Searches that decide end long before; those that do not may go round for ever.
constexpr std::int64_t kNodesToDecide = 1'000'000;
constexpr std::int64_t kNodesToTry = 500;

// One way to solve.
struct Setup {
  std::string solver;
  unsigned search_rules = kSearchRuleSets - 1;
  unsigned exact_rules = kExactRuleSets - 1;
  std::uint64_t seed = 0;
};

struct Question {
  Objective objective = Objective::kFit;
  std::optional<std::int64_t> capacity;
};

struct Answer {
  std::string wrong;  // empty if nothing is
  SolveResult result;
};

// Every unit that is not alone in time is one rectangle, as far as that is plain to see.
bool IsFlat(const Problem& problem) {
  return std::ranges::all_of(problem.buffers,
                             [](const Buffer& b) { return b.gaps.empty() && b.colocation_group.empty(); });
}

bool HasRaisedWindow(const Problem& problem) {
  return std::ranges::any_of(problem.buffers, [](const Buffer& buffer) {
    return std::ranges::any_of(buffer.gaps,
                               [](const Gap& gap) { return gap.window && gap.window->lower > 0; });
  });
}

// Whether the engine must tell feasible from infeasible.
bool Decides(const Setup& setup, const Problem& problem) {
  const SearchRules rules = SearchRulesOf(setup.search_rules);
  const bool telamalloc = rules.complete && rules.restarts && !HasRaisedWindow(problem);
  if (setup.solver == "telamalloc") return telamalloc;
  if (setup.solver == "exact") return IsFlat(problem);
  return setup.solver == "auto" && (IsFlat(problem) || telamalloc);
}

std::string Text(const Setup& setup, const Question& question) {
  return absl::StrCat(setup.solver, ", ", Name(question.objective), ", capacity ",
                      question.capacity ? absl::StrCat(*question.capacity) : "unset", ", search rules ",
                      setup.search_rules, ", exact rules ", setup.exact_rules, ", seed ", setup.seed);
}

// One problem with its least peak, `factor` times that which brute force found.
class Judge {
 public:
  Judge(const Problem& problem, std::int64_t least, std::int64_t factor, Tally& tally)
      : problem_(&problem), least_(factor * least), factor_(factor), tally_(&tally) {}

  Answer Ask(const Setup& setup, const Question& question) {
    Problem problem = *problem_;
    problem.capacity = question.capacity;
    const absl::StatusOr<PreparedProblem> prepared = PreparedProblem::Create(problem);
    if (!prepared.ok())
      return {.wrong = absl::StrCat("refused: ", prepared.status().message()), .result = {}};
    const bool decides = Decides(setup, problem);
    absl::StatusOr<SolveResult> result =
        Solve(*prepared, {.objective = question.objective,
                          .solver = setup.solver,
                          .max_nodes = decides ? kNodesToDecide : kNodesToTry,
                          .random_seed = setup.seed,
                          .rules = SearchRulesOf(setup.search_rules),
                          .exact_rules = ExactRulesOf(setup.exact_rules)});
    ++tally_->solves;
    Answer answer;
    if (result.ok()) {
      answer.result = *std::move(result);
      answer.wrong = WrongClaim(answer.result, question, decides);
      if (answer.wrong.empty()) answer.wrong = WrongPlacement(problem, answer.result, question);
    } else {
      answer.wrong = absl::StrCat("failed: ", result.status().message());
    }
    if (!answer.wrong.empty()) answer.wrong += absl::StrCat(" (", Text(setup, question), ")");
    return answer;
  }

 private:
  // What the outcome, the bound and the explanation say.
  std::string WrongClaim(const SolveResult& result, const Question& question, bool decides) {
    if (result.lower_bound > least_) {
      return absl::StrCat("lower bound ", result.lower_bound, " above the least peak ", least_);
    }
    const bool fits = question.capacity.value_or(least_) >= least_;
    const Outcome truth = !fits                                   ? Outcome::kInfeasible
                          : question.objective == Objective::kFit ? Outcome::kFeasible
                                                                  : Outcome::kOptimal;
    if (result.infeasibility.has_value() != (result.outcome == Outcome::kInfeasible)) {
      return "an explanation without a proof, or the reverse";
    }
    if (result.outcome == truth)
      return truth == Outcome::kInfeasible ? WrongExplanation(result, question) : "";
    ++tally_->undecided;
    const bool modest = result.outcome == Outcome::kNoSolutionFound ||
                        (truth == Outcome::kOptimal && result.outcome == Outcome::kFeasible);
    if (modest && !decides) return "";
    return absl::StrCat("outcome ", Name(result.outcome), " instead of ", Name(truth),
                        ", the least peak being ", least_);
  }

  // The named buffers alone must not fit either.
  std::string WrongExplanation(const SolveResult& result, const Question& question) {
    const Infeasibility& why = *result.infeasibility;
    if (why.available != *question.capacity || why.needed <= why.available || why.needed > least_) {
      return absl::StrCat("infeasible because ", why.needed, " of ", why.available, " bytes are needed");
    }
    // Scaled problems have too many offsets; the unscaled one says the same.
    if (why.buffers.size() == problem_->buffers.size() || factor_ != 1) return "";
    Problem named;
    for (const std::size_t b : why.buffers) named.buffers.push_back(problem_->buffers[b]);
    return BruteForce(named, *question.capacity) ? "infeasible because of buffers that fit" : "";
  }

  [[nodiscard]] std::string WrongPlacement(const Problem& problem, const SolveResult& result,
                                           const Question& question) const {
    const bool fits = result.outcome == Outcome::kFeasible || result.outcome == Outcome::kOptimal;
    if (!result.solution) {
      return fits || question.objective == Objective::kMinimize ? "no placement" : "";
    }
    const Solution& solution = *result.solution;
    if (!IsValidPlacement(problem, solution.offsets)) return "an invalid placement";
    if (PeakOf(problem, solution.offsets) != solution.peak) return "a wrong peak";
    if (solution.peak < least_) return "a peak below the least one";
    const std::int64_t capacity = question.capacity.value_or(solution.peak);
    if ((solution.peak <= capacity) != fits) return "an outcome that its placement contradicts";
    if (Verify(problem, solution.offsets).ok() != fits) return "Verify disagrees about the capacity";
    if (!Verify(problem, solution.offsets, CapacityRule::kIgnored).ok()) return "Verify rejects it";
    if (result.outcome == Outcome::kOptimal && solution.peak != least_) return "OPTIMAL above the least peak";
    return "";
  }

  const Problem* problem_;
  std::int64_t least_;
  std::int64_t factor_;
  Tally* tally_;
};

std::vector<Question> QuestionsAbout(std::int64_t least) {
  std::vector<Question> questions = {{.objective = Objective::kFit, .capacity = least},
                                     {.objective = Objective::kMinimize, .capacity = std::nullopt}};
  if (least > 0) {
    questions.push_back({.objective = Objective::kFit, .capacity = least - 1});
    questions.push_back({.objective = Objective::kMinimize, .capacity = least - 1});
  }
  return questions;
}

// The same problem said in another way.
struct Variant {
  const char* name;
  Problem problem;
  std::int64_t factor = 1;  // of bytes
};

std::array<Variant, 3> VariantsOf(const Problem& problem, std::uint64_t seed) {
  constexpr std::array<std::int64_t, 4> kFactors = {2, 3, 10, 1'000'003};
  constexpr std::array<std::int64_t, 3> kShifts = {1, -1'000'000'000, std::int64_t{1} << 62};
  Random random(seed);
  const std::int64_t factor = kFactors[random.Uniform(0, 3)];
  return {Variant{.name = "shuffled", .problem = Shuffled(problem, random)},
          Variant{.name = "scaled", .problem = Scaled(problem, factor), .factor = factor},
          Variant{.name = "shifted", .problem = Shifted(problem, kShifts[random.Uniform(0, 2)])}};
}

std::string Unlike(const Answer& answer, const Answer& other, const Variant& variant) {
  if (answer.result.outcome != other.result.outcome) return "another outcome";
  if (!answer.result.solution || !other.result.solution || variant.factor != 1) return "";
  if (answer.result.solution->peak != other.result.solution->peak) return "another peak";
  return "";
}

// The engine's answers about the problem and its variants.
std::string WrongAnswer(const Problem& problem, std::int64_t least, const Setup& setup, Tally& tally) {
  const std::array<Variant, 3> variants = VariantsOf(problem, setup.seed);
  const bool decides = Decides(setup, problem);
  for (const Question& question : QuestionsAbout(least)) {
    const Answer answer = Judge(problem, least, 1, tally).Ask(setup, question);
    if (!answer.wrong.empty()) return answer.wrong;
    for (const Variant& variant : variants) {
      Question asked = question;
      // One byte too little stays one byte too little for those that decide; others may go astray elsewhere.
      if (asked.capacity) {
        const std::int64_t missing = least - *question.capacity;
        *asked.capacity = variant.factor * least - missing * (decides ? 1 : variant.factor);
      }
      const Answer other = Judge(variant.problem, least, variant.factor, tally).Ask(setup, asked);
      if (!other.wrong.empty()) return absl::StrCat(variant.name, ": ", other.wrong);
      const std::string unlike = Unlike(answer, other, variant);
      if (!unlike.empty()) return absl::StrCat(variant.name, ": ", unlike, " (", Text(setup, asked), ")");
    }
  }
  return "";
}

}  // namespace

std::optional<std::string> FirstDifference(const Problem& problem, std::uint64_t seed, Tally& tally) {
  const std::optional<Solution> best = BruteForce(problem, StackedBytes(problem));
  if (!best || !IsValidPlacement(problem, best->offsets) || PeakOf(problem, best->offsets) != best->peak) {
    return "brute force fails";
  }
  const absl::StatusOr<PreparedProblem> prepared = PreparedProblem::Create(problem);
  if (!prepared.ok()) return absl::StrCat("refused: ", prepared.status().message());
  if (prepared->lower_bound() < best->peak) ++tally.above_load;
  Random random(seed);
  const auto draw = [&](unsigned sets) { return static_cast<unsigned>(random.Next() % sets); };
  for (const absl::string_view solver : SolverNames()) {
    Setup setup;
    setup.solver.assign(solver.data(), solver.size());
    setup.seed = seed;
    std::string wrong = WrongAnswer(problem, best->peak, setup, tally);
    setup.search_rules = draw(kSearchRuleSets);
    setup.exact_rules = draw(kExactRuleSets);
    const bool has_rules = solver == "auto" || solver == "telamalloc" || solver == "exact";
    if (wrong.empty() && has_rules) wrong = WrongAnswer(problem, best->peak, setup, tally);
    if (!wrong.empty()) return wrong;
  }
  return std::nullopt;
}

Difference Reduced(const Difference& found, std::uint64_t seed) {
  Difference least = found;
  for (std::size_t b = 0; b < least.problem.buffers.size();) {
    Problem fewer = least.problem;
    fewer.buffers.erase(fewer.buffers.begin() + static_cast<std::ptrdiff_t>(b));
    Tally tally;
    const std::optional<std::string> what = FirstDifference(fewer, seed, tally);
    if (what) {
      least = {.problem = fewer, .what = *what};
      b = 0;
    } else {
      ++b;
    }
  }
  return least;
}

}  // namespace telamalloc::testing

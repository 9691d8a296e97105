// Every engine against brute force, on one small problem.
//
//   capacity     asked              must say
//   least        fit                FEASIBLE, and a valid placement within it
//   least - 1    fit, minimise      INFEASIBLE
//   unset        minimise           OPTIMAL, with peak = least
//
// An engine that does not decide a problem (a heuristic; TelaMalloc's search without `complete`, which never
// tries everything, or without `restarts`, which gives up what got stuck;
// the exact search where a unit is not one rectangle; TelaMalloc's search where a window of a gap starts
// above its buffer's offset, docs/algorithm.md "Completeness") may say NO_SOLUTION_FOUND, or FEASIBLE when
// minimising, instead. It may never claim more than is true.
//
// The same must hold, and the same be said, of the problem with its rows shuffled, its bytes scaled and its
// times moved.
#ifndef TELAMALLOC_TESTS_PROPERTY_CHECK_H_
#define TELAMALLOC_TESTS_PROPERTY_CHECK_H_

#include <cstdint>
#include <optional>
#include <string>

#include "telamalloc/problem.h"

namespace telamalloc::testing {

// What a run of many checks has seen.
struct Tally {
  std::int64_t solves = 0;
  std::int64_t above_load = 0;  // problems whose least peak is above the proven bound before search
  std::int64_t undecided = 0;   // answers that claim less than brute force knows
};

// What some engine gets wrong about `problem`, in one line; empty if nothing. `seed` chooses the rules that
// are switched off (every combination comes up), the scale and the shift; equal calls check the same.
// REQUIRES: `problem` is valid, without capacity, and small enough for BruteForce.
std::optional<std::string> FirstDifference(const Problem& problem, std::uint64_t seed, Tally& tally);

// A problem of as few of its buffers as still have some difference, and that difference.
struct Difference {
  Problem problem;
  std::string what;
};
Difference Reduced(const Difference& found, std::uint64_t seed);

}  // namespace telamalloc::testing

#endif  // TELAMALLOC_TESTS_PROPERTY_CHECK_H_

// What must be placed, what cannot fit and what must be refused.
#ifndef TELAMALLOC_TESTS_CORE_CASES_CASE_H_
#define TELAMALLOC_TESTS_CORE_CASES_CASE_H_

#include <array>
#include <cstdint>
#include <ostream>

namespace telamalloc::cases {

inline constexpr std::int64_t kUnbounded = -1;

// Has a placement with `peak`, and none with a smaller one where the capacity is unbounded.
struct SolvableCase {
  const char* name;
  std::int64_t capacity;
  std::int64_t peak;
  const char* csv;
};

// Does not fit in `capacity`; the least that would do is `least_capacity`.
struct InfeasibleCase {
  const char* name;
  std::int64_t capacity;
  std::int64_t least_capacity;
  const char* csv;
};

// Must be refused with `named` in the message.
struct RefusedCase {
  const char* name;
  const char* named;
  const char* csv;
};

inline void PrintTo(const SolvableCase& c, std::ostream* out) { *out << c.name << "\n" << c.csv; }
inline void PrintTo(const InfeasibleCase& c, std::ostream* out) { *out << c.name << "\n" << c.csv; }
inline void PrintTo(const RefusedCase& c, std::ostream* out) { *out << c.name << "\n" << c.csv; }

}  // namespace telamalloc::cases

#endif  // TELAMALLOC_TESTS_CORE_CASES_CASE_H_

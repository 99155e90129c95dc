#pragma once

#include <cstdint>
#include <string_view>

#include <gmpxx.h>

#include "bnnplan/verify/verify.hpp"

namespace bnnplan::verification {

// What to count.
enum class CountOf : std::uint8_t {
  patterns,  // patterns of the bits that the network sees, for inputs in the region
  values     // inputs: vectors of allowed numbers in the region
};
inline constexpr std::string_view count_of_names[] = {"patterns", "values"};

// How many inputs of a region are classified differently. The true number is between `lower` and `upper`;
// they are equal if everything was enumerated.
struct CountOutcome {
  mpz_class lower, upper, total;  // total: of the whole region
  bool exact = false;
  StopReason stopped = StopReason::none;
  std::string_view decided_by;  // "enumeration"; or "local search", "solver": there is none
  std::uint64_t evaluations = 0, conflicts = 0;
};

// Counts by enumerating patterns, as many as the limits and `most` allow; if there are too many, first checks
// whether there is any misclassified input at all. Throws InputError if the query is invalid, if it has no
// epsilon, and if distances are too fine for values to be counted.
CountOutcome count_misclassified(const Network& network, const VerifyQuery& query, CountOf what,
                                 const Limits& limits, std::uint64_t most = 100'000'000);

}  // namespace bnnplan::verification

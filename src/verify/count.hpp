#pragma once

#include <cstdint>
#include <string_view>

#include <gmpxx.h>

#include "verify/verify.hpp"

namespace bnnplan {

// What is counted.
enum class CountOf : std::uint8_t {
  patterns,  // patterns of the bits that the network sees, of inputs in the region
  values     // inputs: vectors of allowed numbers in the region
};
inline constexpr std::string_view count_of_names[] = {"patterns", "values"};

// How many inputs of a region are classified otherwise. The truth is from `lower` to `upper`; both are the same where
// everything was looked at.
struct CountOutcome {
  mpz_class lower, upper, total;  // total: of the whole region
  bool exact = false;
  StopReason stopped = StopReason::none;
  std::string_view decided_by;  // "enumeration", or "local search", "solver": there is none
  std::uint64_t evaluations = 0, conflicts = 0;
};

// Counts by looking at every pattern, as many as the limits and `most` allow; where these are too many, it is asked first
// whether there is any at all. Throws InputError for what is wrong with a query, if it has no epsilon, and if distances are
// too fine for values to be counted.
CountOutcome count_misclassified(const Network& network, const VerifyQuery& query, CountOf what,
                                 const Limits& limits, std::uint64_t most = 100'000'000);

}  // namespace bnnplan

#pragma once

#include <cstdint>
#include <optional>

#include "bnnplan/base/limits.hpp"
#include "bnnplan/verify/flip_network.hpp"

namespace bnnplan::verification {

struct LocalSearchOptions {
  std::uint64_t evaluations = 400'000;     // about this many flips are tried
  std::optional<std::int64_t> below = {};  // only sets that cost less are of interest
  std::int64_t enough = 0;                 // a set that costs no more ends the search
  std::uint64_t seed = 0;
};

// A set of flips that makes the question's property hold, as cheap as a greedy search with restarts finds it;
// nothing if it finds none, which proves nothing. The same seed gives the same set unless a limit is reached.
std::optional<FlipSet> find_flips(const FlipQuestion& question, const FlipNetwork& network,
                                  const LocalSearchOptions& options, LimitWatch& watch);

}  // namespace bnnplan::verification

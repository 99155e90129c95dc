#pragma once

#include "bnnplan/maxsat/maxsat.hpp"
#include "support/formula_families.hpp"

namespace bnnplan::testing {

// Any techniques on or off, from below or, one time in four, from above.
inline maxsat::MaxSatOptions random_maxsat_options(Random& random) {
  maxsat::MaxSatOptions options;
  options.strategy = below(random, 4) == 0 ? maxsat::MaxSatStrategy::improve : maxsat::MaxSatStrategy::core;
  for (bool* option : {&options.at_most_one_detection, &options.stratification, &options.hardening,
                       &options.weight_aware_extraction, &options.core_minimisation, &options.core_exhaustion,
                       &options.stable})
    *option = below(random, 2) == 0;
  if (below(random, 2) == 0) options.extraction_conflicts = static_cast<int>(below(random, 4));
  // Turns as short as a call, so that small formulas have several, or none.
  if (below(random, 3) == 0) {
    options.boosting.reset();
  } else {
    options.boosting = 1 + static_cast<std::int64_t>(below(random, 6));
  }
  return options;
}

}  // namespace bnnplan::testing

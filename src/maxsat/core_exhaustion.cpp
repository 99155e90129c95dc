// Core exhaustion (Ansotegui, Bonet, Gabas and Levy 2013 as "cover optimisation"; RC2, Ignatiev et al. 2019).
//
// A core states that one of its literals is true. Perhaps two must be, or ten: solve under the single
// assumption "at most 1", "at most 2", and so on. Each unsatisfiable answer raises the lower bound by the
// weight of the core again and fixes an output of the counter, without the cores over all assumptions that
// would otherwise have to be found for it one by one.
#include "bnnplan/maxsat/core_exhaustion.hpp"

#include <array>

namespace bnnplan::maxsat {

namespace {

constexpr int conflicts_per_step = 1000;

}  // namespace

std::size_t exhaust_core(const CoreOracle::Counter& counter, std::size_t bound, MaxSatRun& search,
                         EffortShare& share) {
  CoreOracle& oracle = search.oracle;
  while (bound < counter.size && share.may_spend(oracle)) {
    const std::array<Lit, 1> at_most_bound = {~oracle.output(counter, bound + 1)};
    const std::int64_t before = oracle.effort();
    const SatAnswer answer = oracle.solve(at_most_bound, search.at_most(conflicts_per_step));
    share.spend(oracle.effort() - before);
    if (answer == SatAnswer::satisfiable) search.bounds.offer_model(oracle);
    if (answer != SatAnswer::unsatisfiable) break;
    if (oracle.core().empty()) return counter.size + 1;
    oracle.add_count(counter, ++bound);
    ++search.statistics.raised_by_exhaustion;
  }
  return bound;
}

}  // namespace bnnplan::maxsat

// Core minimisation: trimming and deletion (Marques-Silva and Lynce 2011; as in RC2, Ignatiev, Morgado and
// Marques-Silva 2019).
//
// Trimming solves again under the core alone, which often fails for fewer reasons. Deletion leaves out one
// literal at a time: if the rest is still unsatisfiable, the new core replaces the old. The lightest literals
// are tried first, because a core raises the lower bound by the weight of its lightest.
//
// A smaller core means a smaller counter and a stronger bound. But each attempt is a SAT call, and with cores
// of hundreds of literals or formulas of millions of clauses that costs more than it gains; so attempts have
// a limit of conflicts, and all of them a share of the effort.
#include "bnnplan/maxsat/core_minimisation.hpp"

#include <algorithm>

namespace bnnplan::maxsat {

namespace {

constexpr int trimming_rounds = 4;
constexpr int conflicts_per_attempt = 500;

}  // namespace

std::vector<Lit> minimise_core(std::vector<Lit> core, MaxSatRun& search, EffortShare& share) {
  CoreOracle& oracle = search.oracle;
  const std::size_t original = core.size();
  const auto attempt = [&](std::span<const Lit> assumptions) {
    const std::int64_t before = oracle.effort();
    const SatAnswer answer = oracle.solve(assumptions, search.at_most(conflicts_per_attempt));
    share.spend(oracle.effort() - before);
    if (answer == SatAnswer::satisfiable) search.bounds.offer_model(oracle);
    return answer;
  };

  for (int round = 0; round < trimming_rounds && core.size() > 1 && share.may_spend(oracle); ++round) {
    std::reverse(core.begin(), core.end());  // another order of assumptions, another conflict
    if (attempt(core) != SatAnswer::unsatisfiable || oracle.core().size() == core.size()) break;
    core = oracle.core();
  }

  std::stable_sort(core.begin(), core.end(),
                   [&](Lit a, Lit b) { return search.objective.weight(~a) > search.objective.weight(~b); });
  // From the back, the lightest first; the last `kept` literals are needed (or seemed to be).
  std::vector<Lit> rest;
  for (std::size_t kept = 0; core.size() > 1 && kept < core.size() && share.may_spend(oracle);) {
    const std::size_t candidate = core.size() - 1 - kept;
    rest = core;
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(candidate));
    if (attempt(rest) != SatAnswer::unsatisfiable) {
      ++kept;
      continue;
    }
    // The new core is a subset in the same order; count the literals after the candidate that it still
    // contains.
    std::size_t behind = 0;
    for (std::size_t i = candidate + 1; i < core.size(); ++i) {
      behind += std::find(oracle.core().begin(), oracle.core().end(), core[i]) != oracle.core().end() ? 1 : 0;
    }
    core = oracle.core();
    kept = behind;
  }
  search.statistics.removed_by_minimisation += static_cast<std::int64_t>(original - core.size());
  return core;
}

}  // namespace bnnplan::maxsat

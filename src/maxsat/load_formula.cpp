// Loading the formula into the oracle.
//
// A soft clause becomes a literal that costs its weight when true:
//   unit clause (x)     ~x itself, no new variable: the usual case of planning problems
//   longer clause C     a new b with the hard clause C or b
//   empty clause        a constant
// Tautologies and weight 0 cost nothing and vanish; equal clauses are merged and share one b, which keeps
// them in one core instead of many. One implication for b is enough: minimising makes it false where
// possible.
//
// Variables are renumbered in order of occurrence, so that gaps in the numbering (encoders leave up to a
// fifth of their variables unused) cost the solver nothing.
#include "bnnplan/maxsat/load_formula.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace bnnplan::maxsat {

namespace {

constexpr std::size_t clauses_between_looks = 1 << 16;

bool out_of_limits(LimitWatch& watch) {
  if (watch.should_stop()) return true;
  if (watch.limits().memory_bytes != std::numeric_limits<std::size_t>::max() &&
      resident_memory() > watch.limits().memory_bytes) {
    watch.stop(StopReason::memory);
  }
  return watch.should_stop();
}

struct SoftClause {
  std::vector<Lit> literals;  // sorted, different
  formats::Weight weight = 0;
};

bool is_tautology(const std::vector<Lit>& sorted) {
  return std::adjacent_find(sorted.begin(), sorted.end(), [](Lit a, Lit b) { return b == ~a; }) !=
         sorted.end();
}

// The soft clauses in normal form, equal ones merged, in order of first occurrence.
std::vector<SoftClause> merged_soft_clauses(const formats::Wcnf& formula) {
  std::vector<SoftClause> clauses(formula.soft.size());
  for (std::size_t i = 0; i < clauses.size(); ++i) {
    auto& literals = clauses[i].literals;
    literals.assign(formula.soft[i].begin(), formula.soft[i].end());
    std::sort(literals.begin(), literals.end());
    literals.erase(std::unique(literals.begin(), literals.end()), literals.end());
    clauses[i].weight = is_tautology(literals) ? 0 : formula.weights[i];
  }
  std::vector<std::size_t> order(clauses.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return clauses[a].literals < clauses[b].literals; });
  std::size_t leader = 0;
  for (std::size_t i = 1; i < order.size(); ++i) {
    if (clauses[order[i]].literals == clauses[order[leader]].literals) {
      clauses[order[leader]].weight += std::exchange(clauses[order[i]].weight, 0);
    } else {
      leader = i;
    }
  }
  std::erase_if(clauses, [](const SoftClause& clause) { return clause.weight == 0; });
  return clauses;
}

}  // namespace

LoadedFormula load_formula(const formats::Wcnf& formula, CoreOracle& oracle, LimitWatch& watch) {
  LoadedFormula loaded{VariableMap(formula.variables), {}};
  std::vector<Lit> clause;
  for (std::size_t i = 0; i < formula.hard.size(); ++i) {
    if (i % clauses_between_looks == 0 && out_of_limits(watch)) return loaded;
    clause.clear();
    for (const Lit lit : formula.hard[i]) clause.push_back(loaded.map(lit, oracle));
    oracle.add(clause);
  }
  std::size_t count = 0;
  for (const SoftClause& soft : merged_soft_clauses(formula)) {
    if (count++ % clauses_between_looks == 0 && out_of_limits(watch)) return loaded;
    if (soft.literals.empty()) {
      loaded.objective.add_constant(soft.weight);
    } else if (soft.literals.size() == 1) {
      loaded.objective.add(~loaded.map(soft.literals.front(), oracle), soft.weight);
    } else {
      clause.clear();
      for (const Lit lit : soft.literals) clause.push_back(loaded.map(lit, oracle));
      const Lit falsified = oracle.new_variable();
      clause.push_back(falsified);
      oracle.add(clause);
      loaded.objective.add(falsified, soft.weight);
    }
  }
  for (const CostTerm& term : loaded.objective.terms()) {
    oracle.freeze(term.literal);
    oracle.prefer(~term.literal);
  }
  return loaded;
}

}  // namespace bnnplan::maxsat

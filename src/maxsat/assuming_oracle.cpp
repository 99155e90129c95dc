// Cores that outlive their search.
//
// Under assumptions A a core is a clause: the cost literals in it, and the negations of those assumptions in
// A that the solver needed, the core's condition D:
//   c_1 or ... or c_n or not d_1 or ... or not d_m
// In this form it follows from the hard clauses alone and stays. The counter of the c_i is a definition and
// stays as well. So the next search, under assumptions A', begins by applying all cores with D within A' to
// its objective, with the current weights and without a single call; if D is empty, as is common, always.
//
// Only hardening depends on the models of one search: its unit clauses not c become (not c or not i) with a
// literal i that is assumed from then on and refuted when the search ends. A core that needed i has it in its
// condition, and is never used again.
//
// Incremental core-guided MaxSAT of this kind: Niskanen, Berg and Jarvisalo, "Incremental Maximum
// Satisfiability", 2022, who rebuild or keep cores depending on whether assumptions took part; with
// conditions, cores under assumptions also come back when the assumptions do.
#include "bnnplan/maxsat/assuming_oracle.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace bnnplan::maxsat {

void AssumingOracle::begin_search(std::span<const Lit> assumptions) {
  assumed_.assign(assumptions.begin(), assumptions.end());
  assumed_codes_.clear();
  for (const Lit literal : assumed_) assumed_codes_.insert(literal.code);
  improving_.reset();
}

void AssumingOracle::end_search() {
  if (improving_) oracle_.add({~*improving_});
  improving_.reset();
}

bool AssumingOracle::holds(const Condition& condition) const {
  return std::all_of(condition.begin(), condition.end(),
                     [&](Lit literal) { return assumed_codes_.count(literal.code) != 0; });
}

std::vector<KnownCore> AssumingOracle::known_cores() const {
  std::vector<KnownCore> known;
  for (const KeptCore& core : kept_) {
    if (!holds(core.condition)) continue;
    const auto first_open = std::find_if(core.counts.begin(), core.counts.end(),
                                         [&](const Condition& condition) { return !holds(condition); });
    known.push_back({core.literals, 1 + static_cast<std::size_t>(first_open - core.counts.begin())});
  }
  return known;
}

SatAnswer AssumingOracle::solve(std::span<const Lit> assumptions, std::optional<int> conflict_limit) {
  core_.clear();
  all_assumptions_ = assumed_;
  if (improving_) all_assumptions_.push_back(*improving_);
  all_assumptions_.insert(all_assumptions_.end(), assumptions.begin(), assumptions.end());
  const SatAnswer answer = oracle_.solve(all_assumptions_, conflict_limit);
  if (answer != SatAnswer::unsatisfiable) return answer;
  condition_.clear();
  for (const Lit literal : oracle_.core()) {
    const bool given = assumed_codes_.count(literal.code) != 0 || literal == improving_;
    (given ? condition_ : core_).push_back(literal);
  }
  // The same literal may be assumed by the search and by its caller.
  std::sort(condition_.begin(), condition_.end());
  condition_.erase(std::unique(condition_.begin(), condition_.end()), condition_.end());
  return answer;
}

AssumingOracle::KeptCore* AssumingOracle::find(std::span<const Lit> literals) {
  std::vector<Lit> sorted(literals.begin(), literals.end());
  std::sort(sorted.begin(), sorted.end());
  const auto found = kept_by_literals_.find(sorted);
  return found == kept_by_literals_.end() ? nullptr : &kept_[found->second];
}

// Compares two conditions of the same fact; the first holds now.
bool AssumingOracle::is_better(const Condition& now, const Condition& before) const {
  return !holds(before) || now.size() < before.size();
}

// Called after the answer that produced the core: condition_ is its condition.
void AssumingOracle::took_core(std::span<const Lit> cost_literals, formats::Weight /*weight*/) {
  if (KeptCore* known = find(cost_literals)) {
    if (is_better(condition_, known->condition)) known->condition = condition_;
    return;
  }
  KeptCore core;
  core.literals.assign(cost_literals.begin(), cost_literals.end());
  core.condition = condition_;
  std::vector<Lit> sorted = core.literals;
  std::sort(sorted.begin(), sorted.end());
  kept_by_literals_.emplace(std::move(sorted), kept_.size());
  kept_.push_back(std::move(core));
}

void AssumingOracle::add_under(const Condition& condition, std::span<const Lit> clause) {
  std::vector<Lit> whole(clause.begin(), clause.end());
  for (const Lit literal : condition) whole.push_back(~literal);
  oracle_.add(whole);
}

void AssumingOracle::add_core(std::span<const Lit> cost_literals) {
  const KeptCore* core = find(cost_literals);
  if (core == nullptr) throw std::logic_error("a core that was never taken");
  add_under(core->condition, cost_literals);
}

CoreOracle::Counter AssumingOracle::add_counter(std::span<const Lit> inputs) {
  KeptCore* core = find(inputs);
  if (core == nullptr) throw std::logic_error("a counter without a core");
  if (!core->counter) {
    core->counter = oracle_.add_counter(inputs);
    kept_by_counter_.emplace(core->counter->index, static_cast<std::size_t>(core - kept_.data()));
  }
  return *core->counter;
}

void AssumingOracle::add_count(const Counter& counter, std::size_t count) {
  const Lit output = oracle_.output(counter, count);
  add_under(condition_, {&output, 1});
  std::vector<Condition>& counts = kept_[kept_by_counter_.at(counter.index)].counts;
  if (counts.size() < count - 1) counts.resize(count - 1, condition_);
  if (is_better(condition_, counts[count - 2])) counts[count - 2] = condition_;
}

void AssumingOracle::exclude(Lit cost_literal) {
  if (!improving_) {
    improving_ = oracle_.new_variable();
    oracle_.freeze(*improving_);
  }
  oracle_.add({~cost_literal, ~*improving_});
}

CoreOracle::BoundedSum AssumingOracle::add_bounded_sum(std::vector<CostTerm> /*terms*/,
                                                       formats::Weight /*largest*/) {
  throw std::logic_error("a bounded sum cannot be retracted");
}

void AssumingOracle::tighten(const BoundedSum& /*sum*/, formats::Weight /*largest*/) {
  throw std::logic_error("a bounded sum cannot be retracted");
}

}  // namespace bnnplan::maxsat

// The loop: propagate, learn from conflicts, restart, decide. Assumptions are the first decisions.
#include <cassert>

#include "cdcl/solver.hpp"

namespace bnnplan {

namespace {

constexpr std::uint64_t propagations_between_looks = 10'000;

}  // namespace

Answer Solver::solve(std::span<const Lit> assumptions, std::uint64_t most_conflicts) {
  assert(level() == 0);
  core_.clear();
  assumptions_.assign(assumptions.begin(), assumptions.end());
  const std::uint64_t conflicts_at_start = statistics_.conflicts;
  if (!settle_root()) return Answer::unsatisfiable;
  if (watch_.should_stop()) return Answer::unknown;
  const auto stopped = [&] {
    if (statistics_.propagations < next_look_) return false;
    next_look_ = statistics_.propagations + propagations_between_looks;
    return watch_.should_stop() || watch_.exceeds_memory(bytes()) || (pause && pause());
  };
  while (true) {
    if (!propagate()) {
      if (level() == 0) {
        inconsistent_ = true;
        ++statistics_.conflicts;
        return Answer::unsatisfiable;
      }
      analyze();
      learn();
      decay();
      // One conflict may follow the other for long, and each take long.
      if (watch_.should_stop()) {
        backtrack(0);
        return Answer::unknown;
      }
      continue;
    }
    assert(counted_ == trail_.size() && clause_head_ == trail_.size());
#ifndef NDEBUG
    check_now_and_then();
#endif
    if (level() == 0 && !settle_root()) return Answer::unsatisfiable;
    if (stopped() || statistics_.conflicts - conflicts_at_start >= most_conflicts) {
      backtrack(0);
      return Answer::unknown;
    }
    if (restart_is_due()) {
      backtrack(0);
      restarted();
      if (options_.order == DecisionOrder::mixed && statistics_.conflicts >= next_switch_) {
        by_activity_ = !by_activity_;
        switch_length_ += switch_length_ / 4;
        next_switch_ = statistics_.conflicts + switch_length_;
      }
      continue;
    }
    if (statistics_.conflicts >= next_reduce_ && options_.reduce) reduce();
    Lit decision = no_literal;
    while (level() < assumptions_.size()) {
      const Lit assumption = assumptions_[level()];
      if (value(assumption) > 0) {
        level_starts_.push_back(trail_.size());  // holds already: a level without a decision
      } else if (value(assumption) < 0) {
        analyze_assumptions(~assumption);
        core_[0] = assumption;
        backtrack(0);
        return Answer::unsatisfiable;
      } else {
        decision = assumption;
        break;
      }
    }
    if (decision == no_literal) decision = next_decision();
    if (decision == no_literal) {
      assert(trail_.size() == variable_count());
      model_ = values_;
      backtrack(0);
      return Answer::satisfiable;
    }
    assert(value(decision) == 0 && level() <= trail_.size() + assumptions_.size());
    ++statistics_.decisions;
    level_starts_.push_back(trail_.size());
    enqueue(decision, {});
  }
}

}  // namespace bnnplan

// The loop: propagate, learn from conflicts, restart, decide.
//
// All assumptions together are one level, the first. With a level for each of them, as in the textbooks, most
// conflicts would go back among them, and each of hundreds would be decided and propagated again; here they
// stay in place until a call ends or a literal is fixed for good. A conflict on that level is a core.
#include <cassert>

#include "bnnplan/cdcl/solver.hpp"

namespace bnnplan::cdcl {

namespace {

constexpr std::uint64_t propagations_between_looks = 10'000;

// Marks literals during its lifetime.
class Marks {
 public:
  Marks(const std::vector<Lit>& literals, std::vector<std::uint8_t>& marks)
      : literals_(literals), marks_(marks) {
    for (const Lit literal : literals_) marks_[literal.code] = 1;
  }
  ~Marks() {
    for (const Lit literal : literals_) marks_[literal.code] = 0;
  }
  Marks(const Marks&) = delete;
  Marks& operator=(const Marks&) = delete;

 private:
  const std::vector<Lit>& literals_;
  std::vector<std::uint8_t>& marks_;
};

}  // namespace

SolverStatistics& SolverStatistics::operator+=(const SolverStatistics& other) {
  conflicts += other.conflicts;
  decisions += other.decisions;
  propagations += other.propagations;
  restarts += other.restarts;
  learned_literals += other.learned_literals;
  removed_literals += other.removed_literals;
  learned_levels += other.learned_levels;
  deleted_clauses += other.deleted_clauses;
  return *this;
}

bool Solver::assume() {
  assert(level() == 0 && core_.empty());
  const Marks assumed(assumptions_, assumed_);
  level_starts_.push_back(trail_.size());
  std::size_t looked_at = 0;
  for (const Lit assumption : assumptions_) {
    if (value(assumption) == 0) enqueue(assumption, {});
    const bool fine = propagate();
    // An assumption that is already false before its turn gives a shorter core than what the others would
    // make of it by then.
    for (; looked_at < trail_.size(); ++looked_at) {
      const Lit literal = trail_[looked_at];
      if (assumed_[(~literal).code] == 0) continue;
      const Lit failed = ~literal;
      analyze_assumptions({&failed, 1});
      core_.push_back(failed);
      return false;
    }
    if (fine) continue;
    ++statistics_.conflicts;
    analyze_assumptions(conflict_);
    return false;
  }
  return true;
}

SatAnswer Solver::solve(std::span<const Lit> assumptions, std::uint64_t most_conflicts) {
  assert(level() == 0);
  core_.clear();
  assumptions_.assign(assumptions.begin(), assumptions.end());
  const std::uint64_t conflicts_at_start = statistics_.conflicts;
  if (!settle_root()) return SatAnswer::unsatisfiable;
  if (watch_.should_stop()) return SatAnswer::unknown;
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
        return SatAnswer::unsatisfiable;
      }
      if (level() == 1 && !assumptions_.empty()) {
        ++statistics_.conflicts;
        analyze_assumptions(conflict_);
        backtrack(0);
        return SatAnswer::unsatisfiable;
      }
      analyze();
      learn();
      decay();
      // There may be a long series of conflicts, each of which takes long.
      if (watch_.should_stop()) {
        backtrack(0);
        return SatAnswer::unknown;
      }
      continue;
    }
    assert(counted_ == trail_.size() && clause_head_ == trail_.size());
#ifndef NDEBUG
    check_now_and_then();
#endif
    if (level() == 0 && !settle_root()) return SatAnswer::unsatisfiable;
    if (stopped() || statistics_.conflicts - conflicts_at_start >= most_conflicts) {
      backtrack(0);
      return SatAnswer::unknown;
    }
    if (restart_is_due()) {
      back_to_assumptions();
      restarted();
      continue;
    }
    if (statistics_.conflicts >= next_reduce_) reduce();
    if (level() == 0 && !assumptions_.empty() && !assume()) {
      backtrack(0);
      return SatAnswer::unsatisfiable;
    }
    const Lit decision = next_decision();
    if (decision == no_literal) {
      assert(trail_.size() == variable_count());
      model_ = values_;
      backtrack(0);
      return SatAnswer::satisfiable;
    }
    assert(value(decision) == 0 && level() <= trail_.size() + 1);
    ++statistics_.decisions;
    level_starts_.push_back(trail_.size());
    enqueue(decision, {});
  }
}

}  // namespace bnnplan::cdcl

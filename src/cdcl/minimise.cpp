// Shorter learned clauses. A literal is redundant if it follows from the others of the clause (Sorensson and
// Biere). For neurons the question is reversed: are enough of its inputs in the clause already? explain()
// answers it by itself, because it prefers literals that are.
//
// Not if clauses mention only states and actions: then a state follows from others through hundreds of hidden
// neurons of the step before it, and hardly ever from what is in the clause. Asking took 7.1 s instead of 5.5
// and 6.1 s on learned sysadmin 8 (a busy machine, the same conflicts), for 21.5 literals a clause instead of
// 21.9.
#include <cassert>
#include <vector>

#include "bnnplan/cdcl/solver.hpp"

namespace bnnplan::cdcl {

namespace {

constexpr int most_depth = 12;

}  // namespace

bool Solver::is_redundant(Lit literal, int depth) {
  assert(value(literal) < 0);
  const std::uint32_t v = literal.var().index;
  if (reasons_[v].kind == Reason::Kind::none || depth > most_depth) return false;
  if (reasons_[v].kind == Reason::Kind::neuron && !options_.cores) return false;
  std::vector<Lit> reason;
  explain(~literal, reason);
  for (const Lit cause : reason) {
    const std::uint32_t c = cause.var().index;
    if (levels_[c] == 0 || seen_[c] == 1 || seen_[c] == 2) continue;
    if (seen_[c] == 3 || level_marks_[levels_[c]] != level_mark_) return false;
  }
  for (const Lit cause : reason) {
    const std::uint32_t c = cause.var().index;
    if (levels_[c] == 0 || seen_[c] == 1 || seen_[c] == 2) continue;
    const bool redundant = is_redundant(cause, depth + 1);
    assert(seen_[c] != 1 && seen_[c] != 2);
    if (seen_[c] == 0) marked_.push_back(cause);
    seen_[c] = redundant ? 2 : 3;
    if (!redundant) return false;
  }
  return true;
}

void Solver::minimise() {
  count_levels(learned_);  // marks the levels
  std::erase_if(learned_, [&](Lit literal) { return literal != learned_[0] && is_redundant(literal, 0); });
}

}  // namespace bnnplan::cdcl

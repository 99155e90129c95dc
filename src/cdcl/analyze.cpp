// Learning: from a conflict back to the first unique implication point (Marques-Silva and Sakallah; Moskewicz
// et al.), and further: hidden neurons are resolved away on every level, so that a learned clause mentions
// only states, actions and auxiliaries, however that state was reached.
//
// Reasons of neurons and rows are chosen here, when they are needed: literals fixed at the root are free,
// literals that are in the clause anyway cost nothing, then the earliest are chosen. The inputs of a layer
// that cost nothing are kept as bits, so that most reasons of neurons take two words, an AND and a popcount.
//
// Measured: reasons by bits instead of by walking over inputs brought the 45 published problems from 15 to
// 7 s, because three quarters of all time went into reasons. Resolving hidden neurons away saves a tenth of
// the time and no conflicts. Taking the earliest literals or any others makes no difference: few reasons have
// a choice left after those that cost nothing.
#include <algorithm>
#include <cassert>

#include "bnnplan/cdcl/proof_sink.hpp"
#include "bnnplan/cdcl/solver.hpp"

namespace bnnplan::cdcl {

void Solver::explain(Lit implied, std::vector<Lit>& reason) {
  const Reason& why = reasons_[implied.var().index];
  assert(value(implied) > 0 && why.kind != Reason::Kind::none);
  reason.clear();
  const std::uint32_t place = place_of(implied);
  switch (why.kind) {
    case Reason::Kind::clause:
      assert(clauses_.literals(why.a)[0] == implied && !clauses_.deleted(why.a));
      for (const Lit literal : clauses_.literals(why.a)) {
        if (literal != implied) reason.push_back(literal);
      }
      if (clauses_.learned(why.a)) clauses_.set_used(why.a, 2);
      break;
    case Reason::Kind::neuron:
      explain_neuron(why.a, why.b, implied, place, reason);
      break;
    case Reason::Kind::row:
      explain_row(why.a, coefficient_of(why.a, implied), place, reason);
      break;
    case Reason::Kind::none:
      break;
  }
  assert(follows(why, implied, reason));
}

std::uint32_t Solver::count_levels(std::span<const Lit> literals) {
  ++level_mark_;
  level_marks_.resize(std::max<std::size_t>(level_marks_.size(), level() + 1), 0);
  std::uint32_t levels = 0;
  for (const Lit literal : literals) {
    std::uint32_t& mark = level_marks_[level_of(literal)];
    levels += mark != level_mark_ ? 1 : 0;
    mark = level_mark_;
  }
  return levels;
}

void Solver::analyze() {
  assert(level() > 0 && marked_.empty());
  learned_.assign(1, no_literal);
  std::size_t at = trail_.size();
  std::uint32_t open = 0, hidden_below = 0;
  reason_ = conflict_;
  const std::size_t level_start = level_starts_.back();
  while (true) {
    for (const Lit literal : reason_) {
      const std::uint32_t v = literal.var().index;
      assert(value(literal) < 0);
      if (seen_[v] != 0 || levels_[v] == 0) continue;
      seen_[v] = 1;
      for (const LayerPlace place : input_places_[v]) layers_[place.layer].set_free(place.index);
      marked_.push_back(literal);
      bump(literal.var());
      if (levels_[v] == level()) {
        ++open;
      } else if (resolved_always(v)) {
        ++hidden_below;
      } else {
        learned_.push_back(literal);
      }
    }
    assert(open > 0 || learned_[0] != no_literal);  // every reason has a literal of the level of the conflict
    if (open == 0 && hidden_below == 0) break;
    do {
      assert(at > level_starts_[0]);
      --at;
    } while (seen_[trail_[at].var().index] != 1);
    const Lit implied = trail_[at];
    const std::uint32_t v = implied.var().index;
    // From here on it is later than the literal being explained, and cannot be part of a reason.
    for (const LayerPlace place : input_places_[v]) layers_[place.layer].clear_free(place.index);
    const bool resolve_hidden = resolved_always(v);
    if (at >= level_start) {
      assert(open > 0);
      if (--open == 0 && !resolve_hidden) {
        learned_[0] = ~implied;
        reason_.clear();
        continue;
      }
    } else {
      reason_.clear();
      if (!resolve_hidden) continue;
      assert(hidden_below > 0);
      --hidden_below;
    }
    explain(implied, reason_);
    seen_[v] = 4;  // resolved away: no longer part of the clause
  }
  for (const Lit literal : learned_) {
    for (const LayerPlace place : input_places_[literal.var().index])
      layers_[place.layer].clear_free(place.index);
  }
  assert(is_asserting(learned_));
  const std::size_t before = learned_.size();
  minimise();
  assert(learned_.size() <= before);
  statistics_.removed_literals += before - learned_.size();
  for (const Lit literal : marked_) seen_[literal.var().index] = 0;
  marked_.clear();
}

// Finds the assumptions that imply that all causes are false: back to decisions only.
void Solver::analyze_assumptions(std::span<const Lit> causes) {
  assert(level() == 1);
  const auto mark = [&](std::span<const Lit> literals) {
    for (const Lit literal : literals) {
      assert(value(literal) < 0);
      if (level_of(literal) > 0) seen_[literal.var().index] = 1;
    }
  };
  mark(causes);
  for (std::size_t at = trail_.size(); at-- > level_starts_[0];) {
    const Lit literal = trail_[at];
    const std::uint32_t v = literal.var().index;
    if (seen_[v] == 0) continue;
    seen_[v] = 0;
    if (reasons_[v].kind == Reason::Kind::none) {
      assert(std::find(assumptions_.begin(), assumptions_.end(), literal) != assumptions_.end());
      core_.push_back(literal);
    } else {
      explain(literal, reason_);
      mark(reason_);
    }
  }
}

void Solver::learn() {
  assert(is_asserting(learned_));
  ++statistics_.conflicts;
  statistics_.learned_literals += learned_.size();
  const std::uint32_t lbd = count_levels(learned_);
  assert(lbd >= 1 && lbd <= learned_.size() && lbd <= level());
  statistics_.learned_levels += lbd;
  average_levels(lbd);
  const std::uint64_t proof_number = proof_ != nullptr ? proof_->add_clause(learned_) : 0;
  if (shared_variables_ > 0) offer_learned(lbd);
  if (learned_.size() == 1) {
    backtrack(0);
    enqueue(learned_[0], {});
    return;
  }
  const auto second = std::max_element(learned_.begin() + 1, learned_.end(),
                                       [&](Lit a, Lit b) { return level_of(a) < level_of(b); });
  std::iter_swap(learned_.begin() + 1, second);
  backtrack(level_of(learned_[1]));
  assert(value(learned_[0]) == 0 && value(learned_[1]) < 0 && level_of(learned_[1]) == level());
  const ClauseRef ref = attach_clause(learned_, true, lbd, proof_number);
  clauses_.set_used(ref, 1);
  enqueue(learned_[0], {Reason::Kind::clause, ref, 0});
}

}  // namespace bnnplan::cdcl

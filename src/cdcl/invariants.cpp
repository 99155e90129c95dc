// Invariants, for builds with assertions; a release contains none of this. Reasons and learned clauses are
// checked whenever one is made. The whole state (every counter of every layer counted again, every watch,
// every slack, and that nothing was left to propagate) is checked when propagation is complete, but only once
// propagations have been as much work as the check itself, so that a run with assertions takes only a few
// times as long as one without, whatever its size.
#ifndef NDEBUG

#include <algorithm>
#include <cassert>

#include "bnnplan/cdcl/solver.hpp"

namespace bnnplan::cdcl {

namespace {

constexpr std::size_t bytes_per_propagation = 32;  // of the state that a check covers

bool has(std::span<const Lit> literals, Lit literal) {
  return std::find(literals.begin(), literals.end(), literal) != literals.end();
}

}  // namespace

// Whether the constraint is violated if `implied`, all of `reason` and everything false at the root are
// false, and the reason precedes what it implies. A neuron's reason leaves out what is in the clause that is
// being learned anyway.
bool Solver::follows(const Reason& why, Lit implied, std::span<const Lit> reason) const {
  for (const Lit literal : reason) {
    if (value(literal) >= 0 || literal == implied) return false;
    if (implied != no_literal && place_of(literal) >= place_of(implied)) return false;
  }
  const auto in_clause = [&](Lit literal) {
    return value(literal) < 0 && seen_[literal.var().index] == 1 && implied != no_literal &&
           place_of(literal) < place_of(implied);
  };
  const auto is_false = [&](Lit literal) {
    return literal == implied || root_value(literal) < 0 || has(reason, literal) ||
           (why.kind == Reason::Kind::neuron && in_clause(literal));
  };
  switch (why.kind) {
    case Reason::Kind::clause: {
      const std::span<const Lit> literals = clauses_.literals(why.a);
      return std::all_of(literals.begin(), literals.end(), is_false);
    }
    case Reason::Kind::neuron: {
      const NeuronLayer& layer = layers_[why.a];
      const LayerWeights::Row& row = layer.row(why.b);
      std::int32_t true_inputs = 0, false_inputs = 0;
      for (const Lit over_columns : layer.inputs(why.b)) {
        const Lit input = layer.input(over_columns);
        true_inputs += is_false(~input) ? 1 : 0;
        false_inputs += is_false(input) ? 1 : 0;
      }
      const Lit output = layer.output(why.b);
      return (is_false(output) && true_inputs >= row.threshold) ||
             (is_false(~output) && false_inputs > row.size() - row.threshold);
    }
    case Reason::Kind::row: {
      const Row& row = rows_[why.a];
      std::int64_t most = 0;
      for (const WeightedLit& term : row.terms) most += is_false(term.literal) ? 0 : term.coefficient;
      return most < row.bound;
    }
    case Reason::Kind::none:
      return false;
  }
  return false;
}

// The first literal is the only one of this level, the others are of levels between the root and this one;
// all are false, no variable occurs twice, and hidden neurons occur only if they were decided.
bool Solver::is_asserting(std::span<const Lit> clause) const {
  if (clause.empty() || level_of(clause[0]) != level()) return false;
  std::vector<Var> variables;
  for (const Lit literal : clause) {
    const std::uint32_t v = literal.var().index;
    if (value(literal) >= 0 || levels_[v] == 0 || resolved_always(v)) return false;
    if (literal != clause[0] && levels_[v] >= level()) return false;
    variables.push_back(literal.var());
  }
  std::sort(variables.begin(), variables.end());
  return std::adjacent_find(variables.begin(), variables.end()) == variables.end();
}

void Solver::check_now_and_then() {
  if (statistics_.propagations < next_check_) return;
  next_check_ = statistics_.propagations + bytes() / bytes_per_propagation;
  check_trail();
  check_clauses();
  check_layers();
  check_rows();
  check_decisions();
}

void Solver::check_trail() const {
  assert(trail_.size() <= variable_count());
  assert(clause_head_ == trail_.size() && counted_ == trail_.size());
  assert(logged_units_ <= trail_.size());
  assert(std::is_sorted(level_starts_.begin(), level_starts_.end()));
  assert(level_starts_.empty() || level_starts_.back() <= trail_.size());
  std::uint32_t on_level = 0;
  for (std::size_t i = 0; i < trail_.size(); ++i) {
    while (on_level < level() && level_starts_[on_level] <= i) ++on_level;
    const Lit literal = trail_[i];
    const std::uint32_t v = literal.var().index;
    assert(value(literal) == 1 && value(~literal) == -1);
    assert(places_[v] == i && stamps_[literal.code] == i + 1 && stamps_[(~literal).code] == absent);
    assert(levels_[v] == on_level);
    const Reason& reason = reasons_[v];
    // Decisions have no reason, and begin their level, or are assumptions; fixed literals may have been
    // given.
    if (on_level > 0) {
      const bool assumed =
          on_level == 1 && std::find(assumptions_.begin(), assumptions_.end(), literal) != assumptions_.end();
      const bool decision =
          on_level == 1 && !assumptions_.empty() ? assumed : level_starts_[on_level - 1] == i;
      assert(reason.kind != Reason::Kind::none || decision);
      assert(assumed || !decision || reason.kind == Reason::Kind::none);
    }
    if (reason.kind == Reason::Kind::clause && on_level > 0) {
      const std::span<const Lit> literals = clauses_.literals(reason.a);
      assert(literals[0] == literal && follows(reason, literal, literals.subspan(1)));
    }
  }
  std::size_t assigned = 0;
  for (std::uint32_t v = 0; v < variable_count(); ++v) {
    assert(values_[2 * v] == -values_[2 * v + 1]);
    assigned += values_[2 * v] != 0 ? 1 : 0;
    assert(seen_[v] == 0);
  }
  assert(assigned == trail_.size());
  assert(marked_.empty());
}

void Solver::check_clauses() const {
  assert(clauses_.wasted() <= clauses_.words());
  std::size_t watches = 0;
  for (std::uint32_t code = 0; code < watches_.size(); ++code) {
    watches += watches_[code].size();
    for (const Watch& watch : watches_[code]) {
      assert(!clauses_.deleted(watch.clause));
      const std::span<const Lit> literals = clauses_.literals(watch.clause);
      const Lit watched = ~Lit{code};
      assert(literals[0] == watched || literals[1] == watched);
      assert(watch.blocker != watched && has(literals, watch.blocker));
      // Otherwise there would have been something to propagate.
      assert(value(watched) >= 0 ||
             std::any_of(literals.begin(), literals.end(), [&](Lit other) { return value(other) > 0; }));
    }
  }
  assert(watches == 2 * (problem_clauses_.size() + learned_clauses_.size()));
  for (const ClauseRef ref : problem_clauses_) assert(!clauses_.learned(ref) && !clauses_.deleted(ref));
  for (const ClauseRef ref : learned_clauses_) {
    assert(clauses_.learned(ref) && !clauses_.deleted(ref));
    assert((proof_ == nullptr) == (clauses_.proof_number(ref) == 0));
  }
}

void Solver::check_layers() const {
  for (const NeuronLayer& layer : layers_) {
    const LayerWeights& weights = layer.weights();
    assert(weights.columns == layer.columns().size() && weights.rows.size() <= weights.width);
    for (std::uint32_t column = 0; weights.dense && column < weights.columns; ++column) {
      const bool free = (layer.free_inputs(column / 64) >> column % 64 & 1) != 0;
      assert(free == (root_value(Lit::positive(layer.columns()[column])) != 0));
    }
    for (std::uint32_t neuron = 0; neuron < layer.size(); ++neuron) {
      const LayerWeights::Row& row = layer.row(neuron);
      std::int32_t true_inputs = 0, false_inputs = 0;
      for (const Lit over_columns : layer.inputs(neuron)) {
        true_inputs += value(layer.input(over_columns)) > 0 ? 1 : 0;
        false_inputs += value(layer.input(over_columns)) < 0 ? 1 : 0;
      }
      assert(layer.true_inputs(neuron) == true_inputs);
      assert(layer.false_inputs(neuron) == false_inputs);
      // The four rules have been applied.
      const int output = value(layer.output(neuron));
      const bool all_known = true_inputs + false_inputs == row.size();
      assert(output > 0 || true_inputs < row.threshold);
      assert(output < 0 || false_inputs <= row.size() - row.threshold);
      assert(output <= 0 || false_inputs < row.size() - row.threshold || all_known);
      assert(output >= 0 || true_inputs < row.threshold - 1 || all_known);
      if (output == 0) {
        assert(layer.limit(NeuronLayer::Side::enough, neuron) == row.threshold);
        assert(layer.limit(NeuronLayer::Side::too_few, neuron) == row.size() - row.threshold + 1);
      }
    }
  }
}

void Solver::check_rows() const {
  for (const Row& row : rows_) {
    std::int64_t slack = -row.bound;
    for (const WeightedLit& term : row.terms) slack += value(term.literal) < 0 ? 0 : term.coefficient;
    assert(row.slack == slack && slack >= 0);
    for (std::size_t i = 0; i < row.terms.size(); ++i) {
      const auto& [coefficient, literal] = row.terms[i];
      assert(coefficient > 0 && coefficient <= row.largest);
      assert(i == 0 || coefficient <= row.terms[i - 1].coefficient);
      assert(value(literal) != 0 || coefficient <= slack);  // otherwise it would have been implied
    }
  }
}

void Solver::check_decisions() const {
  assert(heap_.in_order());
  assert(order_head_ <= order_.size() && rest_head_ <= variable_count());
  for (std::size_t i = 0; i < order_head_; ++i) assert(values_[2 * order_[i].index] != 0);
  for (std::size_t v = 0; v < rest_head_; ++v) assert(values_[2 * v] != 0);
  for (std::uint32_t v = 0; v < variable_count(); ++v)
    assert(decidable_[v] == 0 || values_[2 * v] != 0 || heap_.contains({v}));
}

}  // namespace bnnplan::cdcl

#endif

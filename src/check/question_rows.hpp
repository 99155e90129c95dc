#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include <gmpxx.h>

#include "bnnplan/check/pb_formula.hpp"
#include "bnnplan/network/network.hpp"
#include "bnnplan/query/property.hpp"

namespace bnnplan::checking {

using Terms = std::vector<PbConstraint::Term>;

// What a neuron or a score reads: a literal, or a constant.
struct ReadBit {
  std::optional<Lit> literal;
  bool value = false;  // of the constant
};

// scale * (agreeing - others) + bias, where `agreeing` of these literals are true.
struct ScoreSum {
  std::vector<Lit> literals;
  mpq_class scale, bias;

  friend bool operator==(const ScoreSum&, const ScoreSum&) = default;
};

// terms >= bound
struct SumRow {
  Terms terms;
  std::int64_t bound = 0;
};

// The parts of which formulas of questions are made.
class QuestionRows {
 public:
  PbFormula formula;

  Lit new_variable() { return Lit::positive({formula.variables++}); }
  void add(const Terms& terms, std::int64_t bound) {
    add_constraint(formula, normal_constraint(terms, bound));
  }
  // A row that need not hold if `unless` is true.
  void add_unless(SumRow row, std::optional<Lit> unless);

  // A property, from a node down. Each part of an "any" has a variable that says that it is chosen to hold;
  // `row_of` makes the row of a condition.
  template <class Condition>
  void add_property(const verification::PropertyOf<Condition>& property, std::uint32_t node,
                    const std::function<SumRow(const Condition&)>& row_of,
                    std::optional<Lit> unless = std::nullopt) {
    using Kind = typename verification::PropertyOf<Condition>::Kind;
    const auto& here = property.nodes[node];
    if (here.kind == Kind::condition) return add_unless(row_of(property.conditions[here.condition]), unless);
    Terms chosen;
    for (const std::uint32_t child : here.children) {
      if (here.kind == Kind::any) chosen.push_back({1, new_variable()});
      add_property(property, child, row_of, here.kind == Kind::any ? ~chosen.back().literal : unless);
    }
    if (here.kind == Kind::all) return;
    if (unless) chosen.push_back({1, *unless});
    add(chosen, 1);
  }

  // The neurons of one network above these bits, each a variable; returns the scores above them. The outputs
  // of a network that is not a classifier are scores of 0 and 1.
  std::vector<ScoreSum> add_network(const Network& network, const std::vector<Lit>& inputs);

  // Two networks, layer by layer. Here neurons that are constant have no variable, and a neuron of the second
  // that equals one of the first in the same layer, or its opposite, has that one's, but no two have the
  // same. The network with fewer layers hands its bits on.
  std::pair<std::vector<ScoreSum>, std::vector<ScoreSum>> add_networks(const Network& first,
                                                                       std::vector<ReadBit> first_inputs,
                                                                       const Network& second,
                                                                       std::vector<ReadBit> second_inputs);

 private:
  // y <-> at least `threshold` of the literals, for a new variable y.
  Lit add_neuron(const std::vector<Lit>& literals, std::int64_t threshold);

  using Definition = std::pair<std::vector<Lit>, std::int64_t>;  // literals and threshold
  std::vector<ReadBit> add_layer(const Layer& layer, const std::vector<ReadBit>& bits, bool is_second);
  std::multimap<Definition, Lit> unpaired_;  // neurons of the first network in the current layer
};

// "factor * winner - loser_factor * loser >= bound", or >, in small integers: p a - q c >= r, where a and c
// are the numbers of agreeing literals, which is true for the same a and c. p / q is the first convergent of
// the ratio of the scales that allows this. Requires positive scales and factors.
struct ScoreComparison {
  const ScoreSum &winner, &loser;
  bool strict = false;
  mpq_class factor = 1, loser_factor = 1, bound = 0;
};
SumRow comparison_row(const ScoreComparison& comparison);

// For every number of agreeing literals of the loser: how many of the winner's are necessary; one more than
// it has if none suffices.
std::vector<std::int64_t> necessary_agreeing(const ScoreComparison& comparison);

// The largest number of which all of these are multiples; 1 if all are 0.
mpq_class common_unit(const std::vector<mpq_class>& numbers);

// Throws OverflowError if it does not fit into 64 bits.
std::int64_t small_integer(const mpz_class& number);

}  // namespace bnnplan::checking

// The formula of a question. A bit of the input is the variable of its flip, or its negation if the bit is 1 as it is, so
// that the objective has no constant. A neuron is two constraints; a comparison is one, which is lifted by the least
// value of its sum where only some have to hold:
//
//   p agreeing(winner) - q agreeing(loser) + (bound - least) ~chosen >= bound
#include "verify/question_formula.hpp"

#include <algorithm>
#include <cassert>

#include <fmt/format.h>

#include "base/checked.hpp"
#include "network/reference_inference.hpp"

namespace bnnplan {

namespace {

using Term = PbConstraint::Term;

// Costs without repetition, rising.
std::vector<std::int64_t> cost_levels(const FlipQuestion& question) {
  std::vector<std::int64_t> levels;
  for (const Flip& flip : question.flips) {
    if (levels.empty() || flip.cost > levels.back()) levels.push_back(flip.cost);
  }
  return levels;
}

bool has_levels(const FlipQuestion& question) { return question.largest && !question.budget; }

class FormulaWriter {
 public:
  explicit FormulaWriter(const FlipQuestion& question) : question_(question) {}

  PbFormula write() {
    formula_.has_objective = !question_.budget;
    add_inputs();
    for (const Layer& layer : question_.network->layers) add_layer(layer);
    add_comparisons();
    add_costs();
    return std::move(formula_);
  }

 private:
  Lit new_variable() { return Lit::positive({formula_.variables++}); }
  void add(const std::vector<Term>& terms, std::int64_t bound) {
    add_constraint(formula_, normal_constraint(terms, bound));
  }

  void add_inputs() {
    std::vector<bool> can_flip(question_.bits.size());
    for (const Flip& flip : question_.flips) can_flip[flip.input] = true;
    for (std::size_t i = 0; i < question_.bits.size(); ++i) {
      const Lit flipped = new_variable();
      bits_.push_back(question_.bits[i] != 0 ? ~flipped : flipped);
      if (!can_flip[i]) add({{1, ~flipped}}, 1);
    }
  }

  // Literals that are true where an input of the layer agrees with its weight.
  std::vector<Lit> agreeing(const std::vector<std::int8_t>& weights) const {
    std::vector<Lit> literals;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      if (weights[i] != 0) literals.push_back(weights[i] > 0 ? bits_[i] : ~bits_[i]);
    }
    return literals;
  }

  void add_layer(const Layer& layer) {
    std::vector<Lit> outputs;
    for (const Neuron& neuron : layer.neurons) {
      const Lit output = new_variable();
      outputs.push_back(output);
      const std::vector<Lit> inputs = agreeing(neuron.weights);
      const auto size = static_cast<std::int64_t>(inputs.size());
      if (neuron.threshold <= 0 || neuron.threshold > size) {
        add({{1, neuron.threshold <= 0 ? output : ~output}}, 1);
        continue;
      }
      std::vector<Term> reached{{neuron.threshold, ~output}}, missed{{size - neuron.threshold + 1, output}};
      for (const Lit input : inputs) {
        reached.push_back({1, input});
        missed.push_back({1, ~input});
      }
      add(reached, neuron.threshold);
      add(missed, size - neuron.threshold + 1);
    }
    bits_ = std::move(outputs);
  }

  void add_comparisons() {
    std::vector<Term> chosen;
    for (const ScoreComparison& comparison : question_.comparisons) {
      const std::vector<Score>& scores = question_.network->scores;
      std::vector<Term> terms;
      std::int64_t least = 0;
      for (const Lit literal : agreeing(scores[comparison.winner].weights))
        terms.push_back({comparison.winner_factor, literal});
      for (const Lit literal : agreeing(scores[comparison.loser].weights)) {
        terms.push_back({-comparison.loser_factor, literal});
        least -= comparison.loser_factor;
      }
      if (!question_.all) {
        const Lit choice = new_variable();
        chosen.push_back({1, choice});
        if (comparison.bound > least) terms.push_back({comparison.bound - least, ~choice});
      }
      add(terms, comparison.bound);
    }
    if (!question_.all) add(chosen, 1);
  }

  void add_costs() {
    if (has_levels(question_)) return add_levels();
    std::vector<Term> terms;
    for (const Flip& flip : question_.flips) terms.push_back({flip.cost, Lit::positive({flip.input})});
    if (!question_.budget) {
      formula_.objective = std::move(terms);
    } else if (!question_.largest) {  // what is too large alone is no flip of the question
      add(negated(std::move(terms)), -*question_.budget);
    }
  }

  void add_levels() {
    const std::vector<std::int64_t> levels = cost_levels(question_);
    std::vector<Lit> reached;
    for (std::size_t k = 0; k < levels.size(); ++k) {
      reached.push_back(new_variable());
      formula_.objective.push_back({levels[k] - (k > 0 ? levels[k - 1] : 0), reached[k]});
      if (k > 0) add({{1, ~reached[k]}, {1, reached[k - 1]}}, 1);
    }
    std::size_t k = 0;
    for (const Flip& flip : question_.flips) {
      while (levels[k] < flip.cost) ++k;
      add({{1, ~Lit::positive({flip.input})}, {1, reached[k]}}, 1);
    }
  }

  const FlipQuestion& question_;
  PbFormula formula_;
  std::vector<Lit> bits_;  // of the layer that was added last
};

}  // namespace

PbFormula question_formula(const FlipQuestion& question) { return FormulaWriter(question).write(); }

BitValues formula_values(const FlipQuestion& question, const FlipSet& set) {
  const Network& network = *question.network;
  BitValues bits = question.bits, values(bits.size());
  for (const std::uint32_t flip : set) {
    const std::uint32_t input = question.flips[flip].input;
    values[input] = 1;
    bits[input] = bits[input] != 0 ? 0 : 1;
  }
  for (const Layer& layer : network.layers) {
    bits = evaluate_layer(layer, bits);
    values.insert(values.end(), bits.begin(), bits.end());
  }
  const auto agreeing = [&](std::uint32_t score) {
    const std::vector<std::int8_t>& weights = network.scores[score].weights;
    std::int64_t count = 0;
    for (std::size_t i = 0; i < bits.size(); ++i) count += weights[i] == (bits[i] != 0 ? 1 : -1) ? 1 : 0;
    return count;
  };
  if (!question.all) {
    for (const ScoreComparison& c : question.comparisons)
      values.push_back(
          c.winner_factor * agreeing(c.winner) - c.loser_factor * agreeing(c.loser) >= c.bound ? 1 : 0);
  }
  if (has_levels(question)) {
    for (const std::int64_t level : cost_levels(question))
      values.push_back(level <= cost_of(question, set) ? 1 : 0);
  }
  return values;
}

FlipSet flips_in(const FlipQuestion& question, const BitValues& values) {
  FlipSet set;
  for (std::uint32_t flip = 0; flip < question.flips.size(); ++flip) {
    if (values[question.flips[flip].input] != 0) set.push_back(flip);
  }
  return set;
}

void write_opb(const PbFormula& formula, const std::vector<std::string>& comments, OutputFile& file) {
  file.write(fmt::format("* #variable= {} #constraint= {}\n", formula.variables, formula.constraints.size()));
  for (const std::string& comment : comments) file.write(fmt::format("* {}\n", printable(comment)));
  std::string line;
  const auto add_terms = [&](const std::vector<Term>& terms) {  // no negated literals: a ~x is a - a x
    std::int64_t moved = 0;
    for (const auto& [coefficient, literal] : terms) {
      const std::int64_t signed_coefficient = literal.negated() ? checked_negate(coefficient) : coefficient;
      if (literal.negated()) moved = checked_add(moved, coefficient);
      fmt::format_to(std::back_inserter(line), "{:+} x{} ", signed_coefficient, literal.var().index + 1);
    }
    return moved;
  };
  if (formula.has_objective) {
    line = "min: ";
    add_terms(formula.objective);  // positive literals
    file.write(line + ";\n");
  }
  for (const PbConstraint& constraint : formula.constraints) {
    line.clear();
    const std::int64_t moved = add_terms(constraint.terms);
    fmt::format_to(std::back_inserter(line), ">= {} ;\n", constraint.bound - moved);
    file.write(line);
  }
}

}  // namespace bnnplan

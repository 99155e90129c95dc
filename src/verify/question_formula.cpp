// The formula of a question. A bit of the input is the variable of its flip, or its negation if the bit is 1
// in the given input, so that the objective has no constant.
#include "bnnplan/verify/question_formula.hpp"

#include <algorithm>
#include <cassert>

#include <fmt/format.h>

#include "bnnplan/base/checked.hpp"
#include "bnnplan/network/reference_inference.hpp"
#include "bnnplan/verify/formula_writer.hpp"

namespace bnnplan::verification {

namespace {

using Term = WeightedLit;

// The distinct costs, ascending.
std::vector<std::int64_t> cost_levels(const FlipQuestion& question) {
  std::vector<std::int64_t> levels;
  for (const Flip& flip : question.flips) {
    if (levels.empty() || flip.cost > levels.back()) levels.push_back(flip.cost);
  }
  return levels;
}

bool has_levels(const FlipQuestion& question) { return question.largest && !question.budget; }

class QuestionWriter : FormulaWriter {
 public:
  explicit QuestionWriter(const FlipQuestion& question) : question_(question) {}

  model::PbFormula write() {
    formula().has_objective = !question_.budget;
    const Network& network = *question_.network;
    add_property(question_.property, network.scores, add_layers(network, add_inputs()));
    add_costs();
    return std::move(formula());
  }

 private:
  std::vector<Lit> add_inputs() {
    std::vector<bool> can_flip(question_.bits.size());
    for (const Flip& flip : question_.flips) can_flip[flip.input] = true;
    std::vector<Lit> bits;
    for (std::size_t i = 0; i < question_.bits.size(); ++i) {
      const Lit flipped = new_variable();
      bits.push_back(question_.bits[i] != 0 ? ~flipped : flipped);
      if (!can_flip[i]) add({{1, ~flipped}}, 1);
    }
    for (const auto& [one, other] : question_.implications) add({{1, ~bits[one]}, {1, bits[other]}}, 1);
    return bits;
  }

  void add_costs() {
    if (has_levels(question_)) return add_levels();
    std::vector<Term> terms;
    for (const Flip& flip : question_.flips) terms.push_back({flip.cost, Lit::positive({flip.input})});
    if (!question_.budget) {
      formula().objective = std::move(terms);
      // A flip that is too expensive by itself is not in the question.
    } else if (!question_.largest) {
      add(model::negated(std::move(terms)), -*question_.budget);
    }
  }

  void add_levels() {
    const std::vector<std::int64_t> levels = cost_levels(question_);
    std::vector<Lit> reached;
    for (std::size_t k = 0; k < levels.size(); ++k) {
      reached.push_back(new_variable());
      formula().objective.push_back({levels[k] - (k > 0 ? levels[k - 1] : 0), reached[k]});
      if (k > 0) add({{1, ~reached[k]}, {1, reached[k - 1]}}, 1);
    }
    std::size_t k = 0;
    for (const Flip& flip : question_.flips) {
      while (levels[k] < flip.cost) ++k;
      add({{1, ~Lit::positive({flip.input})}, {1, reached[k]}}, 1);
    }
  }

  const FlipQuestion& question_;
};

// The values of the choices below a node, in the order of creation: parts that hold are chosen.
void add_choices(const Property& property, std::uint32_t node, const std::vector<std::int64_t>& agreeing,
                 BitValues& values) {
  const Property::Node& here = property.nodes[node];
  for (const std::uint32_t child : here.children) {
    if (here.kind == Property::Kind::any)
      values.push_back(slack(property, child, agreeing.data()) >= 0 ? 1 : 0);
    add_choices(property, child, agreeing, values);
  }
}

}  // namespace

model::PbFormula question_formula(const FlipQuestion& question) { return QuestionWriter(question).write(); }

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
  std::vector<std::int64_t> agreeing;
  for (const Score& score : network.scores) {
    std::int64_t count = 0;
    for (std::size_t i = 0; i < bits.size(); ++i)
      count += score.weights[i] == (bits[i] != 0 ? 1 : -1) ? 1 : 0;
    agreeing.push_back(count);
  }
  add_choices(question.property, question.property.root(), agreeing, values);
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

void write_opb(const model::PbFormula& formula, const std::vector<std::string>& comments, OutputFile& file) {
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
  for (const model::AtLeastRow& constraint : formula.constraints) {
    line.clear();
    const std::int64_t moved = add_terms(constraint.terms);
    fmt::format_to(std::back_inserter(line), ">= {} ;\n", constraint.bound - moved);
    file.write(line);
  }
}

}  // namespace bnnplan::verification

// The formula of a problem over its horizon, built a second time. Engines and formats use model/unroll.cpp
// and model/plain_row.cpp; this is a second copy of their rules on purpose, so that a mistake there cannot
// hide here. A test compares the two on random problems.
//
//   variables                          for each step its state, actions, auxiliary variables, and the neurons
//                                      of all layers but the last; then the state after the last step
//   constraints                        the initial state, the constraints and transitions of each step, the
//                                      goal, refused prefixes; then the neurons, step by step
//   a linear constraint                one constraint, an equation two, divided by a common divisor
//   y <-> at least k of n literals     sum l_i - k y >= 0   and   -(sum l_i) + (n - k + 1) y >= 1 - k
//   the same with k <= 0, or k > n     y >= 1, or -y >= 0
#include "bnnplan/check/problem_formula.hpp"

#include <numeric>

#include <fmt/format.h>

#include "bnnplan/base/checked.hpp"
#include "bnnplan/base/count_text.hpp"
#include "bnnplan/check/pb_words.hpp"
#include "bnnplan/problem/step_weights.hpp"

namespace bnnplan::checking {

namespace {

using Terms = std::vector<PbConstraint::Term>;

std::int64_t common_divisor(const PbConstraint& constraint) {
  std::int64_t divisor = 0;
  for (const PbConstraint::Term& term : constraint.terms) divisor = std::gcd(divisor, term.coefficient);
  return divisor;
}

// 6 x + 4 y >= 3 is 3 x + 2 y >= 2.
PbConstraint divided(PbConstraint constraint) {
  const std::int64_t divisor = common_divisor(constraint);
  if (divisor <= 1) return constraint;
  for (PbConstraint::Term& term : constraint.terms) term.coefficient /= divisor;
  const std::int64_t whole = constraint.bound / divisor;  // rounded towards 0
  constraint.bound = whole * divisor < constraint.bound ? whole + 1 : whole;
  return constraint;
}

class Unrolling {
 public:
  explicit Unrolling(const Problem& problem) : problem_(problem) {
    hidden_ = problem.state.bit_count() + problem.action.bit_count() + problem.auxiliary.bit_count();
    step_size_ = hidden_;
    if (problem.network) {
      for (std::size_t l = 0; l + 1 < problem.network->layers.size(); ++l)
        step_size_ += problem.network->layers[l].neurons.size();
    }
    require_room();
  }

  ProblemFormula run(LimitWatch* watch) {
    formula_.variables =
        static_cast<std::uint32_t>(first_of(problem_.horizon + 1) + problem_.state.bit_count());
    for (std::uint32_t bit = 0; bit < problem_.initial.size(); ++bit) {
      if (problem_.initial[bit] == unknown_bit) continue;
      const Lit given = literal({Place::state, bit}, 1);
      add_at_least({{1, problem_.initial[bit] != 0 ? given : ~given}}, 1);
    }
    for (int t = 1; t <= problem_.horizon; ++t) {
      if (watch != nullptr) watch->check();
      for (const LinearConstraint& constraint : problem_.constraints) add_constraint_at(constraint, t);
      for (const LinearConstraint& transition : problem_.transitions) add_constraint_at(transition, t);
    }
    for (const LinearConstraint& goal : problem_.goal) add_constraint_at(goal, problem_.horizon + 1);
    for (const RefusedPrefix& prefix : problem_.refused) add_refused(prefix);
    for (int t = 1; t <= problem_.horizon; ++t) {
      if (watch != nullptr) watch->check();
      add_network(t);
    }
    const std::int64_t offset = add_objective();
    return {std::move(formula_), offset};
  }

 private:
  std::size_t first_of(int t) const { return static_cast<std::size_t>(t - 1) * step_size_; }

  Lit literal(Bit bit, int t) const {
    std::size_t place = first_of(t) + bit.index;
    if (bit.place == Place::next) place += step_size_;
    if (bit.place == Place::action || bit.place == Place::auxiliary) place += problem_.state.bit_count();
    if (bit.place == Place::auxiliary) place += problem_.action.bit_count();
    return Lit::positive({static_cast<std::uint32_t>(place)});
  }

  void require_room() const {
    const auto horizon = static_cast<std::size_t>(problem_.horizon);
    const std::size_t variables = step_size_ * horizon + problem_.state.bit_count();
    if (variables > static_cast<std::size_t>(most_variables))
      throw InputError(
          fmt::format("the model would have {} variables, more than 2^30: use a shorter horizon", variables));
    std::size_t rows = 0, terms = problem_.objective.terms.size();
    for (const auto* constraints : {&problem_.constraints, &problem_.transitions}) {
      rows += constraints->size();
      for (const LinearConstraint& constraint : *constraints) terms += constraint.terms.size();
    }
    if (problem_.network) {
      for (const Layer& layer : problem_.network->layers) {
        rows += 2 * layer.neurons.size();
        for (const Neuron& neuron : layer.neurons)
          terms += 2 * static_cast<std::size_t>(fan_in(neuron.weights));
      }
    }
    // A term takes 16 bytes here, and 32 in the propagator.
    const std::size_t machine = machine_memory(), needed = horizon * (rows * 200 + terms * 48);
    constexpr double gibibyte = std::size_t{1} << 30;
    if (machine > 0 && needed > machine)
      throw InputError(
          fmt::format("the model of {} takes about {:.0f} GiB, the machine has {:.0f}: use a shorter horizon",
                      count_text(problem_.horizon, "step"), static_cast<double>(needed) / gibibyte,
                      static_cast<double>(machine) / gibibyte));
  }

  void add_at_least(const Terms& terms, std::int64_t bound) {
    add_constraint(formula_, divided(normal_constraint(terms, bound)));
  }
  void add_at_most(const Terms& terms, std::int64_t bound) {
    add_at_least(negated(terms), checked_negate(bound));
  }

  void add_constraint_at(const LinearConstraint& constraint, int t) {
    Terms terms;
    for (const Term& term : constraint.terms) terms.push_back({term.coefficient, literal(term.bit, t)});
    if (constraint.comparison == Comparison::equal) {
      const PbConstraint half = normal_constraint(terms, constraint.bound);
      const std::int64_t divisor = common_divisor(half);
      // Every sum is a multiple of the divisor, the bound is not.
      if (divisor > 1 && half.bound % divisor != 0) return add_constraint(formula_, {{}, 1});
    }
    if (constraint.comparison != Comparison::at_most) add_at_least(terms, constraint.bound);
    if (constraint.comparison != Comparison::at_least) add_at_most(terms, constraint.bound);
  }

  // Something differs from the prefix.
  void add_refused(const RefusedPrefix& prefix) {
    if (prefix.actions.size() > static_cast<std::size_t>(problem_.horizon)) return;
    Terms terms;
    const auto add_bits = [&](const BitValues& values, Place place, int t) {
      for (std::uint32_t bit = 0; bit < values.size(); ++bit) {
        const Lit given = literal({place, bit}, t);
        if (values[bit] != unknown_bit) terms.push_back({1, values[bit] != 0 ? ~given : given});
      }
    };
    add_bits(prefix.initial, Place::state, 1);
    for (std::size_t i = 0; i < prefix.actions.size(); ++i)
      add_bits(prefix.actions[i], Place::action, static_cast<int>(i) + 1);
    add_at_least(terms, 1);
  }

  void add_network(int t) {
    if (!problem_.network) return;
    std::vector<Lit> inputs;
    for (const Bit bit : problem_.network_inputs) inputs.push_back(literal(bit, t));
    std::size_t next = first_of(t) + hidden_;
    const std::vector<Layer>& layers = problem_.network->layers;
    for (const Layer& layer : layers) {
      std::vector<Lit> outputs;
      for (std::size_t i = 0; i < layer.neurons.size(); ++i) {
        outputs.push_back(&layer == &layers.back() ? literal({Place::next, problem_.network_outputs[i]}, t)
                                                   : Lit::positive({static_cast<std::uint32_t>(next++)}));
        add_neuron(layer.neurons[i], inputs, outputs.back());
      }
      inputs = std::move(outputs);
    }
  }

  void add_neuron(const Neuron& neuron, const std::vector<Lit>& inputs, Lit output) {
    const std::int64_t n = fan_in(neuron.weights), k = neuron.threshold;
    if (k <= 0) return add_at_least({{1, output}}, 1);
    if (k > n) return add_at_most({{1, output}}, 0);
    Terms terms;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (neuron.weights[i] != 0) terms.push_back({1, neuron.weights[i] > 0 ? inputs[i] : ~inputs[i]});
    }
    terms.push_back({-k, output});
    add_at_least(terms, 0);
    terms.back().coefficient = -(n - k + 1);
    add_at_most(terms, k - 1);
  }

  // Returns what every plan costs on top.
  std::int64_t add_objective() {
    const StepWeights weights = step_weights(problem_);
    std::int64_t offset = 0;
    for (int t = 1; t <= problem_.horizon; ++t) {
      offset = checked_add(offset, checked_multiply(problem_.objective.constant, weights.of(t)));
      for (const Term& term : problem_.objective.terms)
        formula_.objective.push_back(
            {checked_multiply(term.coefficient, weights.of(t)), literal(term.bit, t)});
    }
    formula_.has_objective = !formula_.objective.empty();
    return offset;
  }

  const Problem& problem_;
  std::size_t hidden_ = 0;     // of a step: where its neurons begin
  std::size_t step_size_ = 0;  // variables
  PbFormula formula_;
};

}  // namespace

ProblemFormula formula_of(const Problem& problem, LimitWatch* watch) { return Unrolling(problem).run(watch); }

}  // namespace bnnplan::checking

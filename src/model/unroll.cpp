// Unrolling: the weighted partial MaxSAT model of Say and Sanner (AIJ 2020) before any encoding. H copies of
// the network are chained: the outputs of step t are the state bits of step t + 1, so Z of the input and
// output layers are the X and Y variables themselves. A weight -1 is a negated input literal, a weight 0 no
// literal.
#include "bnnplan/model/unroll.hpp"

#include <fmt/format.h>

#include "bnnplan/base/checked.hpp"
#include "bnnplan/base/count_text.hpp"
#include "bnnplan/base/input_error.hpp"
#include "bnnplan/base/limits.hpp"
#include "bnnplan/problem/step_weights.hpp"

namespace bnnplan::model {

namespace {

class Unroller {
 public:
  Unroller(const Problem& problem, ZeroOneModel& model) : problem_(problem), model_(model) {}

  void add_names() {
    const ModelLayout& layout = model_.layout;
    model_.problem_name = problem_.name;
    for (std::uint32_t b = 0; b < layout.state_bits; ++b)
      model_.state_names.push_back(problem_.state.bit_name(b));
    for (std::uint32_t b = 0; b < layout.action_bits; ++b)
      model_.action_names.push_back(problem_.action.bit_name(b));
    for (std::uint32_t b = 0; b < layout.auxiliary_bits; ++b) {
      model_.auxiliary_names.push_back(problem_.auxiliary.bit_name(b));
    }
  }

  void add_step(std::int32_t t) {
    for (const LinearConstraint& constraint : problem_.constraints)
      add_row(constraint, t, {PartKind::global, 0});
    for (const LinearConstraint& transition : problem_.transitions)
      add_row(transition, t, {PartKind::known, 0});
    add_network(t);
  }

  // The goal is over the state variables of "step" H + 1.
  void add_goal() {
    for (const LinearConstraint& goal : problem_.goal)
      add_row(goal, problem_.horizon + 1, {PartKind::goal, 0});
  }

  void add_initial() {
    for (std::uint32_t bit = 0; bit < problem_.initial.size(); ++bit) {
      if (problem_.initial[bit] == unknown_bit) continue;
      const Lit lit = Lit::of(model_.layout.state(1, bit), problem_.initial[bit] == 0);
      model_.rows.push_back({{{{1, lit}}, Comparison::at_least, 1}, {PartKind::initial, 0}});
    }
  }

  void add_refused() {
    for (const RefusedPrefix& prefix : problem_.refused) add_refused_prefix(prefix);
  }

  // Positive weights only: -3 x is 3 (1 - x) - 3.
  void add_objective() {
    const Objective& objective = problem_.objective;
    const StepWeights weights = step_weights(problem_);
    model_.decimals = cost_decimals(problem_);
    model_.offset = checked_multiply(objective.constant, total_weight(weights, problem_.horizon));
    for (std::int32_t t = 1; t <= problem_.horizon; ++t) {
      for (const Term& term : objective.terms) {
        const Lit lit = Lit::positive(variable(term.bit, t));
        const std::int64_t coefficient = checked_multiply(term.coefficient, weights.of(t));
        if (coefficient > 0) {
          model_.objective.push_back({coefficient, lit});
        } else {
          model_.objective.push_back({-coefficient, ~lit});
          model_.offset = checked_add(model_.offset, coefficient);
        }
      }
    }
  }

 private:
  Var variable(Bit bit, std::int32_t t) const {
    switch (bit.place) {
      case Place::action:
        return model_.layout.action(t, bit.index);
      case Place::state:
        return model_.layout.state(t, bit.index);
      case Place::auxiliary:
        return model_.layout.auxiliary(t, bit.index);
      case Place::next:
        return model_.layout.state(t + 1, bit.index);
    }
    __builtin_unreachable();
  }

  void add_row(const LinearConstraint& constraint, std::int32_t t, Part part) {
    LinearRow row{{}, constraint.comparison, constraint.bound};
    for (const Term& term : constraint.terms) {
      row.terms.push_back({term.coefficient, Lit::positive(variable(term.bit, t))});
    }
    model_.rows.push_back({std::move(row), part});
  }

  // A clause over the steps of the prefix: some bit differs.
  void add_refused_prefix(const RefusedPrefix& prefix) {
    if (prefix.actions.size() > static_cast<std::size_t>(problem_.horizon)) return;
    LinearRow row{{}, Comparison::at_least, 1};
    const auto add = [&](Var v, bool value) { row.terms.push_back({1, Lit::of(v, value)}); };
    for (std::uint32_t bit = 0; bit < prefix.initial.size(); ++bit) {
      if (prefix.initial[bit] != unknown_bit) add(model_.layout.state(1, bit), prefix.initial[bit] != 0);
    }
    std::int32_t t = 0;
    for (const auto& action : prefix.actions) {
      ++t;
      for (std::uint32_t bit = 0; bit < action.size(); ++bit) {
        add(model_.layout.action(t, bit), action[bit] != 0);
      }
    }
    model_.rows.push_back({std::move(row), {PartKind::refused, 0}});
  }

  void add_network(std::int32_t t) {
    if (!problem_.network) return;
    std::vector<Var> inputs;
    for (const Bit bit : problem_.network_inputs) inputs.push_back(variable(bit, t));
    const std::size_t layers = problem_.network->layers.size();
    for (std::size_t l = 1; l <= layers; ++l) {
      const Layer& layer = problem_.network->layers[l - 1];
      std::vector<Var> outputs;
      for (std::uint32_t i = 0; i < layer.neurons.size(); ++i) {
        outputs.push_back(l < layers ? model_.layout.neuron(t, static_cast<std::uint32_t>(l), i)
                                     : model_.layout.state(t + 1, problem_.network_outputs[i]));
        ReifiedAtLeast neuron{Lit::positive(outputs.back()), {}, layer.neurons[i].threshold};
        for (std::size_t j = 0; j < inputs.size(); ++j) {
          const int weight = layer.neurons[i].weights[j];
          if (weight != 0) neuron.inputs.push_back(Lit::of(inputs[j], weight < 0));
        }
        model_.neurons.push_back({std::move(neuron), t, static_cast<std::uint16_t>(l)});
      }
      inputs = std::move(outputs);
    }
  }

  const Problem& problem_;
  ZeroOneModel& model_;
};

}  // namespace

ModelLayout layout_of(const Problem& problem) {
  ModelLayout layout;
  layout.horizon = problem.horizon;
  layout.state_bits = problem.state.bit_count();
  layout.action_bits = problem.action.bit_count();
  layout.auxiliary_bits = problem.auxiliary.bit_count();
  if (problem.network) {
    for (std::size_t l = 0; l + 1 < problem.network->layers.size(); ++l) {
      layout.hidden.push_back(static_cast<std::uint32_t>(problem.network->layers[l].neurons.size()));
    }
  }
  const std::uint64_t variables =
      std::uint64_t{layout.step_size()} * static_cast<std::uint64_t>(problem.horizon) + layout.state_bits;
  if (variables > (1u << 30)) {
    throw InputError(
        fmt::format("the model would have {} variables, more than 2^30: use a shorter horizon", variables));
  }
  return layout;
}

std::size_t unrolled_bytes(const Problem& problem) {
  constexpr std::size_t block = 16;  // overhead of an allocation
  std::size_t step = problem.objective.terms.size() * sizeof(WeightedLit);
  for (const auto* constraints : {&problem.constraints, &problem.transitions}) {
    for (const LinearConstraint& constraint : *constraints)
      step += sizeof(ModelRow) + block + constraint.terms.size() * sizeof(WeightedLit);
  }
  if (problem.network) {
    for (const Layer& layer : problem.network->layers) {
      for (const Neuron& neuron : layer.neurons)
        step += sizeof(ModelNeuron) + block + static_cast<std::size_t>(fan_in(neuron.weights)) * sizeof(Lit);
    }
  }
  return step * static_cast<std::size_t>(problem.horizon);  // both far below 2^31
}

void require_room_for_model(const Problem& problem) {
  const std::size_t machine = machine_memory(), needed = unrolled_bytes(problem);
  if (machine == 0 || needed <= machine) return;
  constexpr double gibibyte = std::size_t{1} << 30;
  throw InputError(
      fmt::format("the model of {} takes about {:.0f} GiB, the machine has {:.0f}: use a "
                  "shorter horizon",
                  count_text(problem.horizon, "step"), static_cast<double>(needed) / gibibyte,
                  static_cast<double>(machine) / gibibyte));
}

ZeroOneModel begin_unroll(const Problem& problem) {
  ZeroOneModel model;
  model.layout = layout_of(problem);
  Unroller unroller(problem, model);
  unroller.add_names();
  unroller.add_objective();
  return model;
}

void unroll_initial(const Problem& problem, ZeroOneModel& model) { Unroller(problem, model).add_initial(); }

void unroll_step(const Problem& problem, std::int32_t t, ZeroOneModel& model) {
  Unroller(problem, model).add_step(t);
}

void unroll_goal(const Problem& problem, ZeroOneModel& model) {
  Unroller unroller(problem, model);
  unroller.add_goal();
  unroller.add_refused();
}

void unroll_rest(const Problem& problem, ZeroOneModel& model, LimitWatch* watch) {
  unroll_initial(problem, model);
  for (std::int32_t t = 1; t <= problem.horizon; ++t) {
    if (watch != nullptr) watch->check();
    unroll_step(problem, t, model);
  }
  unroll_goal(problem, model);
}

ZeroOneModel unroll(const Problem& problem, LimitWatch* watch) {
  ZeroOneModel model = begin_unroll(problem);
  unroll_rest(problem, model, watch);
  return model;
}

}  // namespace bnnplan::model

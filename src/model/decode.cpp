// Converts values to a plan, and a plan to values. Hidden neurons are functions of the rest, so a plan has
// exactly one assignment.
#include "bnnplan/model/decode.hpp"

#include <cassert>

namespace bnnplan::model {

Plan decode(const ModelLayout& layout, const BitValues& values) {
  assert(values.size() >= layout.variable_count());
  Plan plan;
  for (std::uint32_t b = 0; b < layout.state_bits; ++b)
    plan.initial.push_back(values[layout.state(1, b).index]);
  for (std::int32_t t = 1; t <= layout.horizon; ++t) {
    PlanStep& step = plan.steps.emplace_back();
    for (std::uint32_t b = 0; b < layout.action_bits; ++b)
      step.action.push_back(values[layout.action(t, b).index] == 1);
    for (std::uint32_t b = 0; b < layout.auxiliary_bits; ++b) {
      step.auxiliary.push_back(values[layout.auxiliary(t, b).index]);
    }
    for (std::uint32_t b = 0; b < layout.state_bits; ++b)
      step.state.push_back(values[layout.state(t + 1, b).index]);
  }
  return plan;
}

BitValues encode_plan(const ZeroOneModel& model, const Plan& plan) {
  const ModelLayout& layout = model.layout;
  BitValues values(layout.variable_count(), unknown_bit);
  for (std::uint32_t b = 0; b < layout.state_bits; ++b) values[layout.state(1, b).index] = plan.initial[b];
  for (std::int32_t t = 1; t <= layout.horizon; ++t) {
    const PlanStep& step = plan.steps[static_cast<std::size_t>(t - 1)];
    for (std::uint32_t b = 0; b < layout.action_bits; ++b) {
      values[layout.action(t, b).index] = static_cast<BitValue>(step.action[b]);
    }
    for (std::uint32_t b = 0; b < layout.auxiliary_bits; ++b)
      values[layout.auxiliary(t, b).index] = step.auxiliary[b];
    for (std::uint32_t b = 0; b < layout.state_bits; ++b)
      values[layout.state(t + 1, b).index] = step.state[b];
  }
  for (const ModelNeuron& entry : model.neurons) {
    std::int32_t count = 0;
    for (const Lit lit : entry.neuron.inputs) {
      count += values[lit.var().index] == (lit.negated() ? 0 : 1);
    }
    const Lit output = entry.neuron.output;
    values[output.var().index] = (count >= entry.neuron.threshold) != output.negated() ? 1 : 0;
  }
  return values;
}

}  // namespace bnnplan::model

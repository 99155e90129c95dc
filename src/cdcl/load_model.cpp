// From the 0-1 model to constraints of the solver. The neurons of one layer in one step become one layer
// there; as all steps have the same network, the weights are stored once.
#include "cdcl/load_model.hpp"

#include <map>

namespace bnnplan {

namespace {

std::vector<Var> decision_order(const ModelLayout& layout) {
  std::vector<Var> order;
  for (std::uint32_t b = 0; b < layout.state_bits; ++b) order.push_back(layout.state(1, b));
  for (std::int32_t t = 1; t <= layout.horizon; ++t) {
    for (std::uint32_t b = 0; b < layout.action_bits; ++b) order.push_back(layout.action(t, b));
    for (std::uint32_t b = 0; b < layout.auxiliary_bits; ++b) order.push_back(layout.auxiliary(t, b));
  }
  return order;
}

}  // namespace

void load_model(const ZeroOneModel& model, Solver& solver) {
  for (std::uint32_t v = 0; v < model.layout.variable_count(); ++v) solver.new_variable();
  for (std::uint32_t v = 0; v < model.layout.variable_count(); ++v) {
    if (!model.layout.is_problem_variable({v})) solver.set_hidden({v});
  }
  solver.set_decision_order(decision_order(model.layout));
  for (const WeightedLit& term : model.objective)
    solver.set_phase(term.literal.var(), term.literal.negated());
  for (const ModelRow& row : model.rows) solver.add_row(row.row);
  std::map<std::uint16_t, std::uint32_t> first_of_layer;
  std::vector<WeightedNeuron> neurons;
  for (std::size_t i = 0; i < model.neurons.size();) {
    const ModelNeuron& first = model.neurons[i];
    neurons.clear();
    for (; i < model.neurons.size() && model.neurons[i].step == first.step &&
           model.neurons[i].layer == first.layer;
         ++i) {
      const ReifiedAtLeast& neuron = model.neurons[i].neuron;
      WeightedNeuron& weighted = neurons.emplace_back();
      weighted.output = neuron.output;
      weighted.threshold = neuron.threshold;
      for (const Lit input : neuron.inputs) weighted.inputs.push_back({1, input});
    }
    const auto like = first_of_layer.find(first.layer);
    const std::uint32_t index =
        solver.add_layer(neurons, like == first_of_layer.end() ? -1 : std::int64_t{like->second});
    first_of_layer.emplace(first.layer, index);
  }
}

}  // namespace bnnplan

// From the 0-1 model to constraints of the solver. The neurons of one layer in one step become one layer
// there; as all steps have the same network, the weights are stored once.
#include "bnnplan/cdcl/load_model.hpp"

#include <cassert>
#include <numeric>
#include <utility>

#include "bnnplan/base/random.hpp"

namespace bnnplan::cdcl {

namespace {

// With a seed, the actions of a step are in another order, the same in each step.
std::vector<Var> decision_order(const model::ModelLayout& layout, std::uint64_t seed) {
  std::vector<std::uint32_t> actions(layout.action_bits);
  std::iota(actions.begin(), actions.end(), 0u);
  if (seed != 0) {
    Random random(seed);
    shuffle(actions, random);
  }
  std::vector<Var> order;
  for (std::uint32_t b = 0; b < layout.state_bits; ++b) order.push_back(layout.state(1, b));
  for (std::int32_t t = 1; t <= layout.horizon; ++t) {
    for (const std::uint32_t b : actions) order.push_back(layout.action(t, b));
    for (std::uint32_t b = 0; b < layout.auxiliary_bits; ++b) order.push_back(layout.auxiliary(t, b));
  }
  return order;
}

}  // namespace

void ModelLoader::add_variables(const model::ModelLayout& layout, std::int32_t t) {
  const std::uint32_t count = layout.step_size() * static_cast<std::uint32_t>(t) + layout.state_bits;
  while (solver_.variable_count() < count) {
    const Var variable = solver_.new_variable();
    if (!layout.is_problem_variable(variable)) solver_.set_hidden(variable);
  }
}

void ModelLoader::set_order(const model::ModelLayout& layout, const std::vector<WeightedLit>& objective) {
  assert(layout.variable_count() <= solver_.variable_count());
  solver_.set_decision_order(decision_order(layout, solver_.options().seed));
  for (const WeightedLit& term : objective) solver_.set_phase(term.literal.var(), term.literal.negated());
}

void ModelLoader::add_rows(std::span<const model::ModelRow> rows) {
  for (const model::ModelRow& row : rows) solver_.add_row(row.row);
}

void ModelLoader::add_neurons(std::span<const model::ModelNeuron> all) {
  std::vector<NeuronView> neurons;
  for (std::size_t i = 0; i < all.size();) {
    const model::ModelNeuron& first = all[i];
    neurons.clear();
    for (; i < all.size() && all[i].step == first.step && all[i].layer == first.layer; ++i) {
      const ReifiedAtLeast& neuron = all[i].neuron;
      neurons.push_back({neuron.output, neuron.inputs, neuron.threshold});
    }
    const auto like = first_of_layer_.find(first.layer);
    const std::uint32_t index =
        solver_.add_layer(neurons, like == first_of_layer_.end() ? -1 : std::int64_t{like->second});
    first_of_layer_.emplace(first.layer, index);
  }
}

void load_model(const model::ZeroOneModel& model, Solver& solver) {
  ModelLoader loader(solver);
  loader.add_variables(model.layout, model.layout.horizon);
  loader.set_order(model.layout, model.objective);
  loader.add_rows(model.rows);
  loader.add_neurons(model.neurons);
}

}  // namespace bnnplan::cdcl

// Problems whose transitions are not yet known. They get a network all the same, so that all code that takes
// a problem accepts them: one that changes nothing.
#include "bnnplan/problem/open_transitions.hpp"

#include "bnnplan/base/input_error.hpp"

namespace bnnplan {

Network staying_network(const Problem& variables, const std::vector<std::uint32_t>& state_bits) {
  Network network;
  const std::uint32_t actions = variables.action.bit_count();
  for (std::uint32_t bit = 0; bit < actions; ++bit) network.inputs.push_back(variables.action.bit_name(bit));
  for (std::uint32_t bit = 0; bit < variables.state.bit_count(); ++bit)
    network.inputs.push_back(variables.state.bit_name(bit));
  Layer layer;
  for (const std::uint32_t bit : state_bits) {
    network.outputs.push_back(variables.state.bit_name(bit) + "'");
    Neuron neuron{std::vector<std::int8_t>(network.inputs.size(), 0), 1};
    neuron.weights[actions + bit] = 1;
    layer.neurons.push_back(std::move(neuron));
  }
  network.layers.push_back(std::move(layer));
  return network;
}

void leave_open(Problem& problem) {
  if (problem.network) throw InputError("the problem has a network: expected one whose transitions are open");
  std::vector<bool> given(problem.state.bit_count(), false);
  for (const LinearConstraint& transition : problem.transitions) {
    for (const Term& term : transition.terms) {
      if (term.bit.place == Place::next) given[term.bit.index] = true;
    }
  }
  std::vector<std::uint32_t> open;
  for (std::uint32_t bit = 0; bit < given.size(); ++bit) {
    if (!given[bit]) open.push_back(bit);
  }
  if (open.empty()) throw InputError("all transitions are known: there is nothing to discover");
  problem.network = staying_network(problem, open);
  problem.network_file = "network.bnn";
  connect_network(problem);
}

}  // namespace bnnplan

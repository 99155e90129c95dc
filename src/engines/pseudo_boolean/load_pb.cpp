// Loads a pseudo-Boolean formula, its neurons recognised, into a solver of the neuron engine.
#include "bnnplan/engines/pseudo_boolean/load_pb.hpp"

#include <utility>

namespace bnnplan::engines {

bool load_formula(const model::PbFormula& formula, const RecognisedFormula& recognised, cdcl::Solver& solver,
                  const std::function<bool()>& go_on) {
  std::vector<Var> order;
  for (std::uint32_t v = 0; v < formula.variables; ++v) {
    const Var variable = solver.new_variable();
    if (recognised.defined[v]) {
      solver.set_hidden(variable);
    } else {
      order.push_back(variable);
    }
  }
  solver.set_decision_order(std::move(order));
  for (const std::size_t number : recognised.rest) {
    const model::AtLeastRow& row = formula.constraints[number];
    solver.add_row({row.terms, Comparison::at_least, row.bound});
    if (!go_on()) return false;
  }
  std::vector<cdcl::NeuronView> views;
  for (const auto& layer : recognised.layers) {
    views.clear();
    for (const ReifiedAtLeast& neuron : layer)
      views.push_back({neuron.output, neuron.inputs, neuron.threshold});
    solver.add_layer(views);
    if (!go_on()) return false;
  }
  return true;
}

}  // namespace bnnplan::engines

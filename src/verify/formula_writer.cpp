// Networks as pseudo-Boolean constraints. A neuron is two of them. A condition on scores is one; if only some
// of several have to hold, each has a variable that tells that it is chosen, and is relaxed by what its sum
// may lack:
//
//   sum of factor * agreeing(score) + (bound - least) ~chosen >= bound
#include "bnnplan/verify/formula_writer.hpp"

#include <utility>

namespace bnnplan::verification {

void FormulaWriter::add_unless(std::vector<Term> terms, std::int64_t bound, std::optional<Lit> unless) {
  if (unless) {
    // In normal form, without literals that cancel out, the least value of the sum is 0.
    const model::AtLeastRow sum = model::at_least_row(terms, bound);
    if (sum.bound > 0) terms.push_back({sum.bound, *unless});
  }
  add(std::move(terms), bound);
}

std::vector<Lit> FormulaWriter::add_layers(const Network& network, std::vector<Lit> bits) {
  for (const Layer& layer : network.layers) {
    std::vector<Lit> outputs;
    for (const Neuron& neuron : layer.neurons) {
      const Lit output = new_variable();
      outputs.push_back(output);
      const std::int64_t size = fan_in(neuron.weights);
      if (neuron.threshold <= 0 || neuron.threshold > size) {
        add({{1, neuron.threshold <= 0 ? output : ~output}}, 1);
        continue;
      }
      std::vector<Term> reached{{neuron.threshold, ~output}}, missed{{size - neuron.threshold + 1, output}};
      for (std::size_t i = 0; i < bits.size(); ++i) {
        if (neuron.weights[i] == 0) continue;
        const Lit input = neuron.weights[i] > 0 ? bits[i] : ~bits[i];
        reached.push_back({1, input});
        missed.push_back({1, ~input});
      }
      add(std::move(reached), neuron.threshold);
      add(std::move(missed), size - neuron.threshold + 1);
    }
    bits = std::move(outputs);
  }
  return bits;
}

void FormulaWriter::add_agreeing(const Score& score, const std::vector<Lit>& bits, std::int64_t factor,
                                 std::vector<Term>& terms) {
  for (std::size_t i = 0; i < bits.size(); ++i) {
    if (score.weights[i] != 0) terms.push_back({factor, score.weights[i] > 0 ? bits[i] : ~bits[i]});
  }
}

}  // namespace bnnplan::verification

// Makes a network smaller without changing its outputs on data. Three moves, repeated until none helps:
//
//   weights   a weight is dropped if its neuron, with the same threshold or one less, gives the same output
//             on every row without it
//   neurons   one that is constant, that equals another or its negation, or that nothing reads; then any one
//             whose absence changes no output
//   layers    one whose neurons read one input each
//
// The first two look at one neuron and the rows: weights * rows, which takes a second for planning networks.
// Dropping other neurons means evaluating the layers above. Greedy, the last neuron first: the smallest
// network is NP-hard.
#include "bnnplan/learn/shrink.hpp"

#include <algorithm>

#include "bnnplan/learn/evaluate.hpp"
#include "bnnplan/learn/fact_table.hpp"

namespace bnnplan::learning {

namespace {

using Bits = std::vector<std::uint64_t>;

class Shrinking {
 public:
  Shrinking(Network network, const DataSet& data, const SampleSet& part, const std::function<bool()>& stopped)
      : network_(std::move(network)), stopped_(stopped), table_(make_fact_table(data, part)) {
    activate(0);
    goal_ = values_.back();
  }

  Network run() {
    bool changed = true;
    while (changed && !stopped()) {
      changed = false;
      changed |= drop_weights();
      changed |= drop_same();
      changed |= drop_neurons();
      changed |= drop_layers();
    }
    return std::move(network_);
  }

 private:
  bool stopped() const { return stopped_ && stopped_(); }

  const std::vector<Bits>& below(std::size_t layer) const {
    return layer == 0 ? table_.inputs : values_[layer - 1];
  }

  static bool bit(const Bits& bits, std::size_t at) { return ((bits[at / 64] >> (at % 64)) & 1u) != 0; }

  // The number of agreeing inputs, for every fact.
  std::vector<std::int32_t> agreeing(const Neuron& neuron, const std::vector<Bits>& inputs) const {
    std::vector<std::int32_t> counts(table_.facts, 0);
    for (std::size_t j = 0; j < neuron.weights.size(); ++j) {
      if (neuron.weights[j] == 0) continue;
      const bool wanted = neuron.weights[j] > 0;
      for (std::size_t fact = 0; fact < table_.facts; ++fact)
        counts[fact] += bit(inputs[j], fact) == wanted ? 1 : 0;
    }
    return counts;
  }

  Bits output(const Neuron& neuron, const std::vector<Bits>& inputs) const {
    const std::vector<std::int32_t> counts = agreeing(neuron, inputs);
    Bits bits(table_.words, 0);
    for (std::size_t fact = 0; fact < table_.facts; ++fact) {
      if (counts[fact] >= neuron.threshold) bits[fact / 64] |= std::uint64_t{1} << (fact % 64);
    }
    return bits;
  }

  // Computes the values of this layer and of those above it.
  void activate(std::size_t first) {
    values_.resize(network_.layers.size());
    for (std::size_t l = first; l < network_.layers.size(); ++l) {
      values_[l].clear();
      for (const Neuron& neuron : network_.layers[l].neurons) values_[l].push_back(output(neuron, below(l)));
    }
  }

  bool drop_weights() {
    bool changed = false;
    for (std::size_t l = 0; l < network_.layers.size(); ++l) {
      for (std::size_t i = 0; i < network_.layers[l].neurons.size() && !stopped(); ++i) {
        Neuron& neuron = network_.layers[l].neurons[i];
        std::vector<std::int32_t> counts = agreeing(neuron, below(l));
        for (std::size_t j = 0; j < neuron.weights.size(); ++j) {
          if (neuron.weights[j] != 0 && drop_weight(neuron, j, below(l)[j], values_[l][i], counts))
            changed = true;
        }
      }
    }
    return changed;
  }

  bool drop_weight(Neuron& neuron, std::size_t j, const Bits& input, const Bits& gives,
                   std::vector<std::int32_t>& counts) const {
    const bool wanted = neuron.weights[j] > 0;
    bool same[2] = {true, true};  // with the same threshold, with one less
    for (std::size_t fact = 0; fact < table_.facts && (same[0] || same[1]); ++fact) {
      const std::int32_t without = counts[fact] - (bit(input, fact) == wanted ? 1 : 0);
      const bool value = bit(gives, fact);
      same[0] = same[0] && (without >= neuron.threshold) == value;
      same[1] = same[1] && (without >= neuron.threshold - 1) == value;
    }
    if (!same[0] && !same[1]) return false;
    for (std::size_t fact = 0; fact < table_.facts; ++fact)
      counts[fact] -= bit(input, fact) == wanted ? 1 : 0;
    if (!same[0]) --neuron.threshold;
    neuron.weights[j] = 0;
    return true;
  }

  bool is_hidden(std::size_t layer) const { return layer + 1 < network_.layers.size(); }

  void erase(std::size_t layer, std::size_t neuron) {
    auto& neurons = network_.layers[layer].neurons;
    neurons.erase(neurons.begin() + static_cast<std::ptrdiff_t>(neuron));
    values_[layer].erase(values_[layer].begin() + static_cast<std::ptrdiff_t>(neuron));
    for (Neuron& above : network_.layers[layer + 1].neurons)
      above.weights.erase(above.weights.begin() + static_cast<std::ptrdiff_t>(neuron));
  }

  // Replaces the neuron by this constant in the layer above.
  void take_for(std::size_t layer, std::size_t neuron, bool value) {
    for (Neuron& above : network_.layers[layer + 1].neurons) {
      if (above.weights[neuron] != 0 && (above.weights[neuron] > 0) == value) --above.threshold;
      above.weights[neuron] = 0;
    }
  }

  // Makes the layer above read `other` instead, unless one of its neurons would have to read it twice.
  // `opposite`: its negation.
  bool redirect(std::size_t layer, std::size_t neuron, std::size_t other, bool opposite) {
    auto& neurons = network_.layers[layer + 1].neurons;
    const auto weight = [&](const Neuron& above) {
      return static_cast<std::int8_t>(opposite ? -above.weights[neuron] : above.weights[neuron]);
    };
    for (const Neuron& above : neurons) {
      if (above.weights[neuron] != 0 && above.weights[other] == weight(above)) return false;
    }
    for (Neuron& above : neurons) {
      if (above.weights[neuron] == 0) continue;
      if (above.weights[other] == 0) {
        above.weights[other] = weight(above);
      } else {  // exactly one of the two agrees
        above.weights[other] = 0;
        --above.threshold;
      }
      above.weights[neuron] = 0;
    }
    return true;
  }

  bool unused(std::size_t layer, std::size_t neuron) const {
    const auto& neurons = network_.layers[layer + 1].neurons;
    return std::all_of(neurons.begin(), neurons.end(),
                       [&](const Neuron& above) { return above.weights[neuron] == 0; });
  }

  // Drops constant, equal and opposite neurons, and those that nothing reads. A layer keeps one neuron.
  bool drop_same() {
    bool changed = false;
    for (std::size_t l = 0; is_hidden(l); ++l) {
      Bits all(table_.words, ~std::uint64_t{0});
      if (table_.facts % 64 != 0) all.back() = (std::uint64_t{1} << (table_.facts % 64)) - 1;
      const Bits none(table_.words, 0);
      for (std::size_t i = network_.layers[l].neurons.size(); i-- > 0;) {
        if (network_.layers[l].neurons.size() == 1) break;
        const Bits& gives = values_[l][i];
        bool gone = unused(l, i);
        if (!gone && (gives == none || gives == all)) {
          take_for(l, i, gives == all);
          gone = true;
        }
        for (std::size_t k = 0; k < i && !gone; ++k) {
          Bits negation = values_[l][k];
          for (std::size_t w = 0; w < negation.size(); ++w) negation[w] = ~negation[w] & all[w];
          gone = (gives == values_[l][k] && redirect(l, i, k, false)) ||
                 (gives == negation && redirect(l, i, k, true));
        }
        if (!gone) continue;
        erase(l, i);
        changed = true;
      }
    }
    return changed;
  }

  // Drops any neuron whose absence changes no output of the network.
  bool drop_neurons() {
    bool changed = false;
    for (std::size_t l = 0; is_hidden(l); ++l) {
      for (std::size_t i = network_.layers[l].neurons.size(); i-- > 0 && !stopped();) {
        for (const bool value : {false, true}) {
          if (network_.layers[l].neurons.size() == 1) break;
          const std::vector<Layer> layers = network_.layers;
          const std::vector<std::vector<Bits>> values = values_;
          take_for(l, i, value);
          erase(l, i);
          activate(l + 1);
          if (values_.back() == goal_) {
            changed = true;
            break;
          }
          network_.layers = layers;
          values_ = values;
        }
      }
    }
    return changed;
  }

  // Drops a layer whose neurons each copy one input or its negation.
  bool drop_layers() {
    for (std::size_t l = 0; is_hidden(l); ++l) {
      const std::size_t width = l == 0 ? network_.inputs.size() : network_.layers[l - 1].neurons.size();
      std::vector<std::pair<std::size_t, bool>> copies;  // input, negated
      for (const Neuron& neuron : network_.layers[l].neurons) {
        if (fan_in(neuron.weights) != 1 || neuron.threshold != 1) break;
        const auto at =
            std::find_if(neuron.weights.begin(), neuron.weights.end(), [](std::int8_t w) { return w != 0; });
        copies.emplace_back(at - neuron.weights.begin(), *at < 0);
      }
      if (copies.size() != network_.layers[l].neurons.size()) continue;
      std::vector<Neuron> above = network_.layers[l + 1].neurons;
      bool possible = true;
      for (Neuron& neuron : above) {
        std::vector<std::int8_t> weights(width, 0);
        for (std::size_t j = 0; j < copies.size(); ++j) {
          if (neuron.weights[j] == 0) continue;
          possible = possible && weights[copies[j].first] == 0;
          weights[copies[j].first] =
              static_cast<std::int8_t>(copies[j].second ? -neuron.weights[j] : neuron.weights[j]);
        }
        neuron.weights = std::move(weights);
      }
      if (!possible) continue;
      network_.layers[l + 1].neurons = std::move(above);
      network_.layers.erase(network_.layers.begin() + static_cast<std::ptrdiff_t>(l));
      activate(0);
      return true;
    }
    return false;
  }

  Network network_;
  const std::function<bool()>& stopped_;
  FactTable table_;
  std::vector<std::vector<Bits>> values_;  // [layer][neuron], a bit per fact
  std::vector<Bits> goal_;                 // of the last layer, at the start
};

}  // namespace

Network shrink(Network network, const DataSet& data, const SampleSet& part,
               const std::function<bool()>& stopped) {
  return Shrinking(std::move(network), data, part, stopped).run();
}

}  // namespace bnnplan::learning

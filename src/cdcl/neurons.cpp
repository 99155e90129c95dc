// Neurons as constraints: output <-> sum of weight * input >= k, by four rules (the names are used
// everywhere). With T and F the weight of true and false inputs and n the total:
//
//   enough true             T >= k                       -> output
//   too few possible        F >= n - k + 1               -> not output
//   output true forces      output, F + w > n - k        -> an input of weight w is true
//   output false forbids    not output, T + w >= k       -> an input of weight w is false
//
// A neuron whose output followed from its own inputs has nothing to add until they are taken back; saying so
// to its layer, instead of finding it again with every further input, doubled the propagations a second (from
// 3 to 6 million on sysadmin 5).
//
// Reasons are built when conflict analysis asks for them and never before. There are usually more inputs than
// are needed: literals fixed at the root cost nothing, those that the analysis has seen already add nothing,
// and of the others the earliest are taken, because they lead to decisions further back (see choose()).
#include <algorithm>
#include <cassert>

#include "base/checked.hpp"
#include "cdcl/solver.hpp"

namespace bnnplan {

std::uint32_t Solver::add_layer(std::span<const WeightedNeuron> neurons, std::int64_t like) {
  assert(level() == 0);
  std::vector<WeightedNeuron> fitting;
  for (const WeightedNeuron& neuron : neurons) {
    std::int64_t total = 0;
    for (const WeightedLit& input : neuron.inputs) total = checked_add(total, input.coefficient);
    if (neuron.threshold <= 0) {
      add_clause({neuron.output});
    } else if (neuron.threshold > total) {
      add_clause({~neuron.output});
    } else if (total > most_layer_weight) {
      // output -> sum >= k, and not output -> the sum of negations >= total - k + 1
      std::vector<WeightedLit> terms = neuron.inputs;
      terms.push_back({neuron.threshold, ~neuron.output});
      add_at_least(at_least_row(terms, neuron.threshold));
      for (WeightedLit& term : terms) term.literal = ~term.literal;
      terms.back().coefficient = total - neuron.threshold + 1;
      add_at_least(at_least_row(std::move(terms), total - neuron.threshold + 1));
    } else {
      fitting.push_back(neuron);
    }
  }
  const auto index = static_cast<std::uint32_t>(layers_.size());
  layers_.emplace_back(fitting, options_.dense,
                       like >= 0 ? &layers_[static_cast<std::size_t>(like)] : nullptr);
  NeuronLayer& layer = layers_.back();
  constraint_bytes_ += layer.bytes();
  for (std::uint32_t column = 0; column < layer.columns().size(); ++column)
    input_places_[layer.columns()[column].index].push_back({index, column});
  for (std::uint32_t neuron = 0; neuron < layer.size(); ++neuron)
    output_places_[layer.output(neuron).var().index].push_back({index, neuron});
  // What was counted before this layer existed is counted now.
  for (std::size_t i = 0; i < counted_; ++i) {
    const Lit literal = trail_[i];
    for (const LayerPlace place : input_places_[literal.var().index]) {
      if (place.layer != index) continue;
      hits_.clear();
      layer.count_input(kernels_, place.index, !literal.negated(), hits_);
      layer.set_free(place.index);
    }
    for (const LayerPlace place : output_places_[literal.var().index]) {
      if (place.layer == index) layer.set_output(place.index, layer.output(place.index) == literal);
    }
  }
  for (std::uint32_t neuron = 0; neuron < layer.size(); ++neuron) {
    if (!apply_hit(index, {neuron, NeuronLayer::Side::enough}) ||
        !apply_hit(index, {neuron, NeuronLayer::Side::too_few})) {
      inconsistent_ = true;
    }
  }
  return index;
}

bool Solver::apply_hit(std::uint32_t index, NeuronLayer::Hit hit) {
  const NeuronLayer& layer = layers_[index];
  const LayerWeights::Row& row = layer.row(hit.neuron);
  const Lit output = layer.output(hit.neuron);
  const bool enough = hit.side == NeuronLayer::Side::enough;
  const Lit implied = enough ? output : ~output;
  const bool complete = enough ? layer.true_weight(hit.neuron) >= row.threshold
                               : layer.false_weight(hit.neuron) > row.total - row.threshold;
  if (complete) {
    if (value(implied) == 0) layers_[index].set_settled(hit.neuron);
    if (enqueue(implied, {Reason::Kind::neuron, index, hit.neuron})) return true;
    conflict_.clear();
    explain_neuron(index, hit.neuron, implied, absent - 1, conflict_);
    conflict_.push_back(implied);
    return false;
  }
  if (value(implied) < 0) return force_inputs(index, hit.neuron, !enough);
  return true;
}

bool Solver::apply_output(std::uint32_t index, std::uint32_t neuron) {
  const bool output = value(layers_[index].output(neuron)) > 0;
  return apply_hit(index, {neuron, output ? NeuronLayer::Side::too_few : NeuronLayer::Side::enough});
}

bool Solver::force_inputs(std::uint32_t index, std::uint32_t neuron, bool output) {
  const NeuronLayer& layer = layers_[index];
  const LayerWeights::Row& row = layer.row(neuron);
  // What may still be spent: of false weight if the output is true, of true weight if it is false.
  const std::int32_t room = output ? row.total - row.threshold - layer.false_weight(neuron)
                                   : row.threshold - 1 - layer.true_weight(neuron);
  if (room >= row.largest) return true;
  for (const LayerWeights::Entry& entry : layer.inputs(neuron)) {
    const Lit input = Lit::of(layer.columns()[entry.index], entry.weight < 0);
    if (value(input) == 0 && std::abs(entry.weight) > room)
      enqueue(output ? input : ~input, {Reason::Kind::neuron, index, neuron});
  }
  return true;
}

void Solver::explain_neuron(std::uint32_t index, std::uint32_t neuron, Lit implied, std::uint32_t before,
                            std::vector<Lit>& reason) {
  const NeuronLayer& layer = layers_[index];
  const LayerWeights::Row& row = layer.row(neuron);
  const Lit output = layer.output(neuron);
  bool by_true = implied == output;  // which side of the inputs it follows from
  std::int64_t need = by_true ? row.threshold : row.total - row.threshold + 1;
  if (implied.var() != output.var()) {
    by_true = value(output) < 0;
    need = by_true ? row.threshold : row.total - row.threshold + 1;
    reason.push_back(by_true ? output : ~output);
  }
  const std::uint32_t root =
      level_starts_.empty() ? absent - 1 : static_cast<std::uint32_t>(level_starts_[0]);
  const Var* columns = layer.columns().data();
  if (layer.words() != 0) {  // all weights are 1: the usual case, and most of the time of an analysis
    if (implied.var() != output.var()) --need;
    for (std::size_t word = 0; word < layer.words(); ++word) {
      need -= __builtin_popcountll(layer.known_inputs(neuron, word, by_true) & layer.free_inputs(word));
    }
    if (need <= 0) return;
    if (keys_.size() < layer.columns().size()) keys_.resize(layer.columns().size());
    std::uint64_t* end = keys_.data();
    for (std::size_t word = 0; word < layer.words(); ++word) {
      std::uint64_t bits = layer.known_inputs(neuron, word, by_true) & ~layer.free_inputs(word);
      for (; bits != 0; bits &= bits - 1) {
        const std::uint32_t v = columns[word * 64 + static_cast<unsigned>(__builtin_ctzll(bits))].index;
        const std::uint32_t lit = 2 * v + (values_[2 * v] > 0 ? 1 : 0);  // the one that is false
        const std::uint32_t stamp = stamps_[lit ^ 1u];
        if (stamp > before || v == implied.var().index) continue;
        const std::uint8_t seen = seen_[v];
        *end++ = (seen == 1 || seen == 2 ? 0 : std::uint64_t{stamp} << 32) | lit;
      }
    }
    assert(end - keys_.data() >= need);
    if (end - keys_.data() > need && options_.early_reasons)
      std::nth_element(keys_.data(), keys_.data() + need, end);
    for (std::int64_t i = 0; i < need; ++i)
      reason.push_back({static_cast<std::uint32_t>(keys_[static_cast<std::size_t>(i)])});
    return;
  }
  candidates_.clear();
  for (const LayerWeights::Entry& entry : layer.inputs(neuron)) {
    const Lit input = Lit::of(columns[entry.index], entry.weight < 0);
    const std::int32_t weight = std::abs(entry.weight);
    if (input.var() == implied.var()) {
      need -= weight;
      continue;
    }
    const Lit agreeing = by_true ? input : ~input;
    const std::uint32_t stamp = stamps_[agreeing.code];
    if (stamp > before) continue;
    if (stamp <= root) {
      need -= weight;
    } else {
      const std::uint8_t seen = seen_[input.var().index];
      candidates_.push_back({seen == 1 || seen == 2 ? 0 : stamp, weight, ~agreeing});
    }
  }
  choose(need, reason);
}

}  // namespace bnnplan

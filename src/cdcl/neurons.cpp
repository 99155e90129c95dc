// Neurons as constraints: output <-> at least k of n inputs, by four rules (the names are used everywhere).
// With T and F the numbers of true and false inputs:
//
//   enough true             T >= k                    -> output
//   too few possible        F >= n - k + 1            -> not output
//   output true forces      output, F = n - k         -> all other inputs are true
//   output false forbids    not output, T = k - 1     -> all other inputs are false
//
// A neuron whose output followed from its own inputs has nothing to add until they are undone; telling its
// layer so, instead of finding it again with every further input, doubled the propagations per second (from 3
// to 6 million on sysadmin 5).
//
// Reasons are built when conflict analysis asks for them and never before. There are usually more inputs than
// needed: literals fixed at the root cost nothing, those that the analysis has already seen add nothing, and
// of the others the earliest are chosen, because they lead to decisions further back (see choose()).
#include <algorithm>
#include <array>
#include <cassert>

#include "bnnplan/base/bit_count.hpp"
#include "bnnplan/cdcl/proof_sink.hpp"
#include "bnnplan/cdcl/solver.hpp"

namespace bnnplan::cdcl {

namespace {

// output -> at least k of the inputs, and not output -> at least n - k + 1 of their negations.
std::array<model::AtLeastRow, 2> rows_of(const NeuronView& neuron) {
  const auto n = static_cast<std::int64_t>(neuron.inputs.size());
  std::vector<WeightedLit> terms{{neuron.threshold, ~neuron.output}};
  std::vector<WeightedLit> negated{{n - neuron.threshold + 1, neuron.output}};
  for (const Lit input : neuron.inputs) {
    terms.push_back({1, input});
    negated.push_back({1, ~input});
  }
  return {model::at_least_row(std::move(terms), neuron.threshold),
          model::at_least_row(std::move(negated), n - neuron.threshold + 1)};
}

}  // namespace

std::uint32_t Solver::add_layer(std::span<const NeuronView> neurons, std::int64_t like) {
  assert(level() == 0);
  assert(like < static_cast<std::int64_t>(layers_.size()));
  std::vector<NeuronView> fitting;
  for (const NeuronView& neuron : neurons) {
    assert(neuron.output.var().index < variable_count());
    if (neuron.threshold <= 0) {
      add_clause({neuron.output});
    } else if (static_cast<std::size_t>(neuron.threshold) > neuron.inputs.size()) {
      add_clause({~neuron.output});
    } else if (neuron.inputs.size() > most_layer_inputs) {
      for (model::AtLeastRow& row : rows_of(neuron)) add_at_least(std::move(row));
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
  // Count the literals that were counted before this layer existed.
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

Lit Solver::define_counter(std::span<const Lit> inputs, std::int32_t threshold) {
  const Lit output = Lit::positive(new_variable());
  if (proof_ != nullptr) {
    std::vector<WeightedLit> sum;
    for (const Lit input : inputs) sum.push_back({1, input});
    definition_ = proof_->define(output.var(), sum, threshold);
  }
  const NeuronView counter{output, inputs, threshold};
  add_layer({&counter, 1});
  return output;
}

bool Solver::apply_hit(std::uint32_t index, NeuronLayer::Hit hit) {
  const NeuronLayer& layer = layers_[index];
  const LayerWeights::Row& row = layer.row(hit.neuron);
  const Lit output = layer.output(hit.neuron);
  const bool enough = hit.side == NeuronLayer::Side::enough;
  const Lit implied = enough ? output : ~output;
  const bool complete = enough ? layer.true_inputs(hit.neuron) >= row.threshold
                               : layer.false_inputs(hit.neuron) > row.size() - row.threshold;
  if (complete) {
    if (value(implied) == 0) layers_[index].set_settled(hit.neuron);
    if (enqueue(implied, {Reason::Kind::neuron, index, hit.neuron})) return true;
    conflict_.clear();
    explain_neuron(index, hit.neuron, implied, absent - 1, conflict_);
    conflict_.push_back(implied);
    assert(follows({Reason::Kind::neuron, index, hit.neuron}, no_literal, conflict_));
    return false;
  }
  if (value(implied) < 0) return force_inputs(index, hit.neuron, !enough);
  return true;
}

bool Solver::apply_output(std::uint32_t index, std::uint32_t neuron) {
  assert(value(layers_[index].output(neuron)) != 0);
  const bool output = value(layers_[index].output(neuron)) > 0;
  return apply_hit(index, {neuron, output ? NeuronLayer::Side::too_few : NeuronLayer::Side::enough});
}

bool Solver::force_inputs(std::uint32_t index, std::uint32_t neuron, bool output) {
  const NeuronLayer& layer = layers_[index];
  const LayerWeights::Row& row = layer.row(neuron);
  // How many inputs may still be false if the output is true, or true if it is false.
  const std::int32_t room = output ? row.size() - row.threshold - layer.false_inputs(neuron)
                                   : row.threshold - 1 - layer.true_inputs(neuron);
  assert(room >= 0);
  if (room > 0) return true;
  for (const Lit over_columns : layer.inputs(neuron)) {
    const Lit input = layer.input(over_columns);
    if (value(input) == 0) enqueue(output ? input : ~input, {Reason::Kind::neuron, index, neuron});
  }
  return true;
}

void Solver::explain_neuron(std::uint32_t index, std::uint32_t neuron, Lit implied, std::uint32_t before,
                            std::vector<Lit>& reason) {
  assert(index < layers_.size());
  const NeuronLayer& layer = layers_[index];
  const LayerWeights::Row& row = layer.row(neuron);
  const Lit output = layer.output(neuron);
  const bool is_output = implied.var() == output.var();
  // Which side of the inputs it follows from, and how many of them are needed. An implied input is one of
  // them.
  const bool by_true = is_output ? implied == output : value(output) < 0;
  std::int64_t need = by_true ? row.threshold : row.size() - row.threshold + 1;
  if (!is_output) {
    --need;
    reason.push_back(by_true ? output : ~output);
  }
  if (keys_.size() < layer.columns().size()) keys_.resize(layer.columns().size());
  std::uint64_t* end = keys_.data();
  const auto add = [&](std::uint32_t false_literal, std::uint32_t stamp) {
    const std::uint8_t seen = seen_[false_literal >> 1];
    *end++ = (seen == 1 || seen == 2 ? 0 : std::uint64_t{stamp} << 32) | false_literal;
  };
  if (layer.weights().dense) {  // the usual case, and most of the time of an analysis
    for (std::size_t word = 0; word < layer.words(); ++word)
      need -= count_ones(layer.known_inputs(neuron, word, by_true) & layer.free_inputs(word));
    if (need <= 0) return;
    const Var* columns = layer.columns().data();
    for (std::size_t word = 0; word < layer.words(); ++word) {
      std::uint64_t bits = layer.known_inputs(neuron, word, by_true) & ~layer.free_inputs(word);
      for (; bits != 0; bits &= bits - 1) {
        const std::uint32_t v = columns[word * 64 + static_cast<unsigned>(__builtin_ctzll(bits))].index;
        const std::uint32_t lit = 2 * v + (values_[2 * v] > 0 ? 1 : 0);  // the literal that is false
        const std::uint32_t stamp = stamps_[lit ^ 1u];
        if (stamp <= before && v != implied.var().index) add(lit, stamp);
      }
    }
  } else {
    const std::uint32_t root =
        level_starts_.empty() ? absent - 1 : static_cast<std::uint32_t>(level_starts_[0]);
    for (const Lit over_columns : layer.inputs(neuron)) {
      const Lit input = layer.input(over_columns);
      const Lit agreeing = by_true ? input : ~input;
      const std::uint32_t stamp = stamps_[agreeing.code];
      if (stamp > before || input.var() == implied.var()) continue;
      if (stamp <= root) {
        --need;
      } else {
        add((~agreeing).code, stamp);
      }
    }
    if (need <= 0) return;
  }
  assert(end - keys_.data() >= need);
  if (end - keys_.data() > need) std::nth_element(keys_.data(), keys_.data() + need, end);
  for (std::int64_t i = 0; i < need; ++i)
    reason.push_back({static_cast<std::uint32_t>(keys_[static_cast<std::size_t>(i)])});
}

}  // namespace bnnplan::cdcl

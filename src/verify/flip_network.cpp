// Incremental inference. In a network of 784:200:100:100:100:10 a flipped input is 784 bits of the first
// layer's counters, some 6 of its neurons change, and so on: one evaluation is some 600 instructions instead
// of the 4,000 of packed popcounts over all layers.
#include "bnnplan/verify/flip_network.hpp"

#include <algorithm>
#include <cassert>
#include <limits>

#include "bnnplan/network/reference_inference.hpp"

namespace bnnplan::verification {

namespace {

std::size_t in_blocks(std::size_t neurons) {
  return (neurons + column_block - 1) / column_block * column_block;
}

std::int32_t agreeing_inputs(const std::vector<std::int8_t>& weights, const BitValues& bits) {
  std::int32_t agreeing = 0;
  for (std::size_t i = 0; i < bits.size(); ++i) agreeing += weights[i] == (bits[i] != 0 ? 1 : -1) ? 1 : 0;
  return agreeing;
}

}  // namespace

bool FlipNetwork::is_possible(const Network& network) {
  constexpr std::size_t most = std::numeric_limits<std::int16_t>::max() - 2;
  return network.inputs.size() <= most &&
         std::all_of(network.layers.begin(), network.layers.end(),
                     [](const bnnplan::Layer& layer) { return layer.neurons.size() <= most; });
}

FlipNetwork::FlipNetwork(const FlipQuestion& question, InstructionSet set)
    : question_(question), kernels_(column_kernels(set)) {
  const Network& network = *question.network;
  assert(is_possible(network));
  BitValues bits = question.bits;
  const auto add_layer = [&](std::size_t neurons, auto weights_of, auto threshold_of) {
    Layer layer;
    layer.width = in_blocks(neurons);
    layer.columns.resize(2 * bits.size() * layer.width);
    const std::size_t place = start_.size();
    start_.resize(place + layer.width);
    for (std::size_t n = 0; n < neurons; ++n) {
      const std::vector<std::int8_t>& weights = weights_of(n);
      for (std::size_t i = 0; i < bits.size(); ++i) {
        layer.columns[(2 * i) * layer.width + n] = static_cast<std::int16_t>(-weights[i]);
        layer.columns[(2 * i + 1) * layer.width + n] = weights[i];
      }
      start_[place + n] = static_cast<std::int16_t>(agreeing_inputs(weights, bits) - threshold_of(n));
    }
    widest_ = std::max({widest_, layer.width, bits.size()});
    layers_.push_back(std::move(layer));
  };
  for (const bnnplan::Layer& layer : network.layers) {
    add_layer(
        layer.neurons.size(), [&](std::size_t n) -> const auto& { return layer.neurons[n].weights; },
        [&](std::size_t n) {  // thresholds below 0 or above the fan-in are constant anyway
          return std::clamp(layer.neurons[n].threshold, 0, fan_in(layer.neurons[n].weights) + 1);
        });
    bits = evaluate_layer(layer, bits);
  }
  add_layer(
      network.scores.size(), [&](std::size_t n) -> const auto& { return network.scores[n].weights; },
      [](std::size_t) { return 0; });
  state_size_ = start_.size();
  start_margin_ = margin(start_.data() + state_size_ - layers_.back().width);
}

FlipNetwork::Scratch FlipNetwork::scratch() const {
  Scratch scratch;
  scratch.changed_.resize(widest_);
  scratch.columns_.resize(widest_);
  return scratch;
}

Margin FlipNetwork::margin(const std::int16_t* agreeing) const {
  return slack(question_.property, question_.property.root(), agreeing);
}

Margin FlipNetwork::flip(std::uint32_t input, bool bit, const std::int16_t* from, Margin margin,
                         std::int16_t* to, Scratch& scratch) const {
  return change(layers_, 2 * input + (bit ? 1 : 0), from, margin, to, scratch);
}

Margin FlipNetwork::flip_neuron(std::uint32_t neuron, bool bit, const std::int16_t* from, Margin margin,
                                std::int16_t* to, Scratch& scratch) const {
  return change(layers().subspan(1), 2 * neuron + (bit ? 1 : 0), from, margin, to, scratch);
}

Margin FlipNetwork::change(std::span<const Layer> layers, std::uint32_t code, const std::int16_t* from,
                           Margin old_margin, std::int16_t* to, Scratch& scratch) const {
  std::size_t changes = 1;
  scratch.changed_[0] = code;
  for (const Layer& layer : layers) {
    for (std::size_t i = 0; i < changes; ++i) scratch.columns_[i] = layer.column(scratch.changed_[i]);
    changes = kernels_.add_columns(from, {scratch.columns_.data(), changes}, to, layer.width,
                                   scratch.changed_.data());
    from += layer.width;
    to += layer.width;
    if (changes == 0 && &layer != &layers_.back()) {  // nothing above changes
      if (from != to) {
        for (const Layer* rest = &layer + 1; rest <= &layers_.back(); ++rest) {
          std::copy(from, from + rest->width, to);
          from += rest->width, to += rest->width;
        }
      }
      return old_margin;
    }
  }
  return margin(to - layers_.back().width);
}

}  // namespace bnnplan::verification

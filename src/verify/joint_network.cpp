// Networks made of networks. Side by side, the weights between the two are 0; the one with fewer layers is
// followed by neurons that pass on one bit each. What the two share is found from the inputs up: a neuron of
// the second that sees the same bits with the same weights as one of the first is that one (or its opposite,
// with opposite weights), so that an exported network, or one from which ineffective parts were removed,
// merges with its original.
#include "bnnplan/verify/joint_network.hpp"

#include <algorithm>
#include <cassert>
#include <map>
#include <optional>
#include <utility>

namespace bnnplan::verification {

namespace {

Layer handing_on(std::size_t bits) {
  Layer layer;
  for (std::size_t i = 0; i < bits; ++i) {
    Neuron neuron{std::vector<std::int8_t>(bits), 1};
    neuron.weights[i] = 1;
    layer.neurons.push_back(std::move(neuron));
  }
  return layer;
}

// What a bit of one of the networks becomes in the joint one.
struct Place {
  enum class Kind : std::uint8_t { bit, constant } kind = Kind::bit;
  std::uint32_t bit = 0;
  bool negated = false;  // the opposite of the bit; a negated constant is 0
};

// A neuron over bits of the joint network: constants count as agreeing or not.
Neuron placed(const Neuron& neuron, const std::vector<Place>& places, std::size_t bits) {
  Neuron result{std::vector<std::int8_t>(bits), neuron.threshold};
  for (std::size_t i = 0; i < places.size(); ++i) {
    const std::int8_t weight = neuron.weights[i];
    if (weight == 0) continue;
    if (places[i].kind == Place::Kind::constant) {
      if (weight == (places[i].negated ? -1 : 1)) --result.threshold;
    } else {
      result.weights[places[i].bit] = static_cast<std::int8_t>(places[i].negated ? -weight : weight);
    }
  }
  return result;
}

Score placed(const Score& score, const std::vector<Place>& places, std::size_t bits) {
  Score result{std::vector<std::int8_t>(bits), score.scale, score.bias};
  for (std::size_t i = 0; i < places.size(); ++i) {
    const std::int8_t weight = score.weights[i];
    if (weight == 0) continue;
    if (places[i].kind == Place::Kind::constant) {
      result.bias += score.scale * (weight == (places[i].negated ? -1 : 1) ? 1 : -1);
    } else {
      result.weights[places[i].bit] = static_cast<std::int8_t>(places[i].negated ? -weight : weight);
    }
  }
  return result;
}

Neuron opposite(Neuron neuron) {
  neuron.threshold = fan_in(neuron.weights) - neuron.threshold + 1;
  for (std::int8_t& weight : neuron.weights) weight = static_cast<std::int8_t>(-weight);
  return neuron;
}

// One layer of both. A neuron of the first is the partner of at most one of the second, so that no neuron
// above sees the same bit twice.
class JointLayer {
 public:
  explicit JointLayer(std::size_t bits) : bits_(bits) {}

  void add(const Layer& layer, std::vector<Place>& places, bool is_second) {
    std::vector<Place> outputs;
    for (const Neuron& given : layer.neurons) {
      Neuron neuron = placed(given, places, bits_);
      const std::int32_t size = fan_in(neuron.weights);
      if (neuron.threshold <= 0 || neuron.threshold > size) {
        outputs.push_back({Place::Kind::constant, 0, neuron.threshold > size});
        continue;
      }
      if (is_second) {
        if (const auto found = take(neuron)) {
          outputs.push_back({Place::Kind::bit, *found, false});
          continue;
        }
        if (const auto found = take(opposite(neuron))) {
          outputs.push_back({Place::Kind::bit, *found, true});
          continue;
        }
      } else {
        free_.emplace(std::pair{neuron.weights, neuron.threshold}, size_of_result());
      }
      outputs.push_back({Place::Kind::bit, size_of_result(), false});
      result_.neurons.push_back(std::move(neuron));
    }
    places = std::move(outputs);
  }

  Layer result() && { return std::move(result_); }

 private:
  std::uint32_t size_of_result() const { return static_cast<std::uint32_t>(result_.neurons.size()); }

  std::optional<std::uint32_t> take(const Neuron& neuron) {
    const auto found = free_.find(std::pair{neuron.weights, neuron.threshold});
    if (found == free_.end()) return std::nullopt;
    const std::uint32_t place = found->second;
    free_.erase(found);
    return place;
  }

  std::size_t bits_;
  Layer result_;
  // Without a partner.
  std::multimap<std::pair<std::vector<std::int8_t>, std::int32_t>, std::uint32_t> free_;
};

}  // namespace

JointNetwork beside(const Network& first, const Network& second, const std::vector<std::uint32_t>& places,
                    std::size_t inputs) {
  assert(is_classifier(first) && is_classifier(second) && places.size() == second.inputs.size());
  JointNetwork joint;
  joint.network.inputs.resize(inputs);
  std::vector<Place> one(first.inputs.size()), other;
  for (std::uint32_t i = 0; i < one.size(); ++i) one[i].bit = i;
  for (const std::uint32_t place : places) other.push_back({Place::Kind::bit, place, false});
  std::size_t bits = inputs;
  for (std::size_t l = 0; l < std::max(first.layers.size(), second.layers.size()); ++l) {
    JointLayer layer(bits);
    layer.add(l < first.layers.size() ? first.layers[l] : handing_on(one.size()), one, false);
    layer.add(l < second.layers.size() ? second.layers[l] : handing_on(other.size()), other, true);
    joint.network.layers.push_back(std::move(layer).result());
    bits = joint.network.layers.back().neurons.size();
  }
  for (const Score& score : first.scores) joint.network.scores.push_back(placed(score, one, bits));
  for (std::size_t c = 0; c < second.scores.size(); ++c) {
    Score score = placed(second.scores[c], other, bits);
    if (c < first.scores.size() && score == joint.network.scores[c]) {
      joint.second_scores.push_back(static_cast<std::uint32_t>(c));
    } else {
      joint.second_scores.push_back(static_cast<std::uint32_t>(joint.network.scores.size()));
      joint.network.scores.push_back(std::move(score));
    }
  }
  joint.network.outputs.resize(joint.network.scores.size());
  return joint;
}

Network with_fixed_bit(Network network, std::size_t input, bool bit) {
  const std::int8_t agrees = bit ? 1 : -1;
  if (!network.layers.empty()) {
    for (Neuron& neuron : network.layers.front().neurons) {
      if (neuron.weights[input] == agrees) --neuron.threshold;
      neuron.weights[input] = 0;
    }
  } else {
    for (Score& score : network.scores) {
      score.bias += score.scale * static_cast<int>(score.weights[input]) * static_cast<int>(agrees);
      score.weights[input] = 0;
    }
  }
  return network;
}

Network with_scores(Network network) {
  if (is_classifier(network)) return network;
  const std::size_t bits = network.layers.back().neurons.size();
  for (std::size_t i = 0; i < bits; ++i) {
    Score score{std::vector<std::int8_t>(bits), mpq_class(1, 2), mpq_class(1, 2)};
    score.weights[i] = 1;
    network.scores.push_back(std::move(score));
  }
  return network;
}

}  // namespace bnnplan::verification

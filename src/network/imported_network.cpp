// Exact folding of a network from another tool.
//
// Neurons become integer thresholds (normalisation.cpp). If a value of exactly 0 gives neither 1 nor 0, the
// thresholds for `>= 0` and for `> 0` are compared: if they are equal, no number of agreeing inputs reaches 0
// (it has the wrong parity, or is out of range), and both are right.
//
// Numeric inputs: the bit is  value(x) >= 0, and the value is monotone in x, so the bit is  x >= t  or its
// negation, which the weights of the next layer absorb. The threshold is the one stated in the file if
// comparing x with it gives the same bits; if it is irrational, has too many digits for a file, or if  x > t
// is meant and x can equal t, it is the midpoint of two values of x. A number that can only be 0 or 1 is a
// bit.
//
// Scores: only their order counts. A negative scale is a positive one with negated weights. Then (scale D +
// shift) / sqrt(variance) + beta  is multiplied by the root, if all classes have the same one up to rational
// factors, and the root in front of beta is dropped with it, if beta is the same for all; otherwise a root
// remains, and the scale becomes the nearest double. Finally all scores are divided by the first scale, and a
// bias common to all of them is dropped.
#include "bnnplan/network/imported_network.hpp"

#include <algorithm>
#include <unordered_set>

#include <fmt/format.h>

#include "bnnplan/base/count_text.hpp"
#include "bnnplan/base/exact_number.hpp"
#include "bnnplan/base/input_error.hpp"
#include "bnnplan/network/network_file.hpp"

namespace bnnplan {

namespace {

class ImportFolding {
 public:
  explicit ImportFolding(const ImportedNetwork& imported) : imported_(imported) {}

  Network fold() {
    check_shape();
    Network network;
    network.outputs = imported_.outputs;
    network.record = imported_.record;
    fold_inputs(network);
    for (std::size_t l = 0; l < imported_.layers.size(); ++l) {
      const ImportedLayer& layer = imported_.layers[l];
      Layer& folded = network.layers.emplace_back();
      for (std::size_t n = 0; n < layer.neurons.size(); ++n) {
        folded.neurons.push_back(fold_neuron(layer.neurons[n], layer, n));
        if (l == 0) absorb_negated_inputs(folded.neurons.back().weights);
      }
    }
    fold_scores(network);
    return network;
  }

 private:
  [[noreturn]] void fail(const std::string& message) const { throw InputError(imported_.file, message); }

  void check_names(const std::vector<std::string>& names, std::string_view what) const {
    std::unordered_set<std::string_view> seen;
    for (const std::string& name : names) {
      if (!seen.insert(name).second) fail(fmt::format("duplicate {} '{}'", what, printable(name)));
      if (!is_network_name(name))
        fail(fmt::format("'{}' cannot be the name of an {} in a network file", printable(name), what));
    }
  }

  void check_layer(const ImportedLayer& layer, std::size_t width) const {
    if (layer.neurons.empty() || layer.neurons.size() > imported_width_limit)
      fail(fmt::format("{}: a layer has a width from 1 to {}", layer.place, imported_width_limit));
    for (const ImportedNeuron& neuron : layer.neurons) {
      if (neuron.weights.size() != width) {
        fail(fmt::format("{}: {} in a neuron, expected {}", layer.place,
                         count_text(neuron.weights.size(), "weight"), width));
      }
      if (std::any_of(neuron.weights.begin(), neuron.weights.end(), [](int w) { return w < -1 || w > 1; }))
        fail(fmt::format("{}: a weight is not -1, 0 or +1", layer.place));
      if (neuron.norm.variance <= 0) fail(fmt::format("{}: variance + epsilon is not positive", layer.place));
    }
  }

  void check_shape() const {
    if (imported_.inputs.empty() || imported_.inputs.size() > imported_width_limit)
      fail(fmt::format("a network has from 1 to {} inputs", imported_width_limit));
    if (imported_.layers.empty() && imported_.scores.neurons.empty())
      fail("a network has at least one layer");
    std::vector<std::string> names;
    for (const ImportedInput& input : imported_.inputs) names.push_back(input.name);
    check_names(names, "input");
    check_names(imported_.outputs, "output");
    std::size_t width = imported_.inputs.size();
    for (const ImportedLayer& layer : imported_.layers) {
      check_layer(layer, width);
      width = layer.neurons.size();
    }
    if (!imported_.scores.neurons.empty()) {
      check_layer(imported_.scores, width);
      width = imported_.scores.neurons.size();
    }
    if (imported_.outputs.size() != width)
      fail(fmt::format("{}, expected {}", count_text(imported_.outputs.size(), "output name"), width));
  }

  // `place` is for the message; `what` is the value that may be 0.
  [[noreturn]] void fail_at_zero(std::string_view place, std::string_view what) const {
    fail(fmt::format(
        "{}: {} can be exactly 0, for which Sign gives neither -1 nor +1; specify the option 'tie'", place,
        what));
  }

  void fold_inputs(Network& network) {
    const bool numeric = std::any_of(imported_.inputs.begin(), imported_.inputs.end(),
                                     [](const ImportedInput& input) { return input.numeric; });
    for (const ImportedInput& input : imported_.inputs) {
      network.inputs.push_back(input.name);
      if (!numeric) continue;
      auto& number = network.numbers.emplace_back();
      bool negated = false;
      if (input.numeric) number = fold_number(input, negated);
      if (number && is_bit(*number)) number.reset();
      negated_inputs_.push_back(negated);
    }
    const auto none = [](const auto& number) { return !number; };
    if (std::all_of(network.numbers.begin(), network.numbers.end(), none)) network.numbers.clear();
  }

  // A number that is 0 or 1 and equal to its bit.
  static bool is_bit(const NumericInput& number) {
    return number.low == 0 && number.high == 1 && number.step == 1 && number.threshold > 0 &&
           number.threshold <= 1;
  }

  // Network files store numbers as text of limited length.
  void require_text(const mpq_class& number, std::string_view place) const {
    if (!has_exact_text(number))
      fail(fmt::format("{}: a number of more than {} digits", place, exact_text_limit));
  }

  NumericInput fold_number(const ImportedInput& input, bool& negated) const {
    const std::string place = fmt::format("input '{}'", printable(input.name));
    if (input.step <= 0) fail(fmt::format("{}: its step is not positive", place));
    if (input.low > input.high) fail(fmt::format("{}: its range is empty", place));
    if (input.norm.variance <= 0) fail(fmt::format("{}: variance + epsilon is not positive", place));
    const mpz_class first = first_of_bit(input, ZeroGives::one);
    mpz_class change = input.at_zero == ZeroGives::zero ? first_of_bit(input, ZeroGives::zero) : first;
    if (input.at_zero == ZeroGives::neither && first_of_bit(input, ZeroGives::zero) != first)
      fail_at_zero(place, "it");
    negated = input.norm.scale < 0;
    NumericInput number{0, input.low, input.high, input.step};
    for (const mpq_class* part : {&number.low, &number.high, &number.step}) require_text(*part, place);
    const Normalisation norm = without_rational_root(input.norm);
    if (norm.variance == 1 && norm.scale != 0) {
      number.threshold = -norm.shift / norm.scale;
      if (first_at_least(input, number.threshold) == change && has_exact_text(number.threshold))
        return number;
    }
    number.threshold = input.low + (mpq_class(change) - mpq_class(1, 2)) * input.step;
    require_text(number.threshold, place);
    return number;
  }

  static mpz_class values_of(const ImportedInput& input) {
    const mpq_class steps = (input.high - input.low) / input.step;
    return mpz_class(steps.get_num() / steps.get_den()) + 1;
  }

  // The smallest k with low + k step >= threshold, and at most the number of values.
  static mpz_class first_at_least(const ImportedInput& input, const mpq_class& threshold) {
    return std::clamp(ceiling_of((threshold - input.low) / input.step), mpz_class(0), values_of(input));
  }

  // The smallest k for which the bit of low + k step is 1, or, if the scale is negative, 0; the number of
  // values if there is none.
  static mpz_class first_of_bit(const ImportedInput& input, ZeroGives at_zero) {
    const bool wanted = input.norm.scale >= 0;
    mpz_class low = 0, high = values_of(input);
    while (low < high) {
      const mpz_class middle = (low + high) / 2;
      const int sign = sign_at(input.norm, input.low + mpq_class(middle) * input.step);
      const bool bit = sign > 0 || (sign == 0 && at_zero == ZeroGives::one);
      if (bit == wanted) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  void absorb_negated_inputs(std::vector<std::int8_t>& weights) const {
    for (std::size_t i = 0; i < negated_inputs_.size(); ++i) {
      if (negated_inputs_[i]) weights[i] = static_cast<std::int8_t>(-weights[i]);
    }
  }

  static void negate(std::vector<std::int8_t>& weights) {
    for (std::int8_t& weight : weights) weight = static_cast<std::int8_t>(-weight);
  }

  Neuron fold_neuron(const ImportedNeuron& imported, const ImportedLayer& layer, std::size_t number) const {
    const std::int32_t inputs = fan_in(imported.weights);
    const ZeroGives at_zero = imported.at_zero == ZeroGives::neither ? ZeroGives::one : imported.at_zero;
    const FoldedThreshold folded = bnnplan::fold(imported.norm, inputs, at_zero);
    if (imported.at_zero == ZeroGives::neither &&
        bnnplan::fold(imported.norm, inputs, ZeroGives::zero) != folded) {
      fail_at_zero(layer.place, fmt::format("the value of neuron {}", number + 1));
    }
    Neuron neuron{imported.weights, folded.threshold};
    if (folded.negated) negate(neuron.weights);
    return neuron;
  }

  void fold_scores(Network& network) const {
    if (imported_.scores.neurons.empty()) return;
    network.tie = imported_.tie;
    std::vector<Normalisation> norms;
    for (const ImportedNeuron& neuron : imported_.scores.neurons)
      norms.push_back(without_rational_root(neuron.norm));
    drop_common_root(norms);
    for (std::size_t c = 0; c < norms.size(); ++c) {
      Score& score = network.scores.emplace_back();
      score.weights = imported_.scores.neurons[c].weights;
      if (network.layers.empty()) absorb_negated_inputs(score.weights);
      Normalisation& norm = norms[c];
      if (norm.variance != 1) {
        network.rounded = true;
        const mpq_class scale =
            nearest_double_over_root(norm.scale != 0 ? norm.scale : norm.shift, norm.variance);
        norm = norm.scale != 0 ? Normalisation{scale, norm.shift / norm.scale * scale, 1, norm.beta}
                               : Normalisation{0, scale, 1, norm.beta};
      }
      score.scale = norm.scale;
      score.bias = norm.shift + norm.beta;
      if (score.scale < 0) {
        score.scale = -score.scale;
        negate(score.weights);
      }
      if (score.scale == 0) std::fill(score.weights.begin(), score.weights.end(), std::int8_t{0});
    }
    drop_common_parts(network.scores);
    for (std::size_t c = 0; c < network.scores.size(); ++c) {
      for (const mpq_class* part : {&network.scores[c].scale, &network.scores[c].bias})
        require_text(*part, fmt::format("the score of class '{}'", printable(network.outputs[c])));
    }
  }

  static void drop_common_root(std::vector<Normalisation>& norms) {
    const mpq_class variance = norms.front().variance, beta = norms.front().beta;
    if (variance == 1) return;
    std::vector<mpq_class> factors;
    for (const Normalisation& norm : norms) {
      const auto factor = exact_root(norm.variance / variance);
      if (!factor || norm.beta != beta) return;
      factors.push_back(*factor);
    }
    for (std::size_t c = 0; c < norms.size(); ++c)
      norms[c] = {norms[c].scale / factors[c], norms[c].shift / factors[c], 1, 0};
  }

  // A class with a constant score has scale 0; that becomes 1, since it has no weights.
  static void drop_common_parts(std::vector<Score>& scores) {
    const auto first =
        std::find_if(scores.begin(), scores.end(), [](const Score& s) { return s.scale != 0; });
    const mpq_class factor = first == scores.end() ? mpq_class(1) : first->scale;
    for (Score& score : scores) {
      score.bias /= factor;
      score.scale = score.scale == 0 ? mpq_class(1) : mpq_class(score.scale / factor);
    }
    const mpq_class bias = scores.front().bias;
    if (std::all_of(scores.begin(), scores.end(), [&](const Score& s) { return s.bias == bias; })) {
      for (Score& score : scores) score.bias = 0;
    }
  }

  const ImportedNetwork& imported_;
  std::vector<bool> negated_inputs_;  // empty, or one per input: its bit is the negation of  x >= threshold
};

}  // namespace

Network fold(const ImportedNetwork& imported) { return ImportFolding(imported).fold(); }

}  // namespace bnnplan

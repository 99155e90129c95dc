// Builds a network from the arrays of its layers. Batch normalisation gamma (D + bias - mean) / sqrt(variance
// + epsilon) + beta is recorded as it stands; folding is done by the network. These files do not define the
// sign of 0: unless the option --tie does, folding has to prove that no input reaches it.
#include "bnnplan/exchange/weight_stack.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "bnnplan/base/exact_number.hpp"
#include "bnnplan/base/input_error.hpp"
#include "bnnplan/exchange/import_notes.hpp"

namespace bnnplan::exchange {

namespace {

class StackImporter {
 public:
  StackImporter(const WeightStack& stack, const ImportOptions& options) : stack_(stack), options_(options) {
    network_.file = stack.file;
    at_zero_ = options.tie.value_or(ZeroGives::neither);
    network_.record = stack.record;
    for (const std::string& fact : facts_of_sign(options)) note(fact);
  }

  ImportedNetwork run() {
    if (stack_.layers.empty()) fail("no weights: expected at least one array of two dimensions");
    check_shapes();
    add_inputs();
    const bool has_scores = last_is_scores();
    for (std::size_t l = 0; l < stack_.layers.size(); ++l) {
      const bool scores = has_scores && l + 1 == stack_.layers.size();
      ImportedLayer layer = layer_of(stack_.layers[l], l == 0);
      (scores ? network_.scores : network_.layers.emplace_back()) = std::move(layer);
    }
    network_.outputs = output_names(!options_.classes.empty() ? options_.classes : stack_.output_names,
                                    stack_.layers.back().weight.shape[0], has_scores, stack_.file);
    if (zero_latent_ > 0) note(fmt::format("latent weights that are 0, taken as absent: {}", zero_latent_));
    const std::optional<ClassTie> tie = options_.class_tie ? options_.class_tie : stack_.class_tie;
    network_.tie = tie.value_or(ClassTie::lowest);
    return std::move(network_);
  }

 private:
  [[noreturn]] void fail(std::string_view what) const { throw InputError(stack_.file, what); }
  [[noreturn]] void fail(const std::string& place, std::string_view what) const {
    fail(fmt::format("{}: {}", printable(place), what));
  }
  void note(std::string text) { add_to_record(network_.record, {std::move(text)}); }

  std::size_t input_count() const { return stack_.layers.front().weight.shape[1]; }

  void check_shapes() const {
    std::size_t inputs = 0;
    for (const LinearArrays& layer : stack_.layers) {
      const std::vector<std::size_t>& shape = layer.weight.shape;
      if (shape.size() == 4)
        fail(layer.place, "a convolution, expected weights of two dimensions: outputs x inputs");
      if (shape.size() != 2 || shape[0] == 0 || shape[1] == 0)
        fail(layer.place,
             fmt::format("weights of {}, expected two dimensions: outputs x inputs", shape_text(shape)));
      if (&layer != &stack_.layers.front() && shape[1] != inputs)
        fail(layer.place, fmt::format("weights of {}, expected {} inputs, the outputs of the previous layer",
                                      shape_text(shape), inputs));
      inputs = shape[0];
    }
  }

  // Element i of an array that has one number for each of `count`, or one for all.
  mpq_class exact(const Tensor& tensor, std::size_t i, std::size_t count, const std::string& place,
                  std::string_view what) const {
    if (tensor.values.size() != 1 && (tensor.values.size() != count || tensor.shape.size() != 1))
      fail(place, fmt::format("{} of {}, expected {} numbers", what, shape_text(tensor.shape), count));
    const std::size_t at = tensor.values.size() == 1 ? 0 : i;
    if (!tensor.fractions.empty()) return tensor.fractions[at];
    const double value = tensor.values[at];
    if (!std::isfinite(value))
      fail(place, fmt::format("{} has a number that is not finite, at position {}", what, i));
    return mpq_class(value);
  }

  mpq_class epsilon_of(const NormArrays& norm) {
    if (norm.epsilon) return *norm.epsilon;
    if (!options_.epsilon)
      fail(norm.place,
           "batch normalisation without its epsilon, which such files do not have: specify the option "
           "'epsilon'");
    note_once(fmt::format("epsilon of batch normalisation {} (epsilon)", exact_text(*options_.epsilon)),
              noted_epsilon_);
    return *options_.epsilon;
  }
  void note_once(std::string text, bool& noted) {
    if (!noted) note(std::move(text));
    noted = true;
  }

  // value = gamma (factor * D + bias - mean) / sqrt(variance + epsilon) + beta, for unit i of `count`.
  Normalisation normalisation(const NormArrays& norm, std::size_t i, std::size_t count,
                              const mpq_class& factor, const mpq_class& bias) {
    const mpq_class gamma = norm.gamma ? exact(*norm.gamma, i, count, norm.place, "gamma") : mpq_class(1);
    const mpq_class mean = exact(norm.mean, i, count, norm.place, "mean");
    const mpq_class variance = exact(norm.variance, i, count, norm.place, "variance") + epsilon_of(norm);
    if (variance <= 0) fail(norm.place, fmt::format("variance + epsilon is not positive, at position {}", i));
    const mpq_class beta = norm.beta ? exact(*norm.beta, i, count, norm.place, "beta") : mpq_class(0);
    return {gamma * factor, gamma * (bias - mean), variance, beta};
  }

  void add_inputs() {
    const std::size_t count = input_count();
    if (!stack_.input_names.empty() && stack_.input_names.size() != count)
      fail(fmt::format("{} input names, expected {}", stack_.input_names.size(), count));
    const bool numeric = stack_.input_norm || stack_.input_threshold;
    if (numeric && options_.bits)
      fail("the option 'bits' is given, but the network binarizes its inputs itself");
    if (!numeric && (options_.range || options_.step || options_.scale))
      fail("a range, step or scale is given, but the first layer has weights: its inputs are bits");
    if (numeric && !(stack_.low && stack_.high && stack_.step)) require_numbers(options_, stack_.file);
    for (std::size_t i = 0; i < count; ++i) {
      ImportedInput input;
      input.name = stack_.input_names.empty() ? fmt::format("x{}", i) : stack_.input_names[i];
      input.numeric = numeric;
      if (numeric) set_number(input, i, count);
      network_.inputs.push_back(std::move(input));
    }
    for (std::string& fact : numeric ? facts_of_numbers(options_) : facts_of_bits(options_))
      note(std::move(fact));
  }

  void set_number(ImportedInput& input, std::size_t i, std::size_t count) {
    static const std::string place = "input";
    const mpq_class scale = options_.scale.value_or(1);
    input.low = options_.range ? options_.range->first : exact(*stack_.low, i, count, place, "low");
    input.high = options_.range ? options_.range->second : exact(*stack_.high, i, count, place, "high");
    input.step = options_.step ? *options_.step : exact(*stack_.step, i, count, place, "step");
    if (input.low > input.high || input.step <= 0) fail("inputs: low > high, or a step that is not positive");
    if (stack_.input_threshold) {
      if (options_.scale) fail("a scale is given, but the file has thresholds for the unscaled inputs");
      input.norm.shift = -exact(*stack_.input_threshold, i, count, place, "threshold");
      input.at_zero = ZeroGives::one;
    } else {
      input.norm = normalisation(*stack_.input_norm, i, count, scale, 0);
      input.at_zero = at_zero_;
    }
  }

  std::pair<mpq_class, mpq_class> bit_values() const {
    return options_.bits.value_or(std::pair<mpq_class, mpq_class>{-1, 1});
  }

  bool last_is_scores() {
    const LinearArrays& last = stack_.layers.back();
    if (stack_.scores && options_.scores && *stack_.scores != *options_.scores)
      fail(fmt::format("wrong kind of outputs requested: the file says that its last layer has {}",
                       *stack_.scores ? "scores" : "bits"));
    if (stack_.scores) return *stack_.scores;
    if (last.threshold) return false;
    const bool scores = options_.scores.value_or(true);
    note(fmt::format("the last layer has {} (outputs)", scores ? "scores" : "bits"));
    return scores;
  }

  std::int8_t weight_of(double value, const LinearArrays& layer, std::size_t position) {
    if (std::isnan(value))
      fail(layer.place, fmt::format("a weight is not a number, at position {}", position));
    if (options_.latent) {
      if (value == 0) ++zero_latent_;
      return static_cast<std::int8_t>((value > 0) - (value < 0));
    }
    if (value != 0 && value != 1 && value != -1)
      fail(layer.place,
           fmt::format(
               "a weight is {}, expected -1, 0 or +1 (or the option 'latent', if only the sign counts)",
               value));
    return static_cast<std::int8_t>(value);
  }

  ImportedLayer layer_of(const LinearArrays& arrays, bool first) {
    const std::size_t count = arrays.weight.shape[0], inputs = arrays.weight.shape[1];
    ImportedLayer layer;
    layer.place = arrays.norm ? arrays.norm->place : arrays.place;
    // Inputs that are bits may be numbers other than -1 and +1:  low + (high - low) (b + 1) / 2.
    const bool shifted = first && !network_.inputs.front().numeric;
    const auto [low, high] = shifted ? bit_values() : std::pair<mpq_class, mpq_class>{-1, 1};
    const mpq_class factor = (high - low) / 2, middle = (high + low) / 2;
    if (factor == 0) fail("both values of the option 'bits' are the same");
    for (std::size_t i = 0; i < count; ++i) {
      ImportedNeuron neuron;
      neuron.weights.reserve(inputs);
      long sum = 0, present = 0;
      for (std::size_t j = 0; j < inputs; ++j) {
        const std::int8_t weight = weight_of(arrays.weight.values[i * inputs + j], arrays, i * inputs + j);
        neuron.weights.push_back(weight);
        sum += weight;
        present += weight != 0;
      }
      neuron.at_zero = at_zero_;
      mpq_class bias = arrays.bias ? exact(*arrays.bias, i, count, arrays.place, "bias") : mpq_class(0);
      if (arrays.threshold) {  // agreeing >= threshold  <->  D + present - 2 threshold >= 0
        neuron.norm.shift = present - 2 * exact(*arrays.threshold, i, count, arrays.place, "threshold");
        neuron.at_zero = ZeroGives::one;
      } else if (arrays.norm) {
        neuron.norm = normalisation(*arrays.norm, i, count, factor, bias + middle * sum);
      } else {
        const mpq_class scale =
            arrays.scale ? exact(*arrays.scale, i, count, arrays.place, "scale") : mpq_class(1);
        neuron.norm.scale = scale * factor;
        neuron.norm.shift = scale * middle * sum + bias;
      }
      layer.neurons.push_back(std::move(neuron));
    }
    return layer;
  }

  const WeightStack& stack_;
  const ImportOptions& options_;
  ImportedNetwork network_;
  ZeroGives at_zero_ = ZeroGives::neither;
  std::size_t zero_latent_ = 0;
  bool noted_epsilon_ = false;
};

}  // namespace

ImportedNetwork imported_network(const WeightStack& stack, const ImportOptions& options) {
  return StackImporter(stack, options).run();
}

}  // namespace bnnplan::exchange

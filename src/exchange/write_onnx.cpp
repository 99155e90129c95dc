// Networks as ONNX models. A layer is
//
//   D = MatMul(bits as -1 and +1, weights);  on = GreaterOrEqual(D, 2 threshold - fan-in);  Where(on, +1, -1)
//
// and the inputs begin with  GreaterOrEqual(x, threshold). All of it is exact in 32-bit floats: D is an
// integer of at most 2^20. Scores are  D * scale + bias  in integers below 2^24, or in doubles if they need
// up to 2^53, all multiplied by their common denominator, unless that is a power of two, which floats
// represent exactly anyway. Scores with more digits are replaced by others with the same order
// (score_order.cpp). ArgMax gives the class, the last of the best if the network says so.
//
// In QONNX,  D - (2 threshold - fan-in)  goes through BipolarQuant, which is +1 at 0 and above, and so do
// weights without zeros.
#include "bnnplan/exchange/write_onnx.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include <fmt/format.h>

#include "bnnplan/base/exact_number.hpp"
#include "bnnplan/base/input_error.hpp"
#include "bnnplan/exchange/onnx_metadata.hpp"
#include "bnnplan/network/score_order.hpp"
#include "onnx.pb.h"

namespace bnnplan::exchange {

namespace {

constexpr std::int64_t float_integers = std::int64_t{1} << 24;   // up to here every integer is a float
constexpr std::int64_t double_integers = std::int64_t{1} << 53;  // and a double
constexpr const char* quantised_domain = "qonnx.custom_op.general";

// The smallest float not below the number; infinite if there is none.
float smallest_float_at_least(const mpq_class& number) {
  constexpr float largest = std::numeric_limits<float>::max();
  if (number > largest) return HUGE_VALF;
  if (number < -largest) return -largest;
  float value = static_cast<float>(smallest_double_at_least(number));
  if (mpq_class(value) < number) value = std::nextafter(value, HUGE_VALF);
  const float below = std::nextafter(value, -HUGE_VALF);
  if (std::isinf(below)) return value;
  return mpq_class(below) >= number ? below : value;
}

class OnnxWriter {
 public:
  OnnxWriter(const Network& network, OnnxDialect dialect)
      : network_(network), quantised_(dialect == OnnxDialect::qonnx), graph_(*model_.mutable_graph()) {}

  std::string text() {
    model_.set_ir_version(7);
    model_.set_producer_name("bnnplan");
    add_operators("", 13);
    if (quantised_) add_operators(quantised_domain, 1);
    graph_.set_name("network");
    add_port(*graph_.add_input(), "inputs", network_.inputs.size(), onnx::TensorProto::FLOAT);
    floats("plus", {}, {1});
    floats("minus", {}, {-1});
    std::string bits = add_inputs();
    for (std::size_t l = 0; l < network_.layers.size(); ++l) {
      const bool last = l + 1 == network_.layers.size() && !is_classifier(network_);
      bits = add_layer(network_.layers[l], l, bits, last);
    }
    if (is_classifier(network_)) add_scores(bits);
    add_metadata();
    return model_.SerializeAsString();
  }

 private:
  void add_operators(const char* domain, int version) {
    onnx::OperatorSetIdProto& set = *model_.add_opset_import();
    set.set_domain(domain);
    set.set_version(version);
  }

  // A value of N x width, or of N if the width is 0.
  static void add_port(onnx::ValueInfoProto& port, const char* name, std::size_t width, int type) {
    port.set_name(name);
    auto& tensor = *port.mutable_type()->mutable_tensor_type();
    tensor.set_elem_type(type);
    tensor.mutable_shape()->add_dim()->set_dim_param("N");
    if (width > 0) tensor.mutable_shape()->add_dim()->set_dim_value(static_cast<std::int64_t>(width));
  }

  onnx::TensorProto& constant(const std::string& name, const std::vector<std::size_t>& shape, int type) {
    onnx::TensorProto& tensor = *graph_.add_initializer();
    tensor.set_name(name);
    tensor.set_data_type(type);
    for (const std::size_t length : shape) tensor.add_dims(static_cast<std::int64_t>(length));
    return tensor;
  }

  std::string floats(const std::string& name, const std::vector<std::size_t>& shape,
                     const std::vector<float>& values) {
    onnx::TensorProto& tensor = constant(name, shape, onnx::TensorProto::FLOAT);
    for (const float value : values) tensor.add_float_data(value);
    return name;
  }

  // Adds a node with one output.
  onnx::NodeProto& node(const char* operation, const std::vector<std::string>& inputs,
                        const std::string& output) {
    onnx::NodeProto& added = *graph_.add_node();
    added.set_op_type(operation);
    added.set_name(fmt::format("{}_{}", operation, graph_.node_size()));
    for (const std::string& input : inputs) added.add_input(input);
    added.add_output(output);
    return added;
  }
  std::string apply(const char* operation, const std::vector<std::string>& inputs,
                    const std::string& output) {
    node(operation, inputs, output);
    return output;
  }
  std::string quantise(const std::string& input, const std::string& output) {
    node("BipolarQuant", {input, "plus"}, output).set_domain(quantised_domain);
    return output;
  }
  std::string cast(const std::string& input, int type, const std::string& output) {
    set_integer(node("Cast", {input}, output), "to", type);
    return output;
  }

  static void set_integer(onnx::NodeProto& node, const char* name, std::int64_t value) {
    onnx::AttributeProto& attribute = *node.add_attribute();
    attribute.set_name(name);
    attribute.set_type(onnx::AttributeProto::INT);
    attribute.set_i(value);
  }

  // The bits of  value >= bound, as -1 and +1, or, at the end of a network, as its outputs.
  std::string add_comparison(const std::string& value, const std::string& bound, const std::string& name,
                             bool last) {
    const std::string bits = last ? "outputs" : name + ".bits";
    if (last) add_port(*graph_.add_output(), "outputs", network_.outputs.size(), onnx::TensorProto::FLOAT);
    if (quantised_) return quantise(apply("Sub", {value, bound}, name + ".above"), bits);
    const std::string on = apply("GreaterOrEqual", {value, bound}, name + ".on");
    return last ? cast(on, onnx::TensorProto::FLOAT, bits) : apply("Where", {on, "plus", "minus"}, bits);
  }

  std::string add_inputs() {
    std::vector<float> thresholds;
    for (std::size_t i = 0; i < network_.inputs.size(); ++i) {
      const bool numeric = has_numbers(network_) && network_.numbers[i];
      thresholds.push_back(numeric ? threshold_of(*network_.numbers[i], network_.inputs[i]) : 0.5f);
    }
    return add_comparison("inputs", floats("input.threshold", {thresholds.size()}, thresholds), "input",
                          false);
  }

  // For floats, x >= t is the same as x >= the smallest float not below t. But x may stand for a number that
  // is not a float, and must not be mistaken for another one.
  float threshold_of(const NumericInput& number, const std::string& name) const {
    const float threshold = smallest_float_at_least(number.threshold);
    const mpq_class first = value_at_least(number, number.threshold), last = first - number.step;
    const bool told_apart = (first > number.high || static_cast<float>(nearest_double(first)) >= threshold) &&
                            (last < number.low || static_cast<float>(nearest_double(last)) < threshold);
    if (std::isfinite(threshold) && told_apart) return threshold;
    // Between two values of x; if floats are too coarse even there, they are too coarse for this network.
    const auto middle = static_cast<float>(nearest_double(first - number.step / 2));
    if (std::isfinite(middle) && middle > static_cast<float>(nearest_double(last)) &&
        middle <= static_cast<float>(nearest_double(first))) {
      return middle;
    }
    throw InputError(
        fmt::format("input '{}': 32-bit floats, which ONNX models take, cannot distinguish {} from {}",
                    printable(name), exact_text(last), exact_text(first)));
  }

  // The smallest value of x that is not below the threshold, or the one after the last.
  static mpq_class value_at_least(const NumericInput& number, const mpq_class& threshold) {
    const mpq_class steps =
        (std::min(std::max(threshold, number.low), mpq_class(number.high + number.step)) - number.low) /
        number.step;
    return number.low + mpq_class(ceiling_of(steps)) * number.step;
  }

  // D of each neuron. Weights are inputs x neurons, the layout of MatMul.
  template <class Neurons>
  std::string add_product(const Neurons& neurons, const std::string& bits, const std::string& name) {
    const std::size_t inputs = neurons.front().weights.size();
    std::vector<float> weights(inputs * neurons.size());
    bool zeros = false;
    for (std::size_t n = 0; n < neurons.size(); ++n) {
      for (std::size_t i = 0; i < inputs; ++i) {
        weights[i * neurons.size() + n] = neurons[n].weights[i];
        zeros |= neurons[n].weights[i] == 0;
      }
    }
    std::string matrix = floats(name + ".weights", {inputs, neurons.size()}, weights);
    if (quantised_ && !zeros) matrix = quantise(matrix, name + ".signs");
    return apply("MatMul", {bits, matrix}, name + ".sum");
  }

  std::string add_layer(const Layer& layer, std::size_t number, const std::string& bits, bool last) {
    const std::string name = fmt::format("layer{}", number);
    const std::string sum = add_product(layer.neurons, bits, name);
    std::vector<float> bounds;
    for (const Neuron& neuron : layer.neurons) {
      const std::int64_t inputs = fan_in(neuron.weights);
      const std::int64_t threshold =
          std::clamp<std::int64_t>(neuron.threshold, 0, inputs + 1);  // else floats round it
      bounds.push_back(static_cast<float>(2 * threshold - inputs));
    }
    return add_comparison(sum, floats(name + ".bound", {bounds.size()}, bounds), name, last);
  }

  void add_scores(const std::string& bits) {
    const std::string sum = add_product(network_.scores, bits, "score");
    int type = onnx::TensorProto::FLOAT;
    if (const auto small = integer_scores(network_, float_integers)) {
      add_affine(*small, sum);
    } else {
      auto large = integer_scores(network_, double_integers);
      if (!large) large = ordered_scores(network_, double_integers);
      if (!large)
        throw InputError(
            "64-bit floats, the most precise in ONNX models, cannot distinguish the scores of the network");
      type = onnx::TensorProto::DOUBLE;
      add_affine(*large, cast(sum, type, "score.double"));
    }
    add_port(*graph_.add_output(), "scores", network_.scores.size(), type);
    onnx::NodeProto& best = node("ArgMax", {"scores"}, "class");
    set_integer(best, "axis", 1);
    set_integer(best, "keepdims", 0);
    if (network_.tie == ClassTie::highest) set_integer(best, "select_last_index", 1);
    add_port(*graph_.add_output(), "class", 0, onnx::TensorProto::INT64);
  }

  // Scores as integers, or unscaled if their denominator is a power of two: their digits are the same.
  void add_affine(const IntegerScores& scores, const std::string& sum) {
    const bool in_floats = sum == "score.sum";
    const double divisor = std::has_single_bit(static_cast<std::uint64_t>(scores.factor))
                               ? static_cast<double>(scores.factor)
                               : 1.0;
    const auto numbers = [&](const std::string& name, const std::vector<std::int64_t>& values) {
      onnx::TensorProto& tensor =
          constant(name, {values.size()}, in_floats ? onnx::TensorProto::FLOAT : onnx::TensorProto::DOUBLE);
      for (const std::int64_t value : values) {
        const double number = static_cast<double>(value) / divisor;
        if (in_floats) {
          tensor.add_float_data(static_cast<float>(number));
        } else {
          tensor.add_double_data(number);
        }
      }
      return name;
    };
    const std::string scaled = apply("Mul", {sum, numbers("score.scale", scores.scales)}, "score.scaled");
    apply("Add", {scaled, numbers("score.bias", scores.biases)}, "scores");
  }

  void add_metadata() {
    for (const auto& [key, value] : metadata_of(network_)) {
      onnx::StringStringEntryProto& entry = *model_.add_metadata_props();
      entry.set_key(key);
      entry.set_value(value);
    }
  }

  const Network& network_;
  bool quantised_;
  onnx::ModelProto model_;
  onnx::GraphProto& graph_;
};

}  // namespace

std::string onnx_text(const Network& network, OnnxDialect dialect) {
  return OnnxWriter(network, dialect).text();
}

}  // namespace bnnplan::exchange

// From a graph to a network. The nodes are visited in file order, in which they can be computed: a value that
// is used before it is made (a cycle) is an error. The output is then traced back through its stages: sums of
// bits, the comparisons that produced the bits, and so on down to the inputs.
#include "bnnplan/exchange/onnx_network.hpp"

#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>

#include "bnnplan/base/binary_file.hpp"
#include "bnnplan/base/count_text.hpp"
#include "bnnplan/base/exact_number.hpp"
#include "bnnplan/base/input_error.hpp"
#include "bnnplan/exchange/import_notes.hpp"
#include "bnnplan/exchange/onnx_metadata.hpp"
#include "bnnplan/exchange/onnx_operations.hpp"

namespace bnnplan::exchange {

namespace {

constexpr std::array foreign_domains = {"onnx.brevitas", "qonnx.custom_op.general", "finn.custom_op.general"};
constexpr std::array convolutions = {"Conv",    "ConvTranspose", "ConvInteger",      "QLinearConv",
                                     "MaxPool", "AveragePool",   "GlobalAveragePool"};
// Elementwise functions that may be added and subtracted again, as straight-through estimators do.
constexpr std::array activations = {"Relu",     "LeakyRelu", "Tanh", "Sigmoid", "HardSigmoid",
                                    "Softsign", "Elu",       "Erf",  "PRelu"};

// Elementwise operations that had an attribute before version 7 for where the smaller side begins.
constexpr std::array formerly_aligned = {"Add", "Sub", "Mul", "Div", "Pow", "Greater", "Less"};

template <class Names>
bool is_among(const std::string& name, const Names& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::vector<GraphValue> computed(const NodeView& view) {
  const OnnxNode& node = view.node();
  if (node.domain.empty()) {
    if (view.walk().graph.version < 7 && view.attribute("axis") != nullptr &&
        is_among(node.operation, formerly_aligned))
      view.fail("aligns its inputs by an axis (operators before version 7), expected version 7 or later");
    for (const OperationTable* table : {&shape_operations(), &arithmetic_operations(), &matrix_operations(),
                                        &comparison_operations(), &end_operations()}) {
      if (const auto found = table->find(node.operation); found != table->end()) return found->second(view);
    }
    if (is_among(node.operation, convolutions))
      view.fail("a convolution, expected layers of neurons that see all inputs");
    if (is_among(node.operation, activations) && view.has(0))
      return {view.opaque("not an operation of a binarized network", view.raw(0)->shape)};
  } else if (is_among(node.domain, foreign_domains)) {
    const OperationTable& table = foreign_operations();
    if (const auto found = table.find(node.operation); found != table.end()) return found->second(view);
  }
  const std::string of_domain =
      node.domain.empty() ? "" : fmt::format(", of the domain '{}'", printable(node.domain, 60));
  return {view.opaque(fmt::format("not an operation of a binarized network{}", of_domain))};
}

// If there is more than one dimension, the first is the number of samples: one, unless the file is made for a
// batch. Shapes are then those of the whole batch, as other constants of the file may be, too.
void add_input(GraphWalk& walk) {
  const auto fail = [&](std::string_view what) { throw InputError(walk.file, what); };
  if (walk.graph.inputs.size() != 1)
    fail(fmt::format("a graph with {} inputs, expected one", walk.graph.inputs.size()));
  const OnnxPort& port = walk.graph.inputs[0];
  if (!port.has_shape)
    fail(fmt::format("the shape of the input '{}' is not in the file", printable(port.name)));
  if (port.shape.size() > dimension_limit)
    fail(fmt::format("an input of {} dimensions, expected at most {}", port.shape.size(), dimension_limit));
  auto value = std::make_shared<GraphValue>();
  value->kind = GraphValueKind::affine;
  value->id = ++walk.next_id;
  value->whole = port.whole;
  for (std::size_t d = 0; d < port.shape.size(); ++d) {
    const bool samples = d == 0 && port.shape.size() > 1;
    if (!samples && !port.shape[d])
      fail(fmt::format("the shape of the input '{}' is open in dimension {}", printable(port.name), d + 1));
    value->shape.push_back(samples ? std::max<std::size_t>(port.shape[d].value_or(1), 1) : *port.shape[d]);
    if (samples) walk.samples = value->shape[0];
  }
  const std::optional<std::size_t> count = element_count(value->shape);
  const std::size_t most = std::min(imported_width_limit, walk.limits.at_a_time);
  if (!count || *count == 0 || *count / walk.samples > most || *count > walk.limits.at_a_time)
    fail(fmt::format("an input of {}, expected at least one number and not more than {}{}",
                     shape_text(value->shape), most, batch_text(walk)));
  const std::size_t units = *count / walk.samples;
  walk.live += *count;
  for (std::size_t i = 0; i < *count; ++i)
    value->elements.push_back({static_cast<std::uint32_t>(i % units), static_cast<std::uint32_t>(i / units)});
  walk.stages.push_back(
      {.kind = StageKind::input, .place = "the input", .below = 0, .units = units, .sums = {}, .bits = {}});
  walk.values[port.name] = std::move(value);
}

// The last node that reads each value, except for outputs: after it the value can be freed.
std::map<std::string, std::size_t> last_uses(const OnnxGraph& graph) {
  std::map<std::string, std::size_t> last;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i)
    for (const std::string& name : graph.nodes[i].inputs) last[name] = i;
  for (const OnnxPort& port : graph.outputs) last.erase(port.name);
  return last;
}

void walk_nodes(GraphWalk& walk) {
  const std::map<std::string, std::size_t> last = last_uses(walk.graph);
  std::set<std::string> seen;
  for (std::size_t n = 0; n < walk.graph.nodes.size(); ++n) {
    const OnnxNode& node = walk.graph.nodes[n];
    const NodeView view(walk, node);
    std::vector<GraphValue> results;
    try {
      results = computed(view);
    } catch (const SurdError& error) {
      view.fail(error.what());
    }
    const bool same = node.operation == "Identity" || node.operation == "Dropout";
    for (std::size_t i = 0; i < node.outputs.size() && i < results.size(); ++i) {
      if (node.outputs[i].empty()) continue;
      if (!same) results[i].id = ++walk.next_id;
      if (results[i].kind != GraphValueKind::opaque) view.check_size(results[i].shape);
      walk.made += results[i].size();
      walk.live += results[i].size();
      if (walk.values.contains(node.outputs[i]) || walk.graph.constants.contains(node.outputs[i]) ||
          !seen.insert(node.outputs[i]).second)
        view.fail(fmt::format("makes '{}', which already exists", printable(node.outputs[i], 80)));
      walk.values.emplace(node.outputs[i], std::make_shared<const GraphValue>(std::move(results[i])));
    }
    for (const std::string& name : node.inputs) {
      const auto use = last.find(name);
      const auto value = walk.values.find(name);
      if (use == last.end() || use->second != n || value == walk.values.end()) continue;
      walk.live -= value->second->size();
      walk.values.erase(value);
    }
  }
}

class NetworkOfStages {
 public:
  explicit NetworkOfStages(const GraphWalk& walk)
      : walk_(walk), facts_(facts_of_metadata(walk.graph.metadata, walk.file)) {
    network_.file = walk.file;
    network_.record = facts_.record;
    add_facts(facts_of_sign(walk.options));
  }

  ImportedNetwork of(const GraphValue& output) {
    if (output.kind == GraphValueKind::constant)
      fail("the output is constant: it does not depend on the input");
    const Stage& last = walk_.stages[output.stage];
    if (last.kind == StageKind::input) fail("the graph computes no layer");
    const bool scores = last.kind == StageKind::sums;
    if (!scores && (output.kind == GraphValueKind::classes || output.is_squashed))
      fail("the best class of bits, expected scores");
    if (walk_.options.scores && *walk_.options.scores != scores)
      fail(
          fmt::format("wrong kind of outputs requested: the graph ends with {}", scores ? "scores" : "bits"));
    const std::vector<Element> elements = of_one_sample(output.elements);
    if (scores) {
      network_.scores = layer_of_scores(last, elements);
      add_layers_below(last.below);
    } else {
      add_layers_below(output.stage);
      turn_outputs(elements);
    }
    network_.tie = walk_.options.class_tie.value_or(
        output.kind == GraphValueKind::classes ? output.tie : ClassTie::lowest);
    name_outputs(elements.size(), scores);
    return std::move(network_);
  }

 private:
  [[noreturn]] void fail(std::string_view what) const { throw InputError(walk_.file, what); }

  // The outputs of the first sample, provided that all others are computed from their inputs in the same way.
  std::vector<Element> of_one_sample(const std::vector<Element>& elements) const {
    std::vector<std::vector<Element>> samples(walk_.samples);
    for (const Element& element : elements) {
      samples[element.sample].push_back(element);
      samples[element.sample].back().sample = 0;
    }
    if (std::any_of(samples.begin(), samples.end(), [&](const auto& other) { return other != samples[0]; }))
      fail("the samples are not all computed in the same way" + batch_text(walk_));
    return std::move(samples[0]);
  }

  // (a1 + b1 r) D + (a2 + b2 r), r = sqrt(v), as (scale D + shift) / r + beta. If only the sign counts, it
  // may be divided by r.
  Normalisation normalisation(const Surd& scale, const Surd& shift, bool only_sign,
                              const std::string& place) const {
    if (scale.is_rational() && shift.is_rational()) return {scale.a(), shift.a(), 1, 0};
    const mpq_class v = scale.is_rational() ? shift.v() : scale.v();
    const auto factor =
        shift.is_rational() ? std::optional(mpq_class(1)) : exact_root(mpq_class(shift.v() / v));
    if (!factor) fail(fmt::format("{}: two different square roots meet", place));
    const mpq_class b2 = shift.b() * *factor;
    if (scale.a() == 0) return {scale.b() * v, b2 * v, v, shift.a()};
    if (scale.b() == 0 && only_sign) return {scale.a(), shift.a(), v, b2};
    fail(fmt::format("{}: a square root meets a plain number", place));
  }

  // A sum of a stage as a neuron; a sum over inputs that are bits is expressed in terms of -1 and +1.
  ImportedNeuron neuron_of(const Stage& sums, std::uint32_t unit, Surd scale, Surd shift, bool only_sign,
                           const std::string& place) const {
    ImportedNeuron neuron;
    neuron.weights = sums.sums[unit].weights;
    if (walk_.stages[sums.below].kind == StageKind::input) {
      const auto [low, high] = *walk_.options.bits;
      long sum = 0;
      for (const std::int8_t weight : neuron.weights) sum += weight;
      shift = shift + scale * Surd(mpq_class((low + high) / 2 * sum));
      scale = scale * Surd(mpq_class((high - low) / 2));
    }
    neuron.norm = normalisation(scale, shift, only_sign, place);
    return neuron;
  }

  ImportedLayer layer_of_scores(const Stage& sums, const std::vector<Element>& elements) const {
    ImportedLayer layer;
    layer.place = sums.place;
    for (const Element& element : elements)
      layer.neurons.push_back(neuron_of(sums, element.unit, element.scale, element.shift, false, sums.place));
    return layer;
  }

  // From a stage of bits, or the input, downwards.
  void add_layers_below(std::size_t stage) {
    std::vector<ImportedLayer> layers;  // from last to first
    while (walk_.stages[stage].kind == StageKind::bits &&
           walk_.stages[walk_.stages[stage].below].kind == StageKind::sums) {
      const Stage& bits = walk_.stages[stage];
      const Stage& sums = walk_.stages[bits.below];
      ImportedLayer layer;
      layer.place = bits.place;
      for (const BitUnit& bit : bits.bits) {
        layer.neurons.push_back(neuron_of(sums, bit.unit, bit.scale, bit.shift, true, bits.place));
        layer.neurons.back().at_zero = bit.at_zero;
      }
      layers.push_back(std::move(layer));
      stage = sums.below;
    }
    std::reverse(layers.begin(), layers.end());
    network_.layers = std::move(layers);
    add_inputs(stage);
  }

  void add_inputs(std::size_t stage) {
    const Stage& first = walk_.stages[stage];
    const std::size_t count = walk_.stages[0].units;
    for (std::size_t i = 0; i < count; ++i) {
      ImportedInput input;
      input.name = facts_.inputs.size() == count ? facts_.inputs[i] : fmt::format("x{}", i);
      network_.inputs.push_back(std::move(input));
    }
    if (first.kind == StageKind::input) {
      add_facts(facts_of_bits(walk_.options));
      return;
    }
    if (walk_.options.bits) fail("the option 'bits' is given, but the network binarizes its inputs itself");
    const bool described = facts_.ranges.size() == count && !walk_.options.range && !walk_.options.step;
    if (!described) require_numbers(walk_.options, walk_.file);
    const mpq_class scale = walk_.options.scale.value_or(1);
    std::vector<std::optional<std::uint32_t>> input_of(first.bits.size());
    for (std::size_t i = 0; i < first.bits.size(); ++i) {
      const BitUnit& bit = first.bits[i];
      ImportedInput& input = network_.inputs[bit.unit];
      if (input.numeric)
        fail(fmt::format("{}: input {} becomes two different bits, expected one", first.place, bit.unit));
      input.numeric = true;
      input.norm = normalisation(bit.scale * Surd(scale), bit.shift, true, first.place);
      input.at_zero = bit.at_zero;
      input_of[i] = bit.unit;
    }
    for (std::size_t i = 0; i < count; ++i) {
      ImportedInput& input = network_.inputs[i];
      if (!input.numeric) input.at_zero = ZeroGives::one;  // ignored
      input.numeric = true;
      input.low = described ? facts_.ranges[i].low : walk_.options.range->first;
      input.high = described ? facts_.ranges[i].high : walk_.options.range->second;
      input.step = described ? facts_.ranges[i].step : *walk_.options.step;
    }
    if (described) add_facts({"ranges of the inputs as the model's metadata has them"});
    reorder_first_weights(input_of);
    add_facts(facts_of_numbers(walk_.options));
  }

  // Puts the weights of the first layer into the order of the inputs, instead of that of the bits made from
  // them.
  void reorder_first_weights(const std::vector<std::optional<std::uint32_t>>& input_of) {
    ImportedLayer& layer = network_.layers.empty() ? network_.scores : network_.layers.front();
    for (ImportedNeuron& neuron : layer.neurons) {
      std::vector<std::int8_t> weights(network_.inputs.size(), 0);
      for (std::size_t i = 0; i < neuron.weights.size(); ++i) weights[*input_of[i]] = neuron.weights[i];
      neuron.weights = std::move(weights);
    }
  }

  // Outputs that are bits: in output order, where the larger of the two values is 1.
  void turn_outputs(const std::vector<Element>& elements) {
    if (network_.layers.empty()) fail("the graph computes no layer");
    ImportedLayer& last = network_.layers.back();
    std::vector<ImportedNeuron> neurons;
    for (const Element& element : elements) {
      if (element.scale.is_zero())
        fail(fmt::format("output {} is the same for both values of its bit, expected two values",
                         neurons.size() + 1));
      ImportedNeuron neuron = last.neurons[element.unit];
      if (element.scale.sign() < 0) {
        neuron.norm = {-neuron.norm.scale, -neuron.norm.shift, neuron.norm.variance, -neuron.norm.beta};
        if (neuron.at_zero != ZeroGives::neither)
          neuron.at_zero = neuron.at_zero == ZeroGives::one ? ZeroGives::zero : ZeroGives::one;
      }
      neurons.push_back(std::move(neuron));
    }
    last.neurons = std::move(neurons);
  }

  void name_outputs(std::size_t count, bool scores) {
    const bool described = walk_.options.classes.empty() && facts_.outputs.size() == count;
    network_.outputs =
        output_names(described ? facts_.outputs : walk_.options.classes, count, scores, walk_.file);
  }
  void add_facts(const std::vector<std::string>& facts) { add_to_record(network_.record, facts); }

  const GraphWalk& walk_;
  OnnxFacts facts_;
  ImportedNetwork network_;
};

// Constants made for a batch repeat the outputs of one sample; the declared shape of the output reveals it.
void check_declared_shape(const GraphWalk& walk, const OnnxPort& port, const GraphValue& value) {
  if (port.shape.size() < 2 || value.kind != GraphValueKind::affine) return;
  std::size_t declared = 1;
  for (std::size_t d = 1; d < port.shape.size(); ++d) {
    if (!port.shape[d] || *port.shape[d] > tensor_limit / declared) return;
    declared *= std::max<std::size_t>(*port.shape[d], 1);
  }
  if (declared * walk.samples != value.size())
    throw InputError(walk.file, fmt::format("the output '{}' has {} for each sample, but {} are computed{}",
                                            printable(port.name), count_text(declared, "number"),
                                            value.size() / walk.samples, batch_text(walk)));
}

// The only output, or the class if it comes with its score (TopK).
ValuePointer output_of(GraphWalk& walk) {
  if (walk.graph.outputs.empty()) throw InputError(walk.file, "a graph without an output");
  std::vector<ValuePointer> values;
  for (const OnnxPort& port : walk.graph.outputs) {
    ValuePointer found = find_value(walk, port.name);
    if (!found)
      throw InputError(walk.file, fmt::format("the output '{}' is made by no node", printable(port.name)));
    if (found->kind == GraphValueKind::classes) return found;
    values.push_back(found);
  }
  if (values.size() != 1)
    throw InputError(walk.file, fmt::format("a graph with {} outputs, expected one", values.size()));
  if (values[0]->kind == GraphValueKind::opaque) throw InputError(walk.file, values[0]->why);
  if (!values[0]->residues.empty())
    throw InputError(walk.file,
                     "the output has another value added to its bits that is never subtracted again");
  check_declared_shape(walk, walk.graph.outputs[0], *values[0]);
  return values[0];
}

}  // namespace

ImportedNetwork onnx_network(std::string_view bytes, const std::string& file, const ImportOptions& options,
                             const GraphLimits& limits) {
  if (options.latent)
    throw InputError(file,
                     "latent weights are requested, but an ONNX graph defines how its weights are used");
  if (options.epsilon) throw InputError(file, "an epsilon is given, but an ONNX graph has its own");
  const OnnxGraph graph = parse_onnx(bytes, file);
  GraphWalk walk{graph, file, options, limits};
  add_input(walk);
  walk_nodes(walk);
  const ValuePointer output = output_of(walk);
  return NetworkOfStages(walk).of(*output);
}

ImportedNetwork read_onnx_network(const std::filesystem::path& path, const ImportOptions& options) {
  return onnx_network(read_binary_file(path), path.string(), options);
}

}  // namespace bnnplan::exchange

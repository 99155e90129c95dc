// Networks: read, made of arrays, imported, and called on batches. A batch is packed while the interpreter
// lock is held, which is a copy that no other thread can change; inference works on that, without the lock.
#include <algorithm>
#include <cmath>

#include <bnnplan/exchange.hpp>
#include <fmt/format.h>

#include "bnnplan/report/describe.hpp"
#include "core.hpp"
#include "options.hpp"
#include "unlocked.hpp"

namespace bnnplan::python {

namespace {

using Weights = py::array_t<std::int8_t, py::array::c_style>;
using Numbers = py::array_t<double, py::array::c_style>;

// The rows of one layer.
std::vector<std::vector<std::int8_t>> weight_rows(const Weights& weights) {
  if (weights.ndim() != 2) throw InputError("the weights of a layer have to be an array of two dimensions");
  std::vector<std::vector<std::int8_t>> rows;
  const auto columns = static_cast<std::size_t>(weights.shape(1));
  for (py::ssize_t row = 0; row < weights.shape(0); ++row)
    rows.emplace_back(weights.data() + static_cast<std::size_t>(row) * columns,
                      weights.data() + static_cast<std::size_t>(row + 1) * columns);
  return rows;
}

CoreNetwork from_arrays(std::vector<std::string> inputs, std::vector<std::string> outputs,
                        const std::vector<Weights>& weights,
                        const std::vector<py::array_t<std::int32_t, py::array::c_style>>& thresholds) {
  if (weights.size() != thresholds.size())
    throw InputError(
        fmt::format("{} layers of weights and {} of thresholds", weights.size(), thresholds.size()));
  Network network;
  network.inputs = std::move(inputs);
  network.outputs = std::move(outputs);
  for (std::size_t l = 0; l < weights.size(); ++l) {
    Layer& layer = network.layers.emplace_back();
    auto rows = weight_rows(weights[l]);
    if (thresholds[l].ndim() != 1 || static_cast<std::size_t>(thresholds[l].shape(0)) != rows.size())
      throw InputError(
          fmt::format("layer {} has {} neurons: expected as many thresholds", l + 1, rows.size()));
    for (std::size_t n = 0; n < rows.size(); ++n)
      layer.neurons.push_back({std::move(rows[n]), thresholds[l].data()[n]});
  }
  require_well_formed(network);
  return CoreNetwork(std::move(network));
}

// `norms` has mean, variance, epsilon, gamma and beta of each neuron of a layer, in a row.
CoreNetwork from_trained(std::vector<std::string> inputs, std::vector<std::string> outputs,
                         const std::vector<Weights>& weights, const std::vector<Numbers>& norms) {
  if (weights.size() != norms.size())
    throw InputError(
        fmt::format("{} layers of weights and {} of normalisations", weights.size(), norms.size()));
  TrainedNetwork trained;
  trained.inputs = std::move(inputs);
  trained.outputs = std::move(outputs);
  for (std::size_t l = 0; l < weights.size(); ++l) {
    auto rows = weight_rows(weights[l]);
    const Numbers& norm = norms[l];
    if (norm.ndim() != 2 || static_cast<std::size_t>(norm.shape(0)) != rows.size() || norm.shape(1) != 5)
      throw InputError(
          fmt::format("layer {} has {} neurons: expected as many normalisations", l + 1, rows.size()));
    auto& layer = trained.layers.emplace_back();
    for (std::size_t n = 0; n < rows.size(); ++n) {
      const double* five = norm.data() + 5 * n;
      const BatchNorm batch_norm{five[0], five[1], five[2], five[3], five[4]};
      if (const char* fault = batch_norm_fault(batch_norm))
        throw InputError(fmt::format("neuron {} of layer {}: {}", n + 1, l + 1, fault));
      if (std::any_of(rows[n].begin(), rows[n].end(), [](int weight) { return weight < -1 || weight > 1; }))
        throw InputError(
            fmt::format("neuron {} of layer {} has a weight other than -1, 0 and 1", n + 1, l + 1));
      layer.push_back({std::move(rows[n]), batch_norm});
    }
  }
  Network network = fold(trained);
  require_well_formed(network);
  return CoreNetwork(std::move(network));
}

// The packed bits of a batch, and the shape of it.
struct Batch {
  std::vector<std::uint64_t> words;
  std::size_t rows = 0;
};

[[noreturn]] void refuse(const Network& network, std::size_t place, const std::string& value) {
  const std::size_t columns = network.inputs.size(), column = place % columns;
  throw InputError(fmt::format("row {}, input '{}' is {}, expected {}", place / columns,
                               printable(network.inputs[column]), value, range_text(network, column)));
}

template <class Array>
std::size_t row_count(const Network& network, const Array& array) {
  if (array.ndim() != 2 || static_cast<std::size_t>(array.shape(1)) != network.inputs.size())
    throw InputError(fmt::format("expected rows of {} values, one per input", network.inputs.size()));
  return static_cast<std::size_t>(array.shape(0));
}

Batch packed_bytes(CoreNetwork& self, const Bytes& bytes) {
  const Network& network = *self.network;
  Batch batch;
  batch.rows = row_count(network, bytes);
  batch.words.resize(batch.rows * words_of(network.inputs.size()));
  const std::size_t count = batch.rows * network.inputs.size();
  const std::size_t bad = pack_rows(bytes.data(), batch.rows, network.inputs.size(), batch.words.data());
  if (bad < count) refuse(network, bad, std::to_string(bytes.data()[bad]));
  return batch;
}

// Numbers of any kind, a row at a time: a batch of bytes as numbers of 8 bytes would be eight times as large.
template <class Number>
Batch packed_numbers(CoreNetwork& self, const py::array_t<Number, py::array::c_style>& numbers) {
  const Network& network = *self.network;
  if (!self.input_bits) self.input_bits = std::make_shared<const InputBits>(network);
  Batch batch;
  batch.rows = row_count(network, numbers);
  const std::size_t columns = network.inputs.size(), words = words_of(columns);
  batch.words.resize(batch.rows * words);
  std::vector<double> values(columns);
  for (std::size_t row = 0; row < batch.rows; ++row) {
    std::copy_n(numbers.data() + row * columns, columns, values.begin());
    const std::size_t bad = self.input_bits->first_not_allowed(values);
    if (bad < columns) refuse(network, row * columns + bad, fmt::format("{}", values[bad]));
    self.input_bits->pack(values, batch.words.data() + row * words);
  }
  return batch;
}

py::array evaluate_batch(CoreNetwork& self, const Batch& batch) {
  if (!self.packed) self.packed = std::make_shared<const PackedNetwork>(*self.network);
  const auto packed = self.packed;
  py::array_t<bool> result({batch.rows, packed->outputs()});
  auto* bytes = reinterpret_cast<std::uint8_t*>(result.mutable_data());
  const Unlocked unlocked;
  std::vector<std::uint64_t> outputs(batch.rows * packed->output_words());
  Workspace workspace;
  packed->evaluate(batch.words.data(), batch.rows, outputs.data(), workspace);
  unpack_rows(outputs.data(), batch.rows, packed->outputs(), bytes);
  return result;
}

py::array classify_batch(CoreNetwork& self, const Batch& batch) {
  if (!self.classifier) self.classifier = std::make_shared<const PackedClassifier>(*self.network);
  const auto classifier = self.classifier;
  py::array_t<std::uint32_t> result(static_cast<py::ssize_t>(batch.rows));
  std::uint32_t* classes = result.mutable_data();
  const Unlocked unlocked;
  ClassifierWorkspace workspace;
  classifier->classify(batch.words.data(), batch.rows, classes, workspace);
  return result;
}

py::array evaluated(CoreNetwork& self, const Batch& batch) {
  return is_classifier(*self.network) ? classify_batch(self, batch) : evaluate_batch(self, batch);
}

template <class Number>
py::array evaluated_numbers(CoreNetwork& self, const py::array_t<Number, py::array::c_style>& numbers) {
  return evaluated(self, packed_numbers(self, numbers));
}

py::list weights_of(const CoreNetwork& self) {
  py::list result;
  std::size_t width = self.network->inputs.size();
  for (const Layer& layer : self.network->layers) {
    py::array_t<std::int8_t> weights({layer.neurons.size(), width});
    for (std::size_t n = 0; n < layer.neurons.size(); ++n)
      std::copy(layer.neurons[n].weights.begin(), layer.neurons[n].weights.end(),
                weights.mutable_data() + n * width);
    result.append(weights);
    width = layer.neurons.size();
  }
  return result;
}

py::list thresholds_of(const CoreNetwork& self) {
  py::list result;
  for (const Layer& layer : self.network->layers) {
    py::array_t<std::int32_t> thresholds(static_cast<py::ssize_t>(layer.neurons.size()));
    for (std::size_t n = 0; n < layer.neurons.size(); ++n)
      thresholds.mutable_data()[n] = layer.neurons[n].threshold;
    result.append(thresholds);
  }
  return result;
}

NetworkSource source_of(const std::string& name) {
  return name == "onnx" ? NetworkSource::onnx : name == "npz" ? NetworkSource::npz : NetworkSource::torch;
}

CoreNetwork imported(const std::string& source, const std::filesystem::path& path, const py::dict& given) {
  const auto options = options_from<ImportOptions>(given, options_of);
  const Unlocked unlocked;
  return CoreNetwork(import_network(source_of(source), path, options));
}

CoreNetwork imported_bytes(const std::string& source, const py::bytes& file, const std::string& name,
                           const py::dict& given) {
  const auto options = options_from<ImportOptions>(given, options_of);
  const std::string bytes = file;
  const Unlocked unlocked;
  return CoreNetwork(import_network(source_of(source), bytes, name, options));
}

// The outputs for the samples of files, how many are right where these say so, and ties.
py::tuple evaluate_files(const CoreNetwork& self, const std::vector<std::filesystem::path>& files,
                         const py::dict& given) {
  const auto network = self.network;
  const auto options = options_from<EvalOptions>(given, options_of);
  Evaluation evaluation;
  {
    const Unlocked unlocked;
    evaluation = evaluate_samples(*network, files, options);
  }
  const auto rows = static_cast<py::ssize_t>(evaluation.samples);
  py::object outputs;
  if (is_classifier(*network)) {
    py::array_t<std::int64_t> classes(rows);
    std::copy(evaluation.classes.begin(), evaluation.classes.end(), classes.mutable_data());
    outputs = classes;
  } else {
    py::array_t<bool> bits({rows, static_cast<py::ssize_t>(network->outputs.size())});
    std::copy(evaluation.outputs.begin(), evaluation.outputs.end(), bits.mutable_data());
    outputs = bits;
  }
  return py::make_tuple(outputs, evaluation.samples, evaluation.right, evaluation.ties);
}

}  // namespace

void bind_network(py::module_& module) {
  py::class_<CoreNetwork>(module, "Network")
      .def_static(
          "read", [](const std::filesystem::path& path) { return CoreNetwork(read_network(path)); },
          py::call_guard<Unlocked>())
      .def_static(
          "parse",
          [](const std::string& text, const std::string& name) {
            return CoreNetwork(parse_network(text, name));
          },
          py::call_guard<Unlocked>())
      .def_static("from_arrays", &from_arrays)
      .def_static("from_trained", &from_trained)
      .def_static("imported", &imported)
      .def_static("imported_bytes", &imported_bytes)
      .def("write", [](const CoreNetwork& self,
                       const std::filesystem::path& path) { write_network(path, *self.network); })
      .def("write_as",
           [](const CoreNetwork& self, const std::filesystem::path& path, const py::dict& given) {
             export_network(path, *self.network, options_from<ExportOptions>(given, options_of).target);
           })
      .def("text", [](const CoreNetwork& self) { return network_text(*self.network); })
      .def("describe", [](const CoreNetwork& self) { return reporting::describe(*self.network).text; })
      .def("shape", [](const CoreNetwork& self) { return shape_text(*self.network); })
      .def_property_readonly("inputs", [](const CoreNetwork& self) { return self.network->inputs; })
      .def_property_readonly("outputs", [](const CoreNetwork& self) { return self.network->outputs; })
      .def_property_readonly("record", [](const CoreNetwork& self) { return self.network->record; })
      .def_property_readonly("is_classifier",
                             [](const CoreNetwork& self) { return is_classifier(*self.network); })
      .def_property_readonly("has_numbers",
                             [](const CoreNetwork& self) { return has_numbers(*self.network); })
      .def_property_readonly("weights", &weights_of)
      .def_property_readonly("thresholds", &thresholds_of)
      .def("evaluate_bytes",
           [](CoreNetwork& self, const Bytes& bytes) { return evaluated(self, packed_bytes(self, bytes)); })
      .def("evaluate_numbers", &evaluated_numbers<std::uint8_t>, py::arg().noconvert())
      .def("evaluate_numbers", &evaluated_numbers<std::int8_t>, py::arg().noconvert())
      .def("evaluate_numbers", &evaluated_numbers<std::uint16_t>, py::arg().noconvert())
      .def("evaluate_numbers", &evaluated_numbers<std::int16_t>, py::arg().noconvert())
      .def("evaluate_numbers", &evaluated_numbers<float>, py::arg().noconvert())
      .def("evaluate_numbers", &evaluated_numbers<double>)
      .def("evaluate_files", &evaluate_files)
      .def("equals", [](const CoreNetwork& a, const CoreNetwork& b) { return *a.network == *b.network; });
}

}  // namespace bnnplan::python

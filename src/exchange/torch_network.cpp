// A state dict has names such as fc1.weight, bn1.running_mean, in the order in which the modules were made, which for a
// chain of layers is the order of the network. A module with running_mean is a batch normalisation, one with a weight of
// two dimensions a linear layer. A normalisation before all linear layers makes bits of numbers; any other belongs to the
// linear layer before it. What is no such module is refused by name.
#include "exchange/torch_network.hpp"

#include <optional>

#include <fmt/format.h>

#include "base/binary_file.hpp"
#include "base/input_error.hpp"
#include "exchange/torch_file.hpp"
#include "exchange/weight_stack.hpp"

namespace bnnplan {

namespace {

struct TorchModule {
  std::string name;
  std::optional<Tensor> weight = {}, bias = {}, running_mean = {}, running_var = {};
};

std::vector<TorchModule> modules_of(std::vector<NamedTensor> tensors, const std::string& file) {
  std::vector<TorchModule> modules;
  for (NamedTensor& named : tensors) {
    const auto dot = named.name.rfind('.');
    const std::string name = dot == std::string::npos ? "" : named.name.substr(0, dot);
    const std::string field = dot == std::string::npos ? named.name : named.name.substr(dot + 1);
    if (field == "num_batches_tracked") continue;
    if (modules.empty() || modules.back().name != name) modules.push_back({.name = name});
    TorchModule& module = modules.back();
    std::optional<Tensor>* place = field == "weight"         ? &module.weight
                                   : field == "bias"         ? &module.bias
                                   : field == "running_mean" ? &module.running_mean
                                   : field == "running_var"  ? &module.running_var
                                                             : nullptr;
    if (place == nullptr)
      throw InputError(file,
                       fmt::format("'{}' belongs neither to a linear layer nor to a batch normalisation",
                                   printable(named.name)));
    if (place->has_value()) throw InputError(file, fmt::format("'{}' is there twice", printable(named.name)));
    *place = std::move(named.tensor);
  }
  return modules;
}

WeightStack stack_of(std::vector<TorchModule> modules, const std::string& file) {
  WeightStack stack;
  stack.file = file;
  for (TorchModule& module : modules) {
    const auto fail = [&](std::string_view what) {
      throw InputError(file, fmt::format("'{}': {}", printable(module.name), what));
    };
    if (module.running_mean || module.running_var) {
      if (!module.running_mean || !module.running_var)
        fail("running_mean without running_var, or the other way round");
      NormArrays norm{module.name,
                      std::move(*module.running_mean),
                      std::move(*module.running_var),
                      std::move(module.weight),
                      std::move(module.bias),
                      std::nullopt};
      std::optional<NormArrays>& place = stack.layers.empty() ? stack.input_norm : stack.layers.back().norm;
      if (place) fail("a batch normalisation right after another one");
      place = std::move(norm);
    } else if (module.weight) {
      const std::size_t dimensions = module.weight->shape.size();
      if (dimensions > 2)
        fail(fmt::format("a weight of {}: a convolution, expected linear layers",
                         shape_text(module.weight->shape)));
      if (dimensions < 2)
        fail(
            "a weight of one dimension, but no running_mean: neither a linear layer nor a batch "
            "normalisation");
      stack.layers.push_back({.place = module.name,
                              .weight = std::move(*module.weight),
                              .bias = std::move(module.bias),
                              .norm = {},
                              .threshold = {},
                              .scale = {}});
    } else {
      fail("a bias without a weight");
    }
  }
  return stack;
}

}  // namespace

ImportedNetwork torch_network(std::vector<NamedTensor> tensors, const std::string& file,
                              const ImportOptions& options) {
  return imported_network(stack_of(modules_of(std::move(tensors), file), file), options);
}

ImportedNetwork read_torch_network(const std::filesystem::path& path, const ImportOptions& options) {
  return torch_network(parse_torch(read_binary_file(path), path.string()), path.string(), options);
}

}  // namespace bnnplan

// A state dict has names such as fc1.weight, bn1.running_mean, in the order in which the modules were made. A
// module with running_mean is a batch normalisation, one with a two-dimensional weight a linear layer; any
// other module is refused by name. Linear layers are used in file order. A batch normalisation has a place: 0
// before all layers, otherwise the number of the layer it follows, and its width has to match its place. The
// file's places are used if every hidden layer is followed by one, as in nearly all networks; but a file may
// have all normalisations after all layers, or each before its layer. Of all ways to place them in order, the
// first and the last are easily found, and if these differ, only the option --order can decide.
//
// PyTorch adds epsilon, a double of Python, in the precision of the model.
#include "bnnplan/exchange/torch_network.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "bnnplan/base/binary_file.hpp"
#include "bnnplan/base/exact_number.hpp"
#include "bnnplan/base/input_error.hpp"
#include "bnnplan/exchange/torch_file.hpp"
#include "bnnplan/exchange/weight_stack.hpp"

namespace bnnplan::exchange {

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
    if (place->has_value()) throw InputError(file, fmt::format("'{}' occurs twice", printable(named.name)));
    *place = std::move(named.tensor);
  }
  return modules;
}

using Places = std::vector<std::size_t>;  // of each batch normalisation

struct TorchChain {
  std::vector<LinearArrays> layers;
  std::vector<NormArrays> norms;
  Places places;  // as in the file

  std::size_t width(std::size_t place) const {
    return place == 0 ? layers.front().weight.shape[1] : layers[place - 1].weight.shape[0];
  }
  bool fits(std::size_t norm, std::size_t place) const {
    return place <= layers.size() && width(place) == norms[norm].mean.values.size();
  }

  std::vector<std::string> names(const Places& at) const {
    std::vector<std::string> result;
    for (std::size_t place = 0, norm = 0; place <= layers.size(); ++place) {
      if (place > 0) result.push_back(layers[place - 1].place);
      for (; norm < norms.size() && at[norm] == place; ++norm) result.push_back(norms[norm].place);
    }
    return result;
  }
};

// From the front, each normalisation takes the first place that it fits; from the back, the last one. Empty
// if they cannot all be placed.
std::optional<Places> first_places_by_shape(const TorchChain& chain) {
  Places places;
  for (std::size_t place = 0; place <= chain.layers.size() && places.size() < chain.norms.size(); ++place)
    if (chain.fits(places.size(), place)) places.push_back(place);
  return places.size() == chain.norms.size() ? std::optional(places) : std::nullopt;
}
Places last_places_by_shape(const TorchChain& chain) {
  Places places;
  for (std::size_t place = chain.layers.size() + 1; place-- > 0 && places.size() < chain.norms.size();)
    if (chain.fits(chain.norms.size() - 1 - places.size(), place)) places.push_back(place);
  std::reverse(places.begin(), places.end());
  return places;
}

Places places_by_shape(const TorchChain& chain, const std::string& file) {
  if (chain.layers.empty() || chain.norms.empty()) return chain.places;
  const std::optional<Places> first = first_places_by_shape(chain);
  if (!first) return chain.places;  // refused later, with what does not fit
  Places one = *first, other = last_places_by_shape(chain);
  // A normalisation after every hidden layer, and any further ones before all layers or at the end.
  const auto is_usual = [&](const Places& places) {
    for (std::size_t norm = 0; norm < places.size(); ++norm)
      if (places[norm] != places[0] + norm || !chain.fits(norm, places[norm])) return false;
    return places[0] <= 1 && places.back() + 1 >= chain.layers.size();
  };
  if (is_usual(chain.places)) {
    one = other = chain.places;
    for (std::size_t& place : other) place = one[0] == 0 ? place + 1 : place - 1;
    if (!is_usual(other)) return one;
  }
  if (one == other) return one;
  throw InputError(
      file, fmt::format("its batch normalisations fit in two ways: specify the option 'order', {} or {}",
                        printable(fmt::format("{}", fmt::join(chain.names(one), ",")), 600),
                        printable(fmt::format("{}", fmt::join(chain.names(other), ",")), 600)));
}

// The modules in the order given by --order.
std::vector<TorchModule> ordered(std::vector<TorchModule> modules, const std::vector<std::string>& order,
                                 const std::string& file) {
  if (order.empty()) return modules;
  std::vector<std::string> names;
  for (const TorchModule& module : modules) names.push_back(module.name);
  const std::string of_file = printable(fmt::format("{}", fmt::join(names, ", ")), 600);
  std::vector<TorchModule> result;
  for (const std::string& name : order) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
      throw InputError(file,
                       fmt::format("order: '{}' is not among the remaining modules: expected each of {} once",
                                   printable(name, 80), of_file));
    const auto at = found - names.begin();
    result.push_back(std::move(modules[static_cast<std::size_t>(at)]));
    modules.erase(modules.begin() + at);
    names.erase(found);
  }
  if (!names.empty())
    throw InputError(file, fmt::format("the order leaves out '{}': expected each of {} once",
                                       printable(names[0], 80), of_file));
  return result;
}

TorchChain chain_of(std::vector<TorchModule> modules, const std::string& file) {
  TorchChain chain;
  for (TorchModule& module : modules) {
    const auto fail = [&](std::string_view what) {
      throw InputError(file, fmt::format("'{}': {}", printable(module.name), what));
    };
    if (module.running_mean || module.running_var) {
      if (!module.running_mean || !module.running_var)
        fail("running_mean without running_var, or the other way round");
      chain.norms.push_back({module.name, std::move(*module.running_mean), std::move(*module.running_var),
                             std::move(module.weight), std::move(module.bias), std::nullopt});
      chain.places.push_back(chain.layers.size());
    } else if (module.weight) {
      const std::size_t dimensions = module.weight->shape.size();
      if (dimensions > 2)
        fail(fmt::format("a weight of {}: a convolution, expected linear layers",
                         shape_text(module.weight->shape)));
      if (dimensions < 2)
        fail(
            "a weight of one dimension, but no running_mean: neither a linear layer nor a batch "
            "normalisation");
      chain.layers.push_back({.place = module.name,
                              .weight = std::move(*module.weight),
                              .bias = std::move(module.bias),
                              .norm = {},
                              .threshold = {},
                              .scale = {}});
    } else {
      fail("a bias without a weight");
    }
  }
  return chain;
}

WeightStack stack_of(TorchChain chain, const ImportOptions& options, const std::string& file) {
  const Places places = options.order.empty() ? places_by_shape(chain, file) : chain.places;
  WeightStack stack;
  stack.file = file;
  stack.record = {printable(
      fmt::format("the modules in the order {} (order)", fmt::join(chain.names(places), ", ")), 2000)};
  stack.layers = std::move(chain.layers);
  bool is_double = true;
  for (std::size_t i = 0; i < places.size(); ++i) {
    NormArrays& norm = chain.norms[i];
    std::optional<NormArrays>& place = places[i] == 0 ? stack.input_norm : stack.layers[places[i] - 1].norm;
    if (place)
      throw InputError(
          file, fmt::format("'{}': a batch normalisation right after another one", printable(norm.place)));
    if (options.epsilon) {
      const double epsilon = nearest_double(*options.epsilon);
      norm.epsilon = norm.variance.is_double ? epsilon : static_cast<float>(epsilon);
      is_double = is_double && norm.variance.is_double;
    }
    place = std::move(norm);
  }
  if (options.epsilon && !places.empty())
    stack.record.push_back(fmt::format("epsilon of batch normalisation {}, as a {}-bit float (epsilon)",
                                       exact_text(*options.epsilon), is_double ? 64 : 32));
  return stack;
}

}  // namespace

ImportedNetwork torch_network(std::vector<NamedTensor> tensors, const std::string& file,
                              const ImportOptions& options) {
  return imported_network(
      stack_of(chain_of(ordered(modules_of(std::move(tensors), file), options.order, file), file), options,
               file),
      options);
}

ImportedNetwork read_torch_network(const std::filesystem::path& path, const ImportOptions& options) {
  return torch_network(parse_torch(read_binary_file(path), path.string()), path.string(), options);
}

}  // namespace bnnplan::exchange

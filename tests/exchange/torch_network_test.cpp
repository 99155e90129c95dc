// State dicts of PyTorch: which modules they have, and in which order these are used.
#include "bnnplan/exchange/torch_network.hpp"

#include <sstream>

#include "bnnplan/base/input_error.hpp"
#include "support/input_error_of.hpp"

namespace bnnplan::exchange {
namespace {

using testing::input_error_of;

NamedTensor tensor(std::string name, std::vector<std::size_t> shape, std::vector<double> values) {
  return {std::move(name), {std::move(shape), std::move(values)}};
}

TEST(TorchNetwork, ModulesInOrder) {
  ImportOptions options;
  options.latent = true;
  options.epsilon = 0;
  options.tie = ZeroGives::one;
  const std::vector<NamedTensor> tensors = {tensor("fc1.weight", {2, 3}, {0.5, -0.25, 0, 3, 2, 1}),
                                            tensor("fc1.bias", {2}, {0, 1}),
                                            tensor("bn1.weight", {2}, {1, -1}),
                                            tensor("bn1.bias", {2}, {0, 0}),
                                            tensor("bn1.running_mean", {2}, {0, 0}),
                                            tensor("bn1.running_var", {2}, {1, 1}),
                                            tensor("bn1.num_batches_tracked", {}, {5}),
                                            tensor("fc2.weight", {2, 2}, {1, -1, -1, 1})};
  const Network network = fold(torch_network(tensors, "n.pt", options));
  EXPECT_EQ(network.layers[0].neurons[0].weights, (std::vector<std::int8_t>{1, -1, 0}));
  EXPECT_EQ(network.layers[0].neurons[1].weights, (std::vector<std::int8_t>{-1, -1, -1}));
  EXPECT_EQ(network.scores.size(), 2u);
  EXPECT_EQ(network.record,
            (std::vector<std::string>{"the modules in the order fc1, bn1, fc2 (order)",
                                      "epsilon of batch normalisation 0, as a 32-bit float (epsilon)",
                                      "sign at 0 gives 1 (tie)", "inputs are bits, -1 and 1 (bits)",
                                      "the last layer has scores (outputs)",
                                      "latent weights that are 0, taken as absent: 1"}));
  const auto error = [&](std::vector<NamedTensor> given) {
    return input_error_of([&] { torch_network(std::move(given), "n.pt", options); });
  };
  EXPECT_EQ(error({tensor("fc.alpha", {}, {1})}),
            "n.pt: 'fc.alpha' belongs neither to a linear layer nor to a batch normalisation");
  EXPECT_EQ(error({tensor("c.weight", {1, 1, 3, 3}, std::vector<double>(9))}),
            "n.pt: 'c': a weight of 1 x 1 x 3 x 3: a convolution, expected linear layers");
  EXPECT_EQ(error({tensor("n.weight", {3}, {1, 2, 3})}),
            "n.pt: 'n': a weight of one dimension, but no running_mean: neither a linear layer nor a batch "
            "normalisation");
  EXPECT_EQ(error({tensor("n.bias", {3}, {1, 2, 3})}), "n.pt: 'n': a bias without a weight");
  EXPECT_EQ(error({tensor("n.running_var", {3}, {1, 2, 3})}),
            "n.pt: 'n': running_mean without running_var, or the other way round");
  EXPECT_EQ(error({tensor("a.running_mean", {1}, {0}), tensor("a.running_var", {1}, {1}),
                   tensor("b.running_mean", {1}, {0}), tensor("b.running_var", {1}, {1})}),
            "n.pt: 'b': a batch normalisation right after another one");
  EXPECT_EQ(error({tensor("fc.weight", {1, 1}, {1}), tensor("fc.weight", {1, 1}, {1})}),
            "n.pt: 'fc.weight' occurs twice");
}

// Modules by their names: fc has weights, bn is a batch normalisation, and the number after the colon is its
// width, for fc after that of its inputs: "fc1:4:3,bn1:3".
std::vector<NamedTensor> modules_named(const std::string& text) {
  std::vector<NamedTensor> tensors;
  std::istringstream words(text);
  for (std::string word; std::getline(words, word, ',');) {
    const auto colon = word.find(':'), last = word.rfind(':');
    const std::string name = word.substr(0, colon);
    const std::size_t width = std::stoul(word.substr(last + 1));
    if (name.starts_with("fc")) {
      const std::size_t inputs = std::stoul(word.substr(colon + 1));
      tensors.push_back(tensor(name + ".weight", {width, inputs}, std::vector<double>(width * inputs, 1)));
    } else {
      tensors.push_back(tensor(name + ".running_mean", {width}, std::vector<double>(width, 0.25)));
      tensors.push_back(tensor(name + ".running_var", {width}, std::vector<double>(width, 1)));
    }
  }
  return tensors;
}

ImportOptions in_order(std::vector<std::string> order) {
  ImportOptions options;
  options.epsilon = mpq_class(1, 100'000);
  options.tie = ZeroGives::one;
  options.order = std::move(order);
  return options;
}

// The chain that was read, as it is printed, or why it was not.
std::string chain_read(const std::string& modules, std::vector<std::string> order = {}) {
  ImportOptions options = in_order(std::move(order));
  try {
    options.range = {0, 1};
    options.step = 1;
    return torch_network(modules_named(modules), "n.pt", options).record.at(0);
  } catch (const InputError& error) {
    if (std::string_view(error.what()).find("its inputs are bits") == std::string_view::npos)
      return error.what();
  }
  options.range.reset();
  options.step.reset();
  return torch_network(modules_named(modules), "n.pt", options).record.at(0);
}

// A state dict has modules in the order in which they were made, which may not be that in which they are
// used.
TEST(TorchNetwork, OrdersThatFit) {
  const auto expect_chain = [](const std::string& modules, const std::string& chain) {
    EXPECT_EQ(chain_read(modules), fmt::format("the modules in the order {} (order)", chain)) << modules;
  };
  const auto expect_two = [](const std::string& modules, const std::string& one, const std::string& other) {
    EXPECT_EQ(chain_read(modules),
              fmt::format("n.pt: its batch normalisations fit in two ways: specify the option 'order', "
                          "{} or {}",
                          one, other))
        << modules;
  };
  // A normalisation behind every hidden layer is the file's order, whatever else would fit.
  expect_chain("fc1:4:4,bn1:4,fc2:4:4,bn2:4,fc3:4:4", "fc1, bn1, fc2, bn2, fc3");
  expect_chain("bn0:4,fc1:4:4,bn1:4,fc2:4:3", "bn0, fc1, bn1, fc2");
  expect_chain("fc1:4:3,bn1:3,fc2:3:2,bn2:2", "fc1, bn1, fc2, bn2");
  expect_chain("bn0:4,fc1:4:4,bn1:4,fc2:4:4,bn2:4", "bn0, fc1, bn1, fc2, bn2");
  expect_chain("fc1:4:3", "fc1");
  // All normalisations behind all layers, or before: widths that differ say where they belong.
  expect_chain("fc1:5:4,fc2:4:3,fc3:3:2,bn1:4,bn2:3", "fc1, bn1, fc2, bn2, fc3");
  expect_chain("bn1:4,bn2:3,fc1:5:4,fc2:4:3,fc3:3:2", "fc1, bn1, fc2, bn2, fc3");
  expect_chain("fc1:5:4,fc2:4:3,bn1:4", "fc1, bn1, fc2");
  expect_two("fc1:4:4,fc2:4:4,bn1:4", "bn1,fc1,fc2", "fc1,fc2,bn1");
  expect_two("fc1:5:4,fc2:4:4,bn1:4", "fc1,bn1,fc2", "fc1,fc2,bn1");
  expect_two("bn1:4,fc1:4:4,fc2:4:3", "bn1,fc1,fc2", "fc1,bn1,fc2");
  expect_two("fc1:5:4,fc2:4:4,fc3:4:2,bn1:4", "fc1,bn1,fc2,fc3", "fc1,fc2,bn1,fc3");
  // Each made before its layer, or behind it.
  expect_two("bn1:4,fc1:4:4,bn2:4,fc2:4:4", "bn1,fc1,bn2,fc2", "fc1,bn1,fc2,bn2");
  expect_two("fc1:4:4,bn1:4,fc2:4:4,bn2:4", "fc1,bn1,fc2,bn2", "bn1,fc1,bn2,fc2");
}

TEST(TorchNetwork, OrderThatIsGiven) {
  const std::string equal = "fc1:4:4,fc2:4:4,bn1:4";
  EXPECT_EQ(chain_read(equal, {"fc1", "bn1", "fc2"}), "the modules in the order fc1, bn1, fc2 (order)");
  EXPECT_EQ(chain_read(equal, {"bn1", "fc2", "fc1"}), "the modules in the order bn1, fc2, fc1 (order)");
  ImportOptions options = in_order({"fc1", "bn1", "fc2"});
  const ImportedNetwork network = torch_network(modules_named(equal), "n.pt", options);
  EXPECT_EQ(network.layers[0].neurons[0].norm.shift, mpq_class(-1, 4));
  EXPECT_EQ(network.scores.neurons[0].norm.shift, 0);
  EXPECT_EQ(chain_read(equal, {"fc1", "bn2", "fc2"}),
            "n.pt: order: 'bn2' is not among the remaining modules: expected each of fc1, fc2, bn1 once");
  EXPECT_EQ(chain_read(equal, {"fc1", "bn1", "bn1", "fc2"}),
            "n.pt: order: 'bn1' is not among the remaining modules: expected each of fc1, fc2, bn1 once");
  EXPECT_EQ(chain_read(equal, {"fc1", "fc2"}),
            "n.pt: the order leaves out 'bn1': expected each of fc1, fc2, bn1 once");
  EXPECT_EQ(chain_read("fc1:4:4,bn1:4,bn2:4", {"fc1", "bn1", "bn2"}),
            "n.pt: 'bn2': a batch normalisation right after another one");
}

// PyTorch adds epsilon in the precision of the model.
TEST(TorchNetwork, EpsilonIsAFloatOfTheModel) {
  std::vector<NamedTensor> tensors = modules_named("fc1:3:2,bn1:2,fc2:2:2");
  ImportOptions options = in_order({});
  const auto variance = [&] {
    return torch_network(tensors, "n.pt", options).layers[0].neurons[0].norm.variance;
  };
  EXPECT_EQ(variance(), mpq_class(1) + mpq_class(1e-5F));
  for (NamedTensor& named : tensors) named.tensor.is_double = true;
  EXPECT_EQ(variance(), mpq_class(1) + mpq_class(1e-5));
}

}  // namespace
}  // namespace bnnplan::exchange

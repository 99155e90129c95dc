#include "network/network_file.hpp"

#include <random>

#include <gtest/gtest.h>

#include "base/text_file.hpp"
#include "support/input_error_of.hpp"
#include "support/temporary_folder.hpp"

namespace bnnplan {
namespace {

using testing::input_error_of;

constexpr std::string_view small =
    "bnn 1\n"
    "# a comment\n"
    "shape 3:2:1\n"
    "inputs\n"
    "  go[$x| $y]\n"
    "  at.0\n"
    "  at.1\n"
    "outputs\n"
    "  at.1'\n"
    "layer\n"
    "  +-0 >= 1\n"
    "  ++- norm 0.5 1 0 -1 0\n"
    "\n"
    "layer\n"
    "  +- >= 2\n"
    "end\n";

TEST(NetworkFile, ReadsNamesWeightsAndThresholds) {
  const Network network = parse_network(small, "f");
  EXPECT_EQ(network.inputs, (std::vector<std::string>{"go[$x| $y]", "at.0", "at.1"}));
  EXPECT_EQ(network.outputs, (std::vector<std::string>{"at.1'"}));
  EXPECT_EQ(network.layers[0].neurons[0], (Neuron{{1, -1, 0}, 1}));
  EXPECT_EQ(network.layers[0].neurons[1], (Neuron{{-1, -1, 1}, 2})) << "folded while reading";
  EXPECT_EQ(network.layers[1].neurons[0], (Neuron{{1, -1}, 2}));
  EXPECT_EQ(shape_text(network), "3:2:1");
}

TEST(NetworkFile, WritesWhatItReads) {
  std::mt19937 random(3);
  for (int i = 0; i < 50; ++i) {
    Network network;
    std::size_t width = 1 + random() % 70;
    for (std::size_t j = 0; j < width; ++j) network.inputs.push_back("in " + std::to_string(j));
    const std::size_t layers = 1 + random() % 3;
    for (std::size_t l = 0; l < layers; ++l) {
      Layer& layer = network.layers.emplace_back();
      const std::size_t neurons = 1 + random() % 70;
      for (std::size_t j = 0; j < neurons; ++j) {
        Neuron& neuron = layer.neurons.emplace_back();
        for (std::size_t k = 0; k < width; ++k)
          neuron.weights.push_back(static_cast<std::int8_t>(random() % 3) - 1);
        neuron.threshold = static_cast<std::int32_t>(random() % (width + 3)) - 1;
      }
      width = neurons;
    }
    for (std::size_t j = 0; j < width; ++j) network.outputs.push_back("out" + std::to_string(j) + "'");
    EXPECT_EQ(parse_network(network_text(network), "f"), network);
  }
  const testing::TemporaryFolder folder;
  write_network(folder / "n.bnn", parse_network(small, "f"));
  EXPECT_EQ(read_network(folder / "n.bnn"), parse_network(small, "f"));
}

// The small network with `from` replaced by `to`.
std::string error_after(std::string_view from, std::string_view to) {
  std::string text(small);
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  text.replace(at, from.size(), to);
  return input_error_of([&] { parse_network(text, "f"); });
}

TEST(NetworkFile, RefusesWithFileAndLine) {
  EXPECT_EQ(input_error_of([] { parse_network("", "f"); }), "f:1: the file ends, expected 'bnn 1'");
  EXPECT_EQ(error_after("bnn 1", "nn 1"), "f:1: not a network file: the first line is not 'bnn 1'");
  EXPECT_EQ(error_after("bnn 1", "bnn 2"), "f:1: unknown version 'bnn 2', expected 'bnn 1'");
  EXPECT_EQ(error_after("shape 3:2:1\n", ""),
            "f:3: expected 'shape' and the widths, such as 'shape 13:36:9'");
  EXPECT_EQ(error_after("shape 3:2:1", "shape 3:2:x"), "f:3: bad shape, expected widths such as 13:36:9");
  EXPECT_EQ(error_after("shape 3:2:1", "shape 3:2,1"), "f:3: bad shape, expected widths such as 13:36:9");
  EXPECT_EQ(error_after("shape 3:2:1", "shape 3:0:1"), "f:3: a layer has a width from 1 to 1048576");
  EXPECT_EQ(error_after("shape 3:2:1", "shape 99999999999999999999:1"),
            "f:3: a layer has a width from 1 to 1048576");
  EXPECT_EQ(error_after("shape 3:2:1", "shape 3"),
            "f:3: a network has inputs and at least one layer, such as 'shape 13:36:9'");
  EXPECT_EQ(error_after("shape 3:2:1", "shape 4:2:1"), "f:9: 'at.1'', expected 'outputs'")
      << "'outputs' is taken for the fourth input's name";
  EXPECT_EQ(error_after("inputs", "input"), "f:4: 'input', expected 'inputs'");
  EXPECT_EQ(error_after("at.1\n", "at.0\n"), "f:7: duplicate input 'at.0'");
  EXPECT_EQ(error_after("+-0 >= 1", "+-00 >= 1"), "f:11: the neuron has 4 weights (+ - 0), expected 3");
  EXPECT_EQ(error_after("+-0 >= 1", "+- >= 1"), "f:11: the neuron has 2 weights (+ - 0), expected 3");
  EXPECT_EQ(error_after("+-0 >= 1", "+-0 > 1"),
            "f:11: '> 1' after the weights, expected '>= THRESHOLD' or 'norm ...'");
  EXPECT_EQ(error_after("+-0 >= 1", "+-0 >= 1x"), "f:11: bad threshold '1x', expected an integer");
  EXPECT_EQ(error_after("+-0 >= 1", "+-0 >="), "f:11: bad threshold '', expected an integer");
  EXPECT_EQ(error_after("+-0 >= 1", "+-0 >= 99999999999"), "f:11: threshold too large");
  EXPECT_EQ(error_after("norm 0.5 1 0 -1 0", "norm 0.5 1 0 -1"),
            "f:12: expected five numbers: mean variance epsilon gamma beta");
  EXPECT_EQ(error_after("norm 0.5 1 0 -1 0", "norm 0.5 1 0 -1x 0"),
            "f:12: expected five numbers: mean variance epsilon gamma beta");
  EXPECT_EQ(error_after("norm 0.5 1 0 -1 0", "norm 0.5 1 0 -1 0 7"), "f:12: '7' after the neuron");
  EXPECT_EQ(error_after("norm 0.5 1 0 -1 0", "norm 0.5 1 0 nan 0"),
            "f:12: batch normalisation parameter is not a number");
  EXPECT_EQ(error_after("norm 0.5 1 0 -1 0", "norm 0.5 0 0 1 0"), "f:12: variance + epsilon is not positive");
  EXPECT_EQ(error_after("norm 0.5 1 0 -1 0", "norm 1e999 1 0 1 0"),
            "f:12: a batch normalisation parameter is out of the range of double precision");
  EXPECT_EQ(error_after("end\n", ""), "f:15: the file ends, expected 'end'");
  EXPECT_EQ(error_after("end\n", "end\nmore\n"), "f:17: 'more' after the end of the network");
  EXPECT_EQ(error_after("+-0 >= 1", "\x1b[2J"), "f:11: the neuron has 0 weights (+ - 0), expected 3");
}

TEST(NetworkFile, EveryTruncationIsRefused) {
  for (std::size_t length = 0; length + 1 < small.size(); ++length) {
    EXPECT_THROW(parse_network(small.substr(0, length), "f"), InputError) << length;
  }
}

}  // namespace
}  // namespace bnnplan

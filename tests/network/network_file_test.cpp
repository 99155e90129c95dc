#include "bnnplan/network/network_file.hpp"

#include <random>

#include <gtest/gtest.h>

#include "bnnplan/base/random.hpp"
#include "bnnplan/base/text_file.hpp"
#include "support/input_error_of.hpp"
#include "support/random_network.hpp"
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
  EXPECT_EQ(input_error_of([] { parse_network("", "f"); }),
            "f:1: the file ends, expected 'bnn 1' or 'bnn 2'");
  EXPECT_EQ(error_after("bnn 1", "nn 1"),
            "f:1: not a network file: the first line is not 'bnn 1' or 'bnn 2'");
  EXPECT_EQ(error_after("bnn 1", "bnn 3"), "f:1: unknown version 'bnn 3', expected 'bnn 1' or 'bnn 2'");
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

constexpr std::string_view pets =
    "bnn 2\n"
    "shape 2:3:2\n"
    "inputs\n"
    "  width\n"
    "  red\n"
    "numbers\n"
    "  >= 127.5 from 0 to 255 step 1\n"
    "  bit\n"
    "outputs\n"
    "  cat\n"
    "  dog\n"
    "layer\n"
    "  ++ >= 1\n"
    "  -+ >= 2\n"
    "  +0 >= 1\n"
    "scores highest rounded\n"
    "  +-+ * 1 + -0.5\n"
    "  --0 * 3/7 + 0\n"
    "record\n"
    "  | imported from pets.onnx\n"
    "  | # not a comment\n"
    "end\n";

TEST(NetworkFile, ClassifiersAreReadAndWritten) {
  const Network network = parse_network(pets, "f");
  EXPECT_EQ(network_text(network), pets);
  EXPECT_EQ(shape_text(network), "2:3:2");
  EXPECT_EQ(network.numbers[0], (NumericInput{mpq_class(255, 2), 0, 255, 1}));
  EXPECT_FALSE(network.numbers[1]);
  EXPECT_EQ(network.scores[1], (Score{{-1, -1, 0}, mpq_class(3, 7), 0}));
  EXPECT_EQ(network.tie, ClassTie::highest);
  EXPECT_TRUE(network.rounded);
  EXPECT_EQ(network.record, (std::vector<std::string>{"imported from pets.onnx", "# not a comment"}));
}

TEST(NetworkFile, RandomClassifiersRoundTrip) {
  Random random(9);
  for (int i = 0; i < 200; ++i) {
    Network network = testing::random_network(random, testing::random_shape(random, 12));
    if (random.below(3) == 0) network.record = {"", "learned from data.csv", " two  blanks"};
    EXPECT_EQ(parse_network(network_text(network), "f"), network) << network_text(network);
    const bool plain = network.numbers.empty() && network.scores.empty() && network.record.empty();
    EXPECT_EQ(network_text(network).substr(0, 5), plain ? "bnn 1" : "bnn 2");
  }
}

TEST(NetworkFile, RefusesClassifiersWithFileAndLine) {
  const auto error = [](std::string_view from, std::string_view to) {
    std::string text(pets);
    text.replace(text.find(from), from.size(), to);
    return input_error_of([&] { parse_network(text, "f"); });
  };
  EXPECT_EQ(error("bnn 2", "bnn 1"), "f:6: 'numbers', expected 'outputs'");
  EXPECT_EQ(error("  bit\n", "  bits\n"), "f:8: expected '>= THRESHOLD from LOW to HIGH step STEP'");
  EXPECT_EQ(error("from 0 to 255", "from 0 255"), "f:7: expected '>= THRESHOLD from LOW to HIGH step STEP'");
  EXPECT_EQ(error("127.5", "1/0"), "f:7: bad number '1/0', expected one such as 0.5 or 1/255");
  EXPECT_EQ(error("127.5", "nan"), "f:7: bad number 'nan', expected one such as 0.5 or 1/255");
  EXPECT_EQ(error("from 0 to 255", "from 256 to 255"), "f:7: the range of a number is empty");
  EXPECT_EQ(error("step 1", "step 0"), "f:7: the step of a number is not positive");
  EXPECT_EQ(error("step 1", "step 1 2"), "f:7: '2' after the number");
  EXPECT_EQ(error("scores highest", "score highest"),
            "f:16: 'score highest rounded', expected 'layer' or 'scores'");
  EXPECT_EQ(error("scores highest", "scores best"),
            "f:16: expected 'scores lowest' or 'scores highest', and perhaps 'rounded'");
  EXPECT_EQ(error("* 1 + -0.5", "* 1"), "f:17: expected '* SCALE + BIAS'");
  EXPECT_EQ(error("* 1 + -0.5", "* 0 + -0.5"), "f:17: the scale of a score is not positive");
  EXPECT_EQ(error("* 1 + -0.5", "* 1 + -0.5 7"), "f:17: '7' after the class");
  EXPECT_EQ(error("+-+ *", "+- *"), "f:17: the neuron has 2 weights (+ - 0), expected 3");
  EXPECT_EQ(error("  | imported", "  imported"), "f:20: 'imported from pets.onnx', expected 'end'");
}

TEST(NetworkFile, EveryTruncationIsRefused) {
  for (const std::string_view text : {small, pets}) {
    for (std::size_t length = 0; length + 1 < text.size(); ++length)
      EXPECT_THROW(parse_network(text.substr(0, length), "f"), InputError) << length;
  }
}

TEST(NetworkFile, Names) {
  EXPECT_TRUE(is_network_name("robot-at[$x21| $y12]"));
  for (const char* name : {"", " a", "a ", "#a", "a\nb", "a\rb"}) EXPECT_FALSE(is_network_name(name)) << name;
}

}  // namespace
}  // namespace bnnplan

// Files that are made for a batch of several samples: one sample is read, whatever the file does with the
// shape of the batch, and what would mix samples or tell them apart is refused. Random networks in random
// spellings are compared, on all inputs, with what they compute by definition.
#include <algorithm>
#include <numeric>

#include "bnnplan/base/random.hpp"
#include "bnnplan/exchange/onnx_network.hpp"
#include "bnnplan/network/reference_inference.hpp"
#include "support/input_error_of.hpp"
#include "support/onnx_maker.hpp"

namespace bnnplan::exchange {
namespace {

using testing::input_error_of;
using testing::OnnxMaker;

using Signs = std::vector<std::vector<float>>;  // a row for each neuron

struct SmallNetwork {
  Signs weights, score_weights;
  std::vector<float> bounds;  // a neuron is on where its sum is at least this

  std::size_t class_of(const BitValues& inputs) const {
    std::vector<float> x, scores;
    for (const BitValue bit : inputs) x.push_back(bit != 0 ? 1 : -1);
    std::vector<float> y = products(weights, x);
    for (std::size_t j = 0; j < y.size(); ++j) y[j] = y[j] >= bounds[j] ? 1 : -1;
    scores = products(score_weights, y);
    return static_cast<std::size_t>(std::max_element(scores.begin(), scores.end()) - scores.begin());
  }

  static std::vector<float> products(const Signs& rows, const std::vector<float>& x) {
    std::vector<float> sums;
    for (const std::vector<float>& row : rows)
      sums.push_back(std::inner_product(row.begin(), row.end(), x.begin(), 0.0F));
    return sums;
  }
};

Signs random_signs(Random& random, std::size_t rows, std::size_t columns) {
  Signs signs(rows, std::vector<float>(columns));
  for (std::vector<float>& row : signs)
    for (float& sign : row) sign = random.below(2) == 0 ? -1 : 1;
  return signs;
}

SmallNetwork random_small_network(Random& random) {
  const std::size_t inputs = 2 + random.below(4), neurons = 1 + random.below(4),
                    classes = 2 + random.below(2);
  SmallNetwork network{random_signs(random, neurons, inputs), random_signs(random, classes, neurons), {}};
  for (std::size_t j = 0; j < neurons; ++j)
    network.bounds.push_back(static_cast<float>(random.below(inputs + 1)) - static_cast<float>(inputs) / 2);
  return network;
}

// The rows one below the other, or as columns.
std::vector<float> flat(const Signs& rows, bool as_columns) {
  std::vector<float> values;
  if (!as_columns) {
    for (const std::vector<float>& row : rows) values.insert(values.end(), row.begin(), row.end());
  } else {
    for (std::size_t i = 0; i < rows[0].size(); ++i)
      for (const std::vector<float>& row : rows) values.push_back(row[i]);
  }
  return values;
}

// A number for each neuron of each sample, or one for all.
void add_choice(OnnxMaker& maker, Random& random, const std::string& name, float value, std::int64_t samples,
                std::int64_t width) {
  switch (random.below(3)) {
    case 0:
      maker.floats(name, {}, {value});
      break;
    case 1:
      maker.floats(name, {samples, width},
                   std::vector<float>(static_cast<std::size_t>(samples * width), value));
      break;
    default:
      maker.integers(name + ".shape", {samples, width});
      maker.floats(name + ".one", {}, {value}).node("Expand", {name + ".one", name + ".shape"}, {name});
  }
}

// The bits of all samples in "bits", in a random spelling.
OnnxMaker beginning_of_batch(const SmallNetwork& network, std::int64_t samples, Random& random) {
  OnnxMaker maker;
  const auto inputs = static_cast<std::int64_t>(network.weights[0].size());
  const auto neurons = static_cast<std::int64_t>(network.weights.size());
  maker.input("x", {samples, inputs});
  if (random.below(2) == 0) {
    maker.floats("w", {inputs, neurons}, flat(network.weights, true)).node("MatMul", {"x", "w"}, {"sums"});
  } else {  // weights first, so that samples are columns
    maker.floats("w", {neurons, inputs}, flat(network.weights, false)).node("Transpose", {"x"}, {"columns"});
    maker.node("MatMul", {"w", "columns"}, {"turned"}).node("Transpose", {"turned"}, {"sums"});
  }
  std::vector<float> bounds;
  for (std::int64_t s = 0; s < samples; ++s)
    bounds.insert(bounds.end(), network.bounds.begin(), network.bounds.end());
  if (random.below(2) == 0) {
    maker.floats("bound", {samples, neurons}, bounds);
  } else {
    maker.floats("bound", {neurons}, network.bounds);
  }
  add_choice(maker, random, "plus", 1, samples, neurons);
  add_choice(maker, random, "minus", -1, samples, neurons);
  maker.node("GreaterOrEqual", {"sums", "bound"}, {"on"}).node("Where", {"on", "plus", "minus"}, {"chosen"});
  switch (random.below(3)) {
    case 0:  // one long row and back again
      maker.integers("long", {samples * neurons}).node("Reshape", {"chosen", "long"}, {"row"});
      maker.integers("matrix", {samples, -1}).node("Reshape", {"row", "matrix"}, {"bits"});
      break;
    case 1: {  // the last sample first
      std::vector<std::int64_t> order;
      for (std::int64_t s = samples; s-- > 0;) order.push_back(s);
      maker.integers("order", order).node("Gather", {"chosen", "order"}, {"bits"});
      break;
    }
    default:
      maker.node("Identity", {"chosen"}, {"bits"});
  }
  return maker;
}

ImportOptions plus_and_minus() {
  ImportOptions options;
  options.bits = {-1, 1};
  return options;
}
std::string batch_error(const OnnxMaker& maker) {
  return input_error_of([&] { fold(onnx_network(maker.bytes(), "n.onnx", plus_and_minus())); });
}

TEST(OnnxBatch, OneSampleIsRead) {
  Random random(1);
  for (int round = 0; round < 500; ++round) {
    const SmallNetwork small = random_small_network(random);
    const auto samples = static_cast<std::int64_t>(1 + random.below(4));
    const auto neurons = static_cast<std::int64_t>(small.weights.size()),
               classes = static_cast<std::int64_t>(small.score_weights.size());
    OnnxMaker maker = beginning_of_batch(small, samples, random);
    switch (random.below(3)) {
      case 0:
        maker.floats("v", {neurons, classes}, flat(small.score_weights, true));
        maker.node("MatMul", {"bits", "v"}, {"out"}).output("out", {samples, classes});
        break;
      case 1:
        maker.floats("v", {neurons, classes}, flat(small.score_weights, true));
        maker.node("MatMul", {"bits", "v"}, {"scores"}).node("Softmax", {"scores"}, {"p"});
        maker.node("ArgMax", {"p"}, {"out"}, {{"axis", std::int64_t{1}}}).output("out");
        break;
      default:
        maker.floats("v", {classes, neurons}, flat(small.score_weights, false));
        maker.node("Transpose", {"bits"}, {"below"}).node("MatMul", {"v", "below"}, {"scores"});
        maker.node("ArgMax", {"scores"}, {"out"}, {{"axis", std::int64_t{0}}}).output("out");
    }
    const Network network = fold(onnx_network(maker.bytes(), "n.onnx", plus_and_minus()));
    ASSERT_EQ(shape_text(network), fmt::format("{}:{}:{}", small.weights[0].size(), neurons, classes))
        << round;
    for (unsigned code = 0; code < 1U << network.inputs.size(); ++code) {
      BitValues bits;
      for (std::size_t i = 0; i < network.inputs.size(); ++i)
        bits.push_back(static_cast<BitValue>(code >> i & 1));
      ASSERT_EQ(reference_class(network, bits), small.class_of(bits)) << round << ' ' << code;
    }
  }
}

// x to "bits", with what Where gives for each neuron of three samples.
OnnxMaker three_samples(const std::vector<float>& plus, std::int64_t samples = 3) {
  const std::vector<float> signs = {1, -1, 1, 1, -1, -1, 1, -1, 1, 1, 1, 1};
  OnnxMaker maker;
  return maker.input("x", {samples, 4})
      .floats("w", {4, 3}, signs)
      .floats("v", {3, 2}, {1, 1, -1, -1, 1, 1})
      .floats("zero", {}, {0})
      .floats("plus", {3, 3}, plus)
      .floats("minus", {}, {-1})
      .node("MatMul", {"x", "w"}, {"sums"})
      .node("GreaterOrEqual", {"sums", "zero"}, {"on"})
      .node("Where", {"on", "plus", "minus"}, {"bits"});
}

TEST(OnnxBatch, SamplesThatAreMixedOrNotAlike) {
  const std::vector<float> ones(9, 1);
  OnnxMaker other = three_samples({1, 1, 1, -3, -3, -3, 1, 1, 1});
  EXPECT_EQ(batch_error(other.node("MatMul", {"bits", "v"}, {"out"}).output("out")),
            "n.onnx: the samples are not all computed in the same way (the file has a batch of 3)");
  OnnxMaker mixed = three_samples(ones);
  mixed.integers("all", {1, 9}).node("Reshape", {"bits", "all"}, {"row"}).floats("u", {9, 1}, ones);
  EXPECT_EQ(batch_error(mixed.node("MatMul", {"row", "u"}, {"out"}).output("out")),
            "n.onnx: node 'out' (MatMul): adds up values of different samples (the file has a batch of 3)");
  OnnxMaker one = three_samples(ones);
  one.integers("first", {0}).node("Gather", {"bits", "first"}, {"row"});
  EXPECT_EQ(batch_error(one.node("MatMul", {"row", "v"}, {"out"}).output("out")),
            "n.onnx: the samples are not all computed in the same way (the file has a batch of 3)");
  OnnxMaker high = three_samples(ones);
  high.integers("two", {2, -1}).node("Reshape", {"bits", "two"}, {"out"});
  EXPECT_EQ(batch_error(high.output("out")),
            "n.onnx: node 'out' (Reshape): makes 2 x -1 from 3 x 3 (the file has a batch of 3)");
  OnnxMaker wrong = three_samples(ones);
  wrong.node("MatMul", {"bits", "v"}, {"s"}).node("ArgMax", {"s"}, {"c"}, {{"axis", std::int64_t{0}}});
  EXPECT_EQ(batch_error(wrong.output("c")),
            "n.onnx: node 'c' (ArgMax): the maximum of a part of the scores (the file has a batch of 3)");
  OnnxMaker large = three_samples(ones);
  large.node("MatMul", {"bits", "v"}, {"out"}).output("out");
  EXPECT_EQ(input_error_of([&] {
              onnx_network(large.bytes(), "n.onnx", plus_and_minus(), {1 << 10, 1 << 10, 50});
            }),
            "n.onnx: node 'out' (MatMul): matrices that are too large (the file has a batch of 3)");
}

// The number of samples is open, beside constants for three.
TEST(OnnxBatch, ABatchThatOnlyConstantsShow) {
  OnnxMaker maker = three_samples(std::vector<float>(9, 1), 0);
  EXPECT_EQ(batch_error(maker.node("MatMul", {"bits", "v"}, {"out"}).output("out", {0, 2})),
            "n.onnx: the output 'out' has 2 numbers for each sample, but 6 are computed");
}

}  // namespace
}  // namespace bnnplan::exchange

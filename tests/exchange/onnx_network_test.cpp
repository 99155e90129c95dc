// Every way of writing a binarized network in ONNX that is understood, each beside what it computes by
// definition, on all inputs; and what is refused, by name.
#include "bnnplan/exchange/onnx_network.hpp"

#include <cmath>
#include <functional>
#include <limits>

#include "bnnplan/network/reference_inference.hpp"
#include "support/input_error_of.hpp"
#include "support/onnx_maker.hpp"

namespace bnnplan::exchange {
namespace {

using testing::input_error_of;
using testing::OnnxMaker;
using testing::OnnxNumbers;

using Floats = std::vector<float>;
using Bits = std::vector<int>;  // -1 and +1

ImportOptions bit_inputs() {
  ImportOptions options;
  options.bits = {-1, 1};
  return options;
}

Network imported(const OnnxMaker& maker, const ImportOptions& options = bit_inputs()) {
  return fold(onnx_network(maker.bytes(), "n.onnx", options));
}
std::string error_of(const OnnxMaker& maker, const ImportOptions& options = bit_inputs()) {
  return input_error_of([&] { imported(maker, options); });
}

// The rows of a matrix of 3 neurons over 4 inputs, whose sums are even, and of 2 scores over 3 neurons.
const std::vector<std::vector<int>> rows = {{1, -1, 1, 1}, {-1, -1, 1, -1}, {1, 1, 1, 1}};
const std::vector<std::vector<int>> score_rows = {{1, 1, -1}, {-1, 1, 1}};

Floats matrix(const std::vector<std::vector<int>>& from, bool inputs_first, float factor = 1) {
  Floats values(from.size() * from[0].size());
  for (std::size_t i = 0; i < from.size(); ++i)
    for (std::size_t j = 0; j < from[0].size(); ++j)
      values[inputs_first ? j * from.size() + i : i * from[0].size() + j] =
          factor * static_cast<float>(from[i][j]);
  return values;
}

int sum(const std::vector<int>& row, const Bits& x) {
  int total = 0;
  for (std::size_t i = 0; i < row.size(); ++i) total += row[i] * x[i];
  return total;
}

// Compares on all 16 inputs: `hidden(j, D)` says what neuron j gives for the sum D. Where the neurons are
// `turned`, the next layer has the other signs.
void expect_same(const Network& network, const std::function<int(std::size_t, int)>& hidden,
                 bool turned = false) {
  ASSERT_EQ(network.inputs.size(), 4u);
  for (unsigned code = 0; code < 16; ++code) {
    Bits x;
    BitValues inputs;
    for (int i = 0; i < 4; ++i) {
      inputs.push_back(static_cast<BitValue>(code >> i & 1));
      x.push_back(inputs.back() == 1 ? 1 : -1);
    }
    Bits y;
    for (std::size_t j = 0; j < rows.size(); ++j) y.push_back(hidden(j, sum(rows[j], x)));
    const BitValues layer = evaluate_layer(network.layers[0], inputs);
    for (std::size_t j = 0; j < rows.size(); ++j)
      EXPECT_EQ(layer[j] == 1, (y[j] == 1) != turned) << code << ' ' << j;
    const std::size_t expected = sum(score_rows[1], y) > sum(score_rows[0], y) ? 1 : 0;
    EXPECT_EQ(reference_class(network, inputs), expected) << code;
  }
}

// "x" to "sums", then what the test puts between "sums" and "bits", then "bits" to "out".
OnnxMaker beginning(int version = 13) {
  OnnxMaker maker(version);
  maker.input("x", {0, 4}).floats("w", {4, 3}, matrix(rows, true)).node("MatMul", {"x", "w"}, {"sums"});
  return maker;
}
OnnxMaker& ended(OnnxMaker& maker) {
  return maker.floats("v", {3, 2}, matrix(score_rows, true))
      .node("MatMul", {"bits", "v"}, {"out"})
      .output("out");
}

int sign_or_one(double value) { return value >= 0 ? 1 : -1; }
// What is added to the sums: no sum is 0 afterwards.
const Floats odd = {1, -1, 3};

TEST(OnnxNetwork, Sign) {
  OnnxMaker maker = beginning();
  maker.floats("b", {3}, odd).node("Add", {"sums", "b"}, {"moved"}).node("Sign", {"moved"}, {"bits"});
  expect_same(imported(ended(maker)), [](std::size_t j, int d) { return d + odd[j] > 0 ? 1 : -1; });
}

TEST(OnnxNetwork, SignThatMayBeZero) {
  OnnxMaker maker = beginning();
  maker.node("Sign", {"sums"}, {"bits"});
  ended(maker);
  const std::string error = error_of(maker);
  EXPECT_NE(error.find("node 'bits' (Sign)"), std::string::npos) << error;
  EXPECT_NE(error.find("the option 'tie'"), std::string::npos) << error;
  ImportOptions tie = bit_inputs();
  tie.tie = ZeroGives::one;
  expect_same(imported(maker, tie), [](std::size_t, int d) { return d >= 0 ? 1 : -1; });
  tie.tie = ZeroGives::zero;
  expect_same(imported(maker, tie), [](std::size_t, int d) { return d > 0 ? 1 : -1; });
}

TEST(OnnxNetwork, SignAddSign) {
  for (const float moved : {0.1F, -0.1F}) {
    OnnxMaker maker = beginning();
    maker.floats("tenth", {}, {moved})
        .node("Sign", {"sums"}, {"s"})
        .node("Add", {"s", "tenth"}, {"t"})
        .node("Sign", {"t"}, {"bits"});
    expect_same(imported(ended(maker)),
                [&](std::size_t, int d) { return d > 0 || (d == 0 && moved > 0) ? 1 : -1; });
  }
  // Turned round: sign(0.1 - sign(x)).
  OnnxMaker maker = beginning();
  maker.floats("tenth", {}, {0.1F})
      .node("Sign", {"sums"}, {"s"})
      .node("Sub", {"tenth", "s"}, {"t"})
      .node("Sign", {"t"}, {"bits"});
  expect_same(imported(ended(maker)), [](std::size_t, int d) { return d <= 0 ? 1 : -1; });
}

TEST(OnnxNetwork, BipolarQuantInThreeDomains) {
  for (const std::string domain : {"onnx.brevitas", "qonnx.custom_op.general", "finn.custom_op.general"}) {
    OnnxMaker maker = beginning();
    maker.floats("one", {}, {1}).node(domain + ":BipolarQuant", {"sums", "one"}, {"bits"});
    expect_same(imported(ended(maker)), [](std::size_t, int d) { return sign_or_one(d); });
  }
  OnnxMaker maker = beginning();
  maker.floats("one", {}, {1}).node("someone.else:BipolarQuant", {"sums", "one"}, {"bits"});
  EXPECT_EQ(error_of(ended(maker)),
            "n.onnx: node 'bits' (BipolarQuant): not an operation of a binarized network, of the domain "
            "'someone.else'");
}

TEST(OnnxNetwork, MultiThreshold) {
  OnnxMaker maker = beginning();
  maker.floats("t", {3, 1}, {0, 2, -2})
      .node("finn.custom_op.general:MultiThreshold", {"sums", "t"}, {"bits"},
            {{"out_scale", 2.0F}, {"out_bias", -1.0F}, {"out_dtype", std::string("BIPOLAR")}});
  expect_same(imported(ended(maker)), [](std::size_t j, int d) {
    return sign_or_one(d - std::vector<int>{0, 2, -2}[j]);
  });
  OnnxMaker two = beginning();
  two.floats("t", {1, 3}, {-1, 0, 1}).node("finn.custom_op.general:MultiThreshold", {"sums", "t"}, {"bits"});
  EXPECT_EQ(error_of(ended(two)),
            "n.onnx: node 'bits' (MultiThreshold): 3 thresholds for each channel, so 4 different values, "
            "expected bits");
}

TEST(OnnxNetwork, ComparisonAndWhere) {
  struct Way {
    std::string operation;
    bool constant_first;
    std::function<bool(int)> holds;
  };
  const std::vector<Way> ways = {{"GreaterOrEqual", false, [](int d) { return d >= 0; }},
                                 {"Greater", false, [](int d) { return d > 0; }},
                                 {"Less", false, [](int d) { return d < 0; }},
                                 {"LessOrEqual", false, [](int d) { return d <= 0; }},
                                 {"GreaterOrEqual", true, [](int d) { return 0 >= d; }},
                                 {"Less", true, [](int d) { return 0 < d; }}};
  for (const Way& way : ways) {
    for (const bool negated : {false, true}) {
      OnnxMaker maker = beginning();
      maker.floats("zero", {}, {0}).floats("up", {1}, {1}).floats("down", {}, {-1});
      maker.node(way.operation,
                 way.constant_first ? std::vector<std::string>{"zero", "sums"}
                                    : std::vector<std::string>{"sums", "zero"},
                 {"c"});
      if (negated) maker.node("Not", {"c"}, {"n"});
      maker.node("Where", {negated ? "n" : "c", "up", "down"}, {"bits"});
      expect_same(
          imported(ended(maker)), [&](std::size_t, int d) { return way.holds(d) != negated ? 1 : -1; },
          negated);
    }
  }
}

TEST(OnnxNetwork, ComparisonCastMulSub) {
  OnnxMaker maker = beginning();
  maker.floats("zero", {}, {0}).floats("two", {}, {2}).floats("one", {}, {1});
  maker.node("GreaterOrEqual", {"sums", "zero"}, {"c"}).node("Cast", {"c"}, {"f"}, {{"to", std::int64_t{1}}});
  maker.node("Mul", {"f", "two"}, {"m"}).node("Sub", {"m", "one"}, {"bits"});
  expect_same(imported(ended(maker)), [](std::size_t, int d) { return sign_or_one(d); });
}

// A constant that is made a half float would be rounded; a single float stays.
TEST(OnnxNetwork, CastsOfConstants) {
  for (const std::int64_t kind : {1, 10, 11, 16}) {
    OnnxMaker maker = beginning();
    maker.floats("b", {3}, odd).node("Cast", {"b"}, {"c"}, {{"to", kind}}).node("Add", {"sums", "c"}, {"y"});
    maker.node("Sign", {"y"}, {"bits"});
    expect_same(imported(ended(maker)), [](std::size_t j, int d) { return d + odd[j] > 0 ? 1 : -1; });
  }
  OnnxMaker half = beginning();
  half.floats("b", {3}, {0.1F, 1, 1})
      .node("Cast", {"b"}, {"c"}, {{"to", std::int64_t{10}}})
      .node("Add", {"sums", "c"}, {"bits"});
  EXPECT_EQ(error_of(ended(half)), "n.onnx: node 'c' (Cast): rounds numbers to half floats");
}

// sign(x) / 2 + 1/2 is 1/2 where x is 0: as an integer 0, as a truth value true.
TEST(OnnxNetwork, CastsOfSignsThatAreZero) {
  for (const std::int64_t kind : {std::int64_t{7}, std::int64_t{9}}) {
    OnnxMaker maker = beginning();
    maker.floats("half", {}, {0.5F})
        .node("Sign", {"sums"}, {"s"})
        .node("Mul", {"s", "half"}, {"halves"})
        .node("Add", {"halves", "half"}, {"share"})
        .node("Cast", {"share"}, {"rounded"}, {{"to", kind}})
        .node("Cast", {"rounded"}, {"f"}, {{"to", std::int64_t{1}}})
        .node("Sub", {"f", "half"}, {"moved"})
        .node("Sign", {"moved"}, {"bits"});
    expect_same(imported(ended(maker)),
                [kind](std::size_t, int d) { return d > 0 || (d == 0 && kind == 9) ? 1 : -1; });
  }
  // 3/2 becomes a third integer.
  OnnxMaker third = beginning();
  third.floats("half", {}, {1.5F})
      .node("Sign", {"sums"}, {"s"})
      .node("Mul", {"s", "half"}, {"halves"})
      .node("Add", {"halves", "half"}, {"share"})
      .node("Cast", {"share"}, {"bits"}, {{"to", std::int64_t{7}}});
  EXPECT_EQ(error_of(ended(third)), "n.onnx: node 'bits' (Cast): rounds values of the network to integers");
}

TEST(OnnxNetwork, StraightThroughResidue) {
  const auto signs = [](std::size_t j, int d) { return d + odd[j] > 0 ? 1 : -1; };
  const auto start = [] {
    OnnxMaker maker = beginning();
    maker.floats("b", {3}, odd)
        .floats("low", {}, {-1})
        .floats("high", {}, {1})
        .node("Add", {"sums", "b"}, {"y"});
    maker.node("Sign", {"y"}, {"s"}).node("Clip", {"y", "low", "high"}, {"c"}).node("Tanh", {"y"}, {"t"});
    return maker;
  };
  OnnxMaker clipped = start();
  clipped.node("Sub", {"s", "c"}, {"d"}).node("Add", {"d", "c"}, {"bits"});
  expect_same(imported(ended(clipped)), signs);
  OnnxMaker other_order = start();
  other_order.node("Sub", {"s", "t"}, {"d"})
      .node("Identity", {"t"}, {"same"})
      .node("Add", {"same", "d"}, {"bits"});
  expect_same(imported(ended(other_order)), signs);
  OnnxMaker plain = start();
  plain.node("Sub", {"s", "y"}, {"d"}).node("Add", {"y", "d"}, {"bits"});
  expect_same(imported(ended(plain)), signs);
  OnnxMaker first_taken = start();  // c - c + sign, c - (c - sign)
  first_taken.node("Sub", {"y", "y"}, {"z"}).node("Add", {"z", "s"}, {"bits"});
  expect_same(imported(ended(first_taken)), signs);
  OnnxMaker twice_turned = start();
  twice_turned.node("Sub", {"c", "s"}, {"d"}).node("Sub", {"c", "d"}, {"bits"});
  expect_same(imported(ended(twice_turned)), signs);
  OnnxMaker not_taken_away = start();
  not_taken_away.node("Sub", {"s", "c"}, {"d"}).node("Add", {"d", "t"}, {"bits"});
  EXPECT_EQ(error_of(ended(not_taken_away)),
            "n.onnx: node 'out' (MatMul): reads bits to which another value was added that is never "
            "subtracted again");
}

TEST(OnnxNetwork, Weights) {
  const auto signs = [](std::size_t, int d) { return sign_or_one(d); };
  const auto finish = [](OnnxMaker& maker) -> OnnxMaker& {
    maker.floats("one", {}, {1}).node("onnx.brevitas:BipolarQuant", {"sums", "one"}, {"bits"});
    return ended(maker);
  };
  OnnxMaker sign;  // latent weights
  sign.input("x", {1, 4})
      .floats("w", {4, 3}, matrix(rows, true, 0.3F))
      .node("Sign", {"w"}, {"sw"})
      .node("MatMul", {"x", "sw"}, {"sums"});
  expect_same(imported(finish(sign)), signs);
  OnnxMaker quant;  // scaled by channel, turned over
  quant.input("x", {1, 4})
      .floats("w", {3, 4}, matrix(rows, false, 0.3F))
      .floats("scale", {3, 1}, {0.1F, 0.25F, 7});
  quant.node("qonnx.custom_op.general:BipolarQuant", {"w", "scale"}, {"q"})
      .node("Transpose", {"q"}, {"t"}, {{"perm", std::vector<std::int64_t>{1, 0}}});
  quant.node("MatMul", {"x", "t"}, {"sums"});
  expect_same(imported(finish(quant)), signs);
  OnnxMaker gemm;  // turned over by Gemm itself, with a bias
  gemm.input("x", {1, 4}).floats("w", {3, 4}, matrix(rows, false)).floats("b", {3}, {2, -2, 1});
  gemm.node("Gemm", {"x", "w", "b"}, {"sums"},
            {{"transB", std::int64_t{1}}, {"alpha", 2.0F}, {"beta", 0.5F}});
  expect_same(imported(finish(gemm)), [](std::size_t j, int d) {
    return sign_or_one(2 * d + std::vector<double>{1, -1, 0.5}[j]);
  });
  OnnxMaker plain_gemm;
  plain_gemm.input("x", {1, 4}).floats("w", {4, 3}, matrix(rows, true)).node("Gemm", {"x", "w"}, {"sums"});
  expect_same(imported(finish(plain_gemm)), signs);
  OnnxMaker weights_first;  // W x, with x a column
  weights_first.input("x", {1, 4})
      .integers("column", {4, 1})
      .integers("row", {1, 3})
      .floats("w", {3, 4}, matrix(rows, false));
  weights_first.node("Reshape", {"x", "column"}, {"c"})
      .node("MatMul", {"w", "c"}, {"p"})
      .node("Reshape", {"p", "row"}, {"sums"});
  expect_same(imported(finish(weights_first)), signs);
  OnnxMaker turned_gemm;  // both turned over, weights first
  turned_gemm.input("x", {1, 4}).integers("row", {1, 3}).floats("w", {4, 3}, matrix(rows, true));
  turned_gemm.node("Gemm", {"w", "x"}, {"p"}, {{"transA", std::int64_t{1}}, {"transB", std::int64_t{1}}});
  turned_gemm.node("Reshape", {"p", "row"}, {"sums"});
  expect_same(imported(finish(turned_gemm)), signs);
  OnnxMaker xnor;  // sign(w) * mean(|w|)
  xnor.input("x", {1, 4}).floats("w", {4, 3}, matrix(rows, true, 0.3F)).node("Abs", {"w"}, {"a"});
  xnor.node("ReduceMean", {"a"}, {"m"}, {{"axes", std::vector<std::int64_t>{0}}}).node("Sign", {"w"}, {"s"});
  xnor.node("Mul", {"s", "m"}, {"sw"}).node("MatMul", {"x", "sw"}, {"sums"});
  expect_same(imported(finish(xnor)), signs);
  OnnxMaker residue;  // tanh(w) + (sign(w) - tanh(w))
  residue.input("x", {1, 4})
      .floats("w", {4, 3}, matrix(rows, true, 0.3F))
      .node("Sign", {"w"}, {"s"})
      .node("Tanh", {"w"}, {"t"});
  residue.node("Sub", {"s", "t"}, {"d"})
      .node("Add", {"t", "d"}, {"sw"})
      .node("MatMul", {"x", "sw"}, {"sums"});
  expect_same(imported(finish(residue)), signs);
  OnnxMaker left_over;
  left_over.input("x", {1, 4})
      .floats("w", {4, 3}, matrix(rows, true, 0.3F))
      .node("Sign", {"w"}, {"s"})
      .node("Tanh", {"w"}, {"t"});
  left_over.node("Sub", {"s", "t"}, {"sw"}).node("MatMul", {"x", "sw"}, {"sums"});
  EXPECT_EQ(error_of(finish(left_over)),
            "n.onnx: node 'sums' (MatMul): reads bits to which another value was added that is never "
            "subtracted again");
  OnnxMaker where;  // where(w >= 0, 1, -1)
  where.input("x", {1, 4})
      .floats("w", {4, 3}, matrix(rows, true, 0.3F))
      .floats("zero", {}, {0})
      .floats("up", {}, {1})
      .floats("down", {}, {-1});
  where.node("GreaterOrEqual", {"w", "zero"}, {"c"})
      .node("Where", {"c", "up", "down"}, {"sw"})
      .node("MatMul", {"x", "sw"}, {"sums"});
  expect_same(imported(finish(where)), signs);
}

// gamma (D - mean) / sqrt(variance + epsilon) + beta, in one node and written out; irrational roots are
// compared exactly.
TEST(OnnxNetwork, BatchNormalisation) {
  const Floats gamma = {1, -2, 0.5F}, beta = {1, 0.5F, -1}, mean = {0.5F, 1, -1}, variance = {2, 3, 5};
  const auto expected = [&](std::size_t j, int d) {
    return sign_or_one(gamma[j] * (d - mean[j]) / std::sqrt(variance[j]) + beta[j]);
  };
  const auto start = [&] {
    OnnxMaker maker = beginning();
    maker.floats("gamma", {3}, gamma)
        .floats("beta", {3}, beta)
        .floats("mean", {3}, mean)
        .floats("variance", {3}, variance);
    return maker;
  };
  const auto finish = [](OnnxMaker& maker) -> OnnxMaker& {
    maker.floats("zero", {}, {0})
        .floats("up", {}, {1})
        .floats("down", {}, {-1})
        .node("GreaterOrEqual", {"y", "zero"}, {"c"});
    maker.node("Where", {"c", "up", "down"}, {"bits"});
    return ended(maker);
  };
  OnnxMaker one = start();
  one.node("BatchNormalization", {"sums", "gamma", "beta", "mean", "variance"}, {"y"}, {{"epsilon", 0.0F}});
  expect_same(imported(finish(one)), expected);
  OnnxMaker with_root = start();
  with_root.node("Sub", {"sums", "mean"}, {"a"})
      .node("Sqrt", {"variance"}, {"r"})
      .node("Div", {"a", "r"}, {"b"});
  with_root.node("Mul", {"b", "gamma"}, {"c1"}).node("Add", {"c1", "beta"}, {"y"});
  expect_same(imported(finish(with_root)), expected);
  OnnxMaker with_power = start();
  with_power.floats("half", {}, {-0.5F})
      .node("Pow", {"variance", "half"}, {"r"})
      .node("Mul", {"gamma", "r"}, {"scale"});
  with_power.node("Mul", {"mean", "scale"}, {"ms"}).node("Sub", {"beta", "ms"}, {"shift"});
  with_power.node("Mul", {"sums", "scale"}, {"m"}).node("Add", {"m", "shift"}, {"y"});
  expect_same(imported(finish(with_power)), expected);
  OnnxMaker reciprocal = start();
  reciprocal.node("Sqrt", {"variance"}, {"r"})
      .node("Reciprocal", {"r"}, {"i"})
      .node("Sub", {"sums", "mean"}, {"a"});
  reciprocal.node("Mul", {"i", "gamma"}, {"g"})
      .node("Mul", {"a", "g"}, {"m"})
      .node("Add", {"beta", "m"}, {"y"});
  expect_same(imported(finish(reciprocal)), expected);
  OnnxMaker twice = start();
  twice.node("BatchNormalization", {"sums", "gamma", "beta", "mean", "variance"}, {"z"});
  twice.floats("other", {3}, {7, 11, 13})
      .node("BatchNormalization", {"z", "gamma", "beta", "mean", "other"}, {"y"});
  EXPECT_EQ(error_of(finish(twice)),
            "n.onnx: node 'y' (BatchNormalization): two different square roots meet");
  OnnxMaker negative = start();
  negative.floats("below", {3}, {1, -1, 1})
      .node("BatchNormalization", {"sums", "gamma", "beta", "mean", "below"}, {"y"});
  EXPECT_EQ(error_of(finish(negative)),
            "n.onnx: node 'y' (BatchNormalization): variance + epsilon of channel 1 is not positive");
}

TEST(OnnxNetwork, NumbersScaledAndReshaped) {
  OnnxMaker maker(12);
  maker.input("x", {1, 1, 2, 2}).floats("full", {}, {255}).floats("two", {}, {2}).floats("one", {1}, {1});
  maker.integers("first", {0})
      .node("Shape", {"x"}, {"shape"})
      .node("Gather", {"shape", "first"}, {"batch"}, {{"axis", std::int64_t{0}}});
  maker.integers("rest", {-1}).node("Concat", {"batch", "rest"}, {"wanted"}, {{"axis", std::int64_t{0}}});
  maker.node("Div", {"x", "full"}, {"d"})
      .node("Reshape", {"d", "wanted"}, {"r"})
      .node("Mul", {"r", "two"}, {"m"})
      .node("Sub", {"m", "one"}, {"c"});
  maker.floats("unit", {}, {1})
      .node("onnx.brevitas:BipolarQuant", {"c", "unit"}, {"q"})
      .floats("w", {4, 3}, matrix(rows, true));
  maker.node("MatMul", {"q", "w"}, {"sums"})
      .node("Unsqueeze", {"sums"}, {"u"}, {{"axes", std::vector<std::int64_t>{2}}});
  maker.node("Squeeze", {"u"}, {"s"}, {{"axes", std::vector<std::int64_t>{2}}})
      .node("Flatten", {"s"}, {"f"})
      .node("Dropout", {"f"}, {"p"});
  maker.node("onnx.brevitas:BipolarQuant", {"p", "unit"}, {"bits"})
      .floats("v", {3, 2}, matrix(score_rows, true));
  maker.node("MatMul", {"bits", "v"}, {"scores"})
      .node("Softmax", {"scores"}, {"soft"})
      .node("ArgMax", {"soft"}, {"out"}, {{"axis", std::int64_t{1}}});
  maker.output("out");
  EXPECT_EQ(
      error_of(maker, {}),
      "n.onnx: the inputs are numbers, and the file does not state their range: specify the option 'range'");
  ImportOptions options;
  options.range = {0, 255};
  options.step = 1;
  const Network network = imported(maker, options);
  ASSERT_EQ(network.numbers.size(), 4u);
  EXPECT_TRUE(network.numbers[3]->threshold == mpq_class(255, 2));
  EXPECT_EQ(network.tie, ClassTie::lowest);
  Network plain = network;
  plain.numbers.clear();
  expect_same(plain, [](std::size_t, int d) { return sign_or_one(d); });
  EXPECT_EQ(error_of(maker),
            "n.onnx: the option 'bits' is given, but the network binarizes its inputs itself");
}

// Values moved about: the weights of the one neuron say where each input went.
TEST(OnnxNetwork, Plumbing) {
  const auto weights = [](OnnxMaker maker, std::size_t columns) {
    maker.floats("w", {static_cast<std::int64_t>(columns), 1}, Floats(columns, 1))
        .node("MatMul", {"moved", "w"}, {"sum"});
    maker.floats("half", {}, {0.5F})
        .node("Add", {"sum", "half"}, {"y"})
        .node("Sign", {"y"}, {"out"})
        .output("out");
    ImportOptions options = bit_inputs();
    options.tie = ZeroGives::one;
    return imported(maker, options).layers[0].neurons[0].weights;
  };
  const auto start = [] {
    OnnxMaker maker;
    maker.input("x", {1, 4});
    return maker;
  };
  using Weights = std::vector<std::int8_t>;
  OnnxMaker backwards = start();
  backwards.integers("from", {-1}).integers("to", {-100}).integers("axes", {1}).integers("steps", {-2});
  backwards.node("Slice", {"x", "from", "to", "axes", "steps"}, {"moved"});
  EXPECT_EQ(weights(backwards, 2), (Weights{0, 1, 0, 1}));
  OnnxMaker part = start();
  part.integers("from", {0, 1})
      .integers("to", {std::numeric_limits<std::int64_t>::max(), 3})
      .node("Slice", {"x", "from", "to"}, {"moved"});
  EXPECT_EQ(weights(part, 2), (Weights{0, 1, 1, 0}));
  OnnxMaker joined = start();
  joined.integers("i", {3}).integers("j", {0}).node("Gather", {"x", "i"}, {"a"},
                                                    {{"axis", std::int64_t{-1}}});
  joined.node("Gather", {"x", "j"}, {"b"}, {{"axis", std::int64_t{1}}}).node("Neg", {"b"}, {"c"});
  joined.node("Concat", {"a", "c"}, {"moved"}, {{"axis", std::int64_t{1}}});
  EXPECT_EQ(weights(joined, 2), (Weights{-1, 0, 0, 1}));
  OnnxMaker twice = start();  // the same input three times is a weight of one size
  twice.integers("i", {2, 2, 2}).node("Gather", {"x", "i"}, {"moved"}, {{"axis", std::int64_t{1}}});
  EXPECT_EQ(weights(twice, 3), (Weights{0, 0, 1, 0}));
  OnnxMaker spread = start();
  spread.integers("i", {1})
      .node("Gather", {"x", "i"}, {"one"}, {{"axis", std::int64_t{1}}})
      .integers("shape", {1, 5});
  spread.node("Expand", {"one", "shape"}, {"moved"});
  EXPECT_EQ(weights(spread, 5), (Weights{0, 1, 0, 0}));
  OnnxMaker turned = start();  // 2 x 2, turned over, its first row
  turned.integers("square", {2, 2})
      .node("Reshape", {"x", "square"}, {"s"})
      .node("Transpose", {"s"}, {"t"})
      .integers("first", {0});
  turned.node("Gather", {"t", "first"}, {"moved"}, {{"axis", std::int64_t{0}}});
  EXPECT_EQ(weights(turned, 2), (Weights{1, 0, 1, 0}));
  OnnxMaker wrong = start();
  wrong.integers("shape", {3, -1}).node("Reshape", {"x", "shape"}, {"moved"}).output("moved");
  EXPECT_EQ(error_of(wrong), "n.onnx: node 'moved' (Reshape): makes 3 x -1 from 1 x 4");
  OnnxMaker axis = start();
  axis.node("Squeeze", {"x"}, {"moved"}, {{"axes", std::vector<std::int64_t>{1}}}).output("moved");
  EXPECT_EQ(error_of(axis), "n.onnx: node 'moved' (Squeeze): removes a dimension of length 4");
  OnnxMaker far = start();
  far.node("Transpose", {"x"}, {"moved"}, {{"perm", std::vector<std::int64_t>{0, 7}}}).output("moved");
  EXPECT_EQ(error_of(far), "n.onnx: node 'moved' (Transpose): axis 7 of a value of 2 dimensions");
}

TEST(OnnxNetwork, Ends) {
  const auto start = [] {
    OnnxMaker maker = beginning();
    maker.floats("b", {3}, odd).node("Add", {"sums", "b"}, {"y"}).node("Sign", {"y"}, {"bits"});
    maker.floats("v", {3, 2}, matrix(score_rows, true)).node("MatMul", {"bits", "v"}, {"scores"});
    return maker;
  };
  OnnxMaker last = start();
  last.node("ArgMax", {"scores"}, {"out"},
            {{"axis", std::int64_t{-1}}, {"select_last_index", std::int64_t{1}}})
      .output("out");
  EXPECT_EQ(imported(last).tie, ClassTie::highest);
  OnnxMaker top = start();
  top.integers("k", {1}).node("TopK", {"scores", "k"}, {"value", "index"}).output("value").output("index");
  EXPECT_EQ(imported(top).scores.size(), 2u);
  OnnxMaker two = start();
  two.integers("k", {2}).node("TopK", {"scores", "k"}, {"value", "index"}).output("index");
  EXPECT_EQ(error_of(two), "n.onnx: node 'value' (TopK): returns more than the best class, expected one");
  // Probabilities below 1 are 0 as integers; classes as truth values are two.
  OnnxMaker none = start();
  none.node("Softmax", {"scores"}, {"p"})
      .node("Cast", {"p"}, {"i"}, {{"to", std::int64_t{7}}})
      .node("ArgMax", {"i"}, {"out"}, {{"axis", std::int64_t{1}}})
      .output("out");
  EXPECT_EQ(error_of(none), "n.onnx: node 'i' (Cast): rounds the output of Softmax to integers");
  OnnxMaker any = start();
  any.node("ArgMax", {"scores"}, {"c"}, {{"axis", std::int64_t{1}}})
      .node("Cast", {"c"}, {"out"}, {{"to", std::int64_t{9}}})
      .output("out");
  EXPECT_EQ(error_of(any), "n.onnx: node 'out' (Cast): converts classes to booleans");
  OnnxMaker log = start();
  log.node("LogSoftmax", {"scores"}, {"out"}).output("out");
  EXPECT_EQ(imported(log).scores.size(), 2u);
  // Bits at the end, in another order and turned round.
  OnnxMaker bits = beginning();
  bits.floats("b", {3}, odd)
      .node("Add", {"sums", "b"}, {"y"})
      .node("Sign", {"y"}, {"s"})
      .integers("order", {2, 0});
  bits.node("Gather", {"s", "order"}, {"g"}, {{"axis", std::int64_t{1}}})
      .node("Neg", {"g"}, {"out"})
      .output("out");
  const Network network = imported(bits);
  EXPECT_EQ(network.outputs, (std::vector<std::string>{"y0", "y1"}));
  const BitValues inputs = {1, 0, 1, 1};  // sums 4, 0, 2
  EXPECT_EQ(evaluate_reference(network, inputs), (BitValues{0, 0}));
  EXPECT_EQ(evaluate_reference(network, BitValues{0, 0, 0, 0}),
            (BitValues{1, 1}));  // sums -2, 2, -4 with +1, -1, +3
}

TEST(OnnxNetwork, WhatIsNoBinarizedNetwork) {
  OnnxMaker relu = beginning();
  relu.node("Relu", {"sums"}, {"bits"});
  EXPECT_EQ(error_of(ended(relu)), "n.onnx: node 'bits' (Relu): not an operation of a binarized network");
  OnnxMaker conv;
  conv.input("x", {1, 1, 2, 2})
      .floats("w", {1, 1, 1, 1}, {1})
      .node("Conv", {"x", "w"}, {"out"})
      .output("out");
  EXPECT_EQ(error_of(conv),
            "n.onnx: node 'out' (Conv): a convolution, expected layers of neurons that see all inputs");
  OnnxMaker two_bits;
  two_bits.input("x", {1, 2}).floats("w", {2, 1}, {1, 2}).node("MatMul", {"x", "w"}, {"out"}).output("out");
  EXPECT_EQ(
      error_of(two_bits),
      "n.onnx: node 'out' (MatMul): weights of different magnitudes, 1 and 2 of output 0, expected -1, 0, "
      "+1 times one scale for each");
  OnnxMaker no_sign = beginning();
  no_sign.node("Identity", {"sums"}, {"bits"});
  EXPECT_EQ(error_of(ended(no_sign)),
            "n.onnx: node 'out' (MatMul): a layer reads the sums of node 'sums' (MatMul) directly, expected "
            "bits (a sign in between)");
  EXPECT_EQ(error_of(no_sign, {}),
            "n.onnx: node 'sums' (MatMul): the first layer reads the inputs directly, so they must be bits: "
            "specify their two values by the option 'bits', such as -1,1");
  OnnxMaker product = beginning();
  product.node("Mul", {"sums", "sums"}, {"out"}).output("out");
  EXPECT_EQ(error_of(product), "n.onnx: node 'out' (Mul): multiplies two values of the network");
  OnnxMaker infinite = beginning();
  infinite.floats("b", {}, {HUGE_VALF}).node("Add", {"sums", "b"}, {"out"}).output("out");
  EXPECT_EQ(error_of(infinite), "n.onnx: node 'out' (Add): a number that is not finite");
  OnnxMaker constant;
  constant.input("x", {1, 2}).floats("c", {1}, {1}).node("Identity", {"c"}, {"out"}).output("out");
  EXPECT_EQ(error_of(constant), "n.onnx: the output is constant: it does not depend on the input");
  OnnxMaker nothing;
  nothing.input("x", {1, 2}).node("Identity", {"x"}, {"out"}).output("out");
  EXPECT_EQ(error_of(nothing), "n.onnx: the graph computes no layer");
}

// What a graph computes and looks like something else: each of these was once read as a network that it is
// not.
TEST(OnnxNetwork, WhatLooksLikeSomethingElse) {
  // |c + tanh(x)| is not a constant, although c is one.
  OnnxMaker added = beginning();
  added.floats("c", {1, 3}, odd)
      .node("Tanh", {"sums"}, {"t"})
      .node("Add", {"c", "t"}, {"ct"})
      .node("Abs", {"ct"}, {"size"})
      .node("Sub", {"sums", "size"}, {"moved"})
      .node("Sign", {"moved"}, {"bits"});
  EXPECT_EQ(error_of(ended(added)),
            "n.onnx: node 'size' (Abs): applied to a constant to which a value of the network was added");
  // An output that is the same for both values of its bit.
  OnnxMaker same = beginning();
  same.floats("yes", {3}, {1, 1, 1})
      .floats("no", {3}, {-1, 1, -1})
      .floats("zero", {}, {0})
      .node("GreaterOrEqual", {"sums", "zero"}, {"truth"})
      .node("Where", {"truth", "yes", "no"}, {"out"})
      .output("out");
  EXPECT_EQ(error_of(same), "n.onnx: output 2 is the same for both values of its bit, expected two values");
  // (sign(x) - x) as an integer, plus x, is not a sign.
  OnnxMaker rounded = beginning();
  rounded.node("Sign", {"sums"}, {"s"})
      .node("Sub", {"s", "sums"}, {"d"})
      .node("Cast", {"d"}, {"i"}, {{"to", std::int64_t{7}}})
      .node("Add", {"i", "sums"}, {"bits"});
  EXPECT_EQ(error_of(ended(rounded)),
            "n.onnx: node 'i' (Cast): rounds bits to which another value was added");
  OnnxMaker dropped = beginning();
  dropped.floats("half", {}, {0.5F})
      .floats("training", {}, {1})
      .floats("b", {3}, odd)
      .node("Add", {"sums", "b"}, {"moved"})
      .node("Dropout", {"moved", "half", "training"}, {"left"})
      .node("Sign", {"left"}, {"bits"});
  EXPECT_EQ(error_of(ended(dropped)),
            "n.onnx: node 'left' (Dropout): in training mode, expected inference mode");
  // Before version 7 an axis said where the smaller side begins.
  OnnxMaker aligned = beginning(6);
  aligned.floats("b", {3}, odd)
      .node("Add", {"sums", "b"}, {"moved"}, {{"broadcast", std::int64_t{1}}, {"axis", std::int64_t{1}}})
      .node("Sign", {"moved"}, {"bits"});
  EXPECT_EQ(error_of(ended(aligned)),
            "n.onnx: node 'moved' (Add): aligns its inputs by an axis (operators before version 7), expected "
            "version 7 or later");
  // The shape of what is not known has no lengths.
  OnnxMaker unknown = beginning();
  unknown.node("Unheard", {"sums"}, {"u"})
      .node("Size", {"u"}, {"n"})
      .node("Add", {"sums", "n"}, {"moved"})
      .node("Sign", {"moved"}, {"bits"});
  EXPECT_EQ(error_of(ended(unknown)), "n.onnx: node 'u' (Unheard): not an operation of a binarized network");
}

TEST(OnnxNetwork, IntegersAreDividedWithoutARemainder) {
  // 7 / 2 is 3, -7 / 2 is -3: added to the sums 3, 3 and -3.
  OnnxMaker lengths = beginning();
  lengths.integers("sevens", {7, 7, -7})
      .integers("two", {2})
      .node("Div", {"sevens", "two"}, {"q"})
      .node("Cast", {"q"}, {"b"}, {{"to", std::int64_t{1}}})
      .node("Add", {"sums", "b"}, {"moved"})
      .node("Sign", {"moved"}, {"bits"});
  expect_same(imported(ended(lengths)),
              [](std::size_t j, int d) { return d + (j == 2 ? -3 : 3) > 0 ? 1 : -1; });
  // Floats made of the same are not.
  OnnxMaker floats = beginning();
  floats.integers("ones", {1, 1, 1})
      .floats("two", {}, {2})
      .node("Cast", {"ones"}, {"f"}, {{"to", std::int64_t{1}}})
      .node("Div", {"f", "two"}, {"half"})
      .node("Add", {"sums", "half"}, {"moved"})
      .node("Sign", {"moved"}, {"bits"});
  expect_same(imported(ended(floats)), [](std::size_t, int d) { return d >= 0 ? 1 : -1; });
  OnnxMaker bits = beginning();
  bits.floats("zero", {}, {0})
      .integers("two", {2})
      .node("GreaterOrEqual", {"sums", "zero"}, {"truth"})
      .node("Cast", {"truth"}, {"i"}, {{"to", std::int64_t{7}}})
      .node("Div", {"i", "two"}, {"bits"});
  EXPECT_EQ(error_of(ended(bits)),
            "n.onnx: node 'bits' (Div): divides integers, which drops the remainder, expected floats");
  // Inputs that are integers, and signs of them, which are, too.
  ImportOptions numbers;
  numbers.range = {0, 4};
  numbers.step = 1;
  for (const bool of_sign : {false, true}) {
    OnnxMaker inputs;
    inputs.input("x", {0, 3}, 6).integers("two", {2}).integers("one", {1});
    if (of_sign) inputs.node("Sub", {"x", "two"}, {"y"}).node("Sign", {"y"}, {"s"});
    inputs.node("Div", {of_sign ? "s" : "x", "two"}, {"q"})
        .node("Sub", {"q", "one"}, {"moved"})
        .node("Sign", {"moved"}, {"bits"});
    EXPECT_EQ(error_of(ended(inputs), numbers),
              "n.onnx: node 'q' (Div): divides integers, which drops the remainder, expected floats");
  }
  // As wider integers and as floats they are what they were: x / 2 - 1 with x from 0 to 4.
  numbers.tie = ZeroGives::one;
  OnnxMaker cast;
  cast.input("x", {0, 3}, 2)
      .floats("two", {}, {2})
      .floats("one", {}, {1})
      .node("Cast", {"x"}, {"i"}, {{"to", std::int64_t{6}}})
      .node("Cast", {"i"}, {"f"}, {{"to", std::int64_t{1}}})
      .node("Div", {"f", "two"}, {"q"})
      .node("Sub", {"q", "one"}, {"moved"})
      .node("Sign", {"moved"}, {"bits"});
  EXPECT_EQ(imported(ended(cast), numbers).numbers[0]->threshold, 2);
  OnnxMaker mean = beginning();
  mean.integers("w2", {1, 2}).node("ReduceMean", {"w2"}, {"m"}).node("Add", {"sums", "m"}, {"bits"});
  EXPECT_EQ(
      error_of(ended(mean)),
      "n.onnx: node 'm' (ReduceMean): the mean of integers, which drops the remainder, expected floats");
}

TEST(OnnxNetwork, BrokenGraphs) {
  OnnxMaker circle;
  circle.input("x", {1, 2}).node("Add", {"b", "x"}, {"a"}).node("Identity", {"a"}, {"b"}).output("b");
  EXPECT_EQ(error_of(circle), "n.onnx: node 'a' (Add): its input 'b' is made by no node before it");
  OnnxMaker twice;
  twice.input("x", {1, 2}).node("Identity", {"x"}, {"a"}).node("Identity", {"x"}, {"a"}).output("a");
  EXPECT_EQ(error_of(twice), "n.onnx: node 'a' (Identity): makes 'a', which already exists");
  OnnxMaker no_output;
  no_output.input("x", {1, 2});
  EXPECT_EQ(error_of(no_output), "n.onnx: a graph without an output");
  no_output.output("y");
  EXPECT_EQ(error_of(no_output), "n.onnx: the output 'y' is made by no node");
  OnnxMaker no_input;
  no_input.output("y");
  EXPECT_EQ(error_of(no_input), "n.onnx: a graph with 0 inputs, expected one");
  OnnxMaker open;
  open.input("x", {1, 0});
  EXPECT_EQ(error_of(open), "n.onnx: the shape of the input 'x' is open in dimension 2");
  EXPECT_EQ(input_error_of([] { onnx_network("hello", "n.onnx", {}); }),
            "n.onnx: not an ONNX model, or damaged");
  EXPECT_EQ(input_error_of([] { onnx_network("", "n.onnx", {}); }), "n.onnx: not an ONNX model, or damaged");
  OnnxMaker no_fit;
  no_fit.input("x", {1, 3})
      .floats("w", {4, 3}, matrix(rows, true))
      .node("MatMul", {"x", "w"}, {"out"})
      .output("out");
  EXPECT_EQ(error_of(no_fit), "n.onnx: node 'out' (MatMul): 1 x 3 times 4 x 3 does not fit");
  const std::string whole = [] {
    OnnxMaker maker = beginning();
    maker.floats("b", {3}, odd).node("Add", {"sums", "b"}, {"moved"}).node("Sign", {"moved"}, {"bits"});
    return ended(maker).bytes();
  }();
  for (std::size_t size = 0; size < whole.size(); ++size)
    EXPECT_THROW(fold(onnx_network(whole.substr(0, size), "n.onnx", bit_inputs())), InputError) << size;
}

TEST(OnnxNetwork, HostileSizes) {
  const auto tensor = [](std::uint64_t length, const std::string& more) {
    OnnxMaker maker;
    return maker.raw_graph_field(testing::proto_bytes(5, testing::proto_number(1, length) +
                                                             testing::proto_number(2, 1) +
                                                             testing::proto_bytes(8, "t") + more));
  };
  EXPECT_EQ(error_of(tensor(std::uint64_t{1} << 62, "")),
            "n.onnx: tensor 't': 4611686018427387904: too large, more than 134217728 numbers in all");
  EXPECT_EQ(error_of(tensor(std::uint64_t{1} << 63, "")), "n.onnx: tensor 't': a negative length");
  EXPECT_EQ(error_of(tensor(1'000'000, "")), "n.onnx: tensor 't': 1000000 with 0 numbers");
  EXPECT_EQ(error_of(tensor(1, testing::proto_bytes(13, testing::proto_bytes(1, "location") +
                                                            testing::proto_bytes(2, "/etc/passwd")))),
            "n.onnx: tensor 't': its numbers are in another file (external data), expected them in this one");
  OnnxMaker wide;  // no network has this number of inputs, so nothing is made of them
  wide.input("x", {1, 1 << 21}).node("Sign", {"x"}, {"s"}).output("s");
  EXPECT_EQ(error_of(wide),
            "n.onnx: an input of 1 x 2097152, expected at least one number and not more than 1048576");
  // Small nodes that make large values, and again, and again.
  OnnxMaker grown;
  grown.input("x", {1, 2})
      .integers("large", {1 << 15, 1 << 15})
      .node("ConstantOfShape", {"large"}, {"c"})
      .output("c");
  EXPECT_EQ(
      error_of(grown),
      "n.onnx: node 'c' (ConstantOfShape): a value of 32768 x 32768: more than 67108864 numbers at a time");
  OnnxMaker many;
  many.input("x", {1, 2}).integers("large", {256, 256}).node("ConstantOfShape", {"large"}, {"c0"});
  for (int i = 0; i < 40; ++i)
    many.node("Reshape", {"c" + std::to_string(i), "large"}, {"c" + std::to_string(i + 1)});
  const GraphLimits limits{1 << 18, 1 << 20, 1 << 20};
  EXPECT_EQ(input_error_of([&] { onnx_network(many.output("c40").bytes(), "n.onnx", {}, limits); }),
            "n.onnx: node 'c15' (Reshape): a value of 256 x 256: more than 1048576 numbers in all");
  OnnxMaker kept;
  kept.input("x", {1, 2}).integers("large", {256, 256}).node("ConstantOfShape", {"large"}, {"c0"});
  for (int i = 0; i < 4; ++i) kept.node("Reshape", {"c0", "large"}, {"c" + std::to_string(i + 1)});
  EXPECT_EQ(input_error_of([&] { onnx_network(kept.output("c4").bytes(), "n.onnx", {}, limits); }),
            "n.onnx: node 'c3' (Reshape): a value of 256 x 256: more than 262144 numbers at a time");
  OnnxMaker products;
  products.input("x", {1, 2}).integers("large", {128, 128}).node("ConstantOfShape", {"large"}, {"c"});
  products.node("MatMul", {"c", "c"}, {"out"}).output("out");
  EXPECT_EQ(input_error_of([&] { onnx_network(products.bytes(), "n.onnx", {}, limits); }),
            "n.onnx: node 'out' (MatMul): matrices that are too large");
  // Numbers that become longer and longer.
  OnnxMaker squares;
  squares.input("x", {1, 2}).floats("c0", {}, {0.1F});
  for (int i = 0; i < 60; ++i)
    squares.node("Mul", {"c" + std::to_string(i), "c" + std::to_string(i)}, {"c" + std::to_string(i + 1)});
  EXPECT_NE(error_of(squares.output("c60")).find("a number of more than 40000 bits"), std::string::npos);
  // Dimensions without end, which every step through a value would have to pass.
  OnnxMaker dimensions;
  dimensions.input("x", {1, 2})
      .integers("ones", std::vector<std::int64_t>(300'000, 1))
      .node("Reshape", {"x", "ones"}, {"out"})
      .output("out");
  EXPECT_EQ(error_of(dimensions),
            "n.onnx: node 'out' (Reshape): a value of 300000 dimensions, expected at most 32");
  EXPECT_EQ(error_of(OnnxMaker().floats("t", std::vector<std::int64_t>(33, 1), {1})),
            "n.onnx: tensor 't': 33 dimensions, expected at most 32");
  EXPECT_EQ(error_of(OnnxMaker().input("x", std::vector<std::int64_t>(33, 1))),
            "n.onnx: an input of 33 dimensions, expected at most 32");
  // Values that are added to bits and never taken away again.
  OnnxMaker residues = beginning();
  residues.node("Sign", {"sums"}, {"b0"}).node("Tanh", {"sums"}, {"t0"});
  for (int i = 0; i < 200; ++i) {
    const std::string here = std::to_string(i), next = std::to_string(i + 1);
    residues.node("Tanh", {"t" + here}, {"t" + next}).node("Add", {"b" + here, "t" + here}, {"b" + next});
  }
  EXPECT_EQ(error_of(residues.output("b200")),
            "n.onnx: node 'b65' (Add): adds more values to bits than are subtracted again");
  // Two bytes a node, a hundred bytes of memory each.
  std::string nodes;
  for (int i = 0; i < 9'000'000; ++i) nodes += std::string("\x0a\x00", 2);
  EXPECT_EQ(error_of(OnnxMaker().raw_graph_field(nodes)),
            "n.onnx: an ONNX file whose nodes and names take more than 16777216 bytes");
}

}  // namespace
}  // namespace bnnplan::exchange

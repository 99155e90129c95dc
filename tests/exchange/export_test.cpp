// Networks written for other tools: read again they are the same, and run by others they compute the same.
#include <algorithm>
#include <cstdlib>
#include <limits>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "bnnplan/base/exact_number.hpp"
#include "bnnplan/base/text_file.hpp"
#include "bnnplan/exchange/export_network.hpp"
#include "bnnplan/exchange/import_network.hpp"
#include "bnnplan/exchange/write_c.hpp"
#include "bnnplan/network/model_record.hpp"
#include "bnnplan/network/network_file.hpp"
#include "bnnplan/network/reference_inference.hpp"
#include "support/input_error_of.hpp"
#include "support/random_network.hpp"
#include "support/run_program.hpp"
#include "support/temporary_folder.hpp"

namespace bnnplan::exchange {
namespace {

using testing::input_error_of;

// As importing leaves networks: thresholds beyond the fan-in are all the same constant, and a bias common
// to all scores is removed.
Network as_imported(Network network) {
  for (Layer& layer : network.layers) {
    for (Neuron& neuron : layer.neurons)
      neuron.threshold = std::clamp(neuron.threshold, 0, fan_in(neuron.weights) + 1);
  }
  const auto same = [first = network.scores.empty() ? mpq_class(0) : network.scores.front().bias](
                        const Score& score) { return score.bias == first; };
  if (std::all_of(network.scores.begin(), network.scores.end(), same)) {
    for (Score& score : network.scores) score.bias = 0;
  }
  return network;
}

// Thresholds that are floats, which is what ONNX models compare with, and far enough from the numbers that an
// input can be for these to be rounded to floats.
Network with_float_thresholds(Random& random, Network network) {
  for (auto& number : network.numbers) {
    if (!number) continue;
    const mpq_class middle = number->low + (random.below(20) - mpq_class(1, 2)) * number->step;
    number->threshold = mpq_class(static_cast<float>(nearest_double(middle)));
  }
  return network;
}

TEST(Export, NumpyArchivesAreReadAgain) {
  Random random(1);
  const testing::TemporaryFolder folder;
  for (int i = 0; i < 100; ++i) {
    const Network network = as_imported(testing::random_network(random, testing::random_shape(random, 20)));
    export_network(folder / "n.npz", network, NetworkTarget::npz);
    ImportOptions options;
    if (!has_numbers(network)) options.bits = {-1, 1};
    if (!is_classifier(network)) options.scores = false;
    Network again = import_network(NetworkSource::npz, folder / "n.npz", options);
    again.record.clear();
    ASSERT_EQ(again, network) << i << "\n" << shape_text(network);
  }
}

TEST(Export, OnnxModelsAreReadAgain) {
  Random random(2);
  const testing::TemporaryFolder folder;
  for (int i = 0; i < 100; ++i) {
    const Network network = with_float_thresholds(
        random, as_imported(testing::random_network(random, testing::random_shape(random, 20))));
    for (const NetworkTarget target : {NetworkTarget::onnx, NetworkTarget::qonnx}) {
      export_network(folder / "n.onnx", network, target);
      Network again = import_network(NetworkSource::onnx, folder / "n.onnx", {});
      again.record.clear();
      ASSERT_EQ(again, network) << i << "\n" << network_text(network) << network_text(again);
    }
  }
}

// Scores that no float and no double holds become others of the same order: with all the digits of doubles,
// with a bias that is only just there, and beyond what doubles tell apart.
TEST(Export, OnnxScoresOfManyDigits) {
  Random random(5);
  for (int i = 0; i < 60; ++i) {
    Network network = testing::random_network(random, {{8, 9, 6}, false, true});
    for (Score& score : network.scores) {
      if (i % 3 == 0) {
        score.scale = mpq_class(1 + 1.0 / (3 + static_cast<double>(random.below(1000))));
        score.bias = mpq_class(1 / (7 + static_cast<double>(random.below(1000))));
      } else if (i % 3 == 1) {
        score.bias += mpq_class(mpz_class(random.below(3)), mpz_class(1) << 100);
      } else {
        score.scale *= mpz_class(1) << 200;
        score.bias *= mpz_class(1) << 200;
        score.bias += mpq_class(1, 3) * random.below(3);
      }
    }
    const testing::TemporaryFolder folder;
    export_network(folder / "n.onnx", network, NetworkTarget::onnx);
    const Network again = import_network(NetworkSource::onnx, folder / "n.onnx", {});
    EXPECT_EQ(again.layers, as_imported(network).layers);
    for (unsigned code = 0; code < 256; ++code) {
      BitValues bits;
      for (unsigned b = 0; b < 8; ++b) bits.push_back(static_cast<BitValue>(code >> b & 1));
      ASSERT_EQ(reference_class(again, bits), reference_class(network, bits)) << i;
    }
  }
  Network network{{"x", "y"}, {"0", "1"}, {}};
  network.scores = {{{1, 1},
                     mpq_class(mpz_class("1000000000000000000000000000000000000000"),
                               mpz_class("1000000000000000000000000000000000000003")),
                     0},
                    {{1, 1}, 1, 0}};
  EXPECT_EQ(input_error_of([&] { exported(network, NetworkTarget::onnx); }),
            "64-bit floats, the most precise in ONNX models, cannot distinguish the scores of the network");
}

std::vector<mpq_class> random_inputs(Random& random, const Network& network) {
  std::vector<mpq_class> values;
  for (std::size_t i = 0; i < network.inputs.size(); ++i) {
    const bool numeric = has_numbers(network) && network.numbers[i];
    if (!numeric) {
      values.emplace_back(random.below(2));
      continue;
    }
    const NumericInput& number = *network.numbers[i];
    const mpq_class steps = (number.high - number.low) / number.step;
    const std::size_t count = mpz_class(steps.get_num() / steps.get_den()).get_ui() + 1;
    values.emplace_back(number.low + random.below(count) * number.step);
  }
  return values;
}

// What the network gives for these: its class, or its bits as text.
std::string expected_of(const Network& network, const std::vector<mpq_class>& values) {
  const BitValues bits = binarize(network, values);
  if (is_classifier(network)) return std::to_string(reference_class(network, bits));
  std::string text;
  for (const BitValue bit : evaluate_reference(network, bits)) text += bit != 0 ? '1' : '0';
  return text;
}

// A program that reads numbers and prints what the network in net.c gives, a line for each sample.
std::string c_program(const Network& network) {
  const std::string type = has_numbers(network) ? "double" : "unsigned char";
  return fmt::format(
      "#include \"net.c\"\n#include <stdio.h>\nint main(void) {{\n  static {} x[net_INPUTS];\n  double v;\n  "
      "for (;;) {{\n"
      "    int i;\n    for (i = 0; i < net_INPUTS; ++i) {{\n      if (scanf(\"%lf\", &v) != 1) return 0;\n"
      "      x[i] = ({})v;\n    }}\n{}    putchar('\\n');\n  }}\n}}\n",
      type, type,
      is_classifier(network) ? "    printf(\"%d\", net_class(x));\n"
                             : "    { static unsigned char y[net_OUTPUTS]; net_evaluate(x, y);\n"
                               "      for (i = 0; i < net_OUTPUTS; ++i) putchar('0' + y[i]); }\n");
}

// Out and back again: what the file says of how it was learned is still there, and still of this network.
TEST(Export, TheRecordIsKept) {
  Random random(3);
  const testing::TemporaryFolder folder;
  Network network = as_imported(testing::random_network(random, {{6, 5, 3}, false, false}));
  ModelRecord record;
  record.data_file = "data.csv";
  record.transitions = record.distinct = 20;
  record.learned_by = "hand";
  record.parts.push_back({"unseen", 3, 20, 4, 60, {}});
  set_model_record(network, record);
  const std::string claim = record_claim(network);
  ASSERT_NE(claim.find("wrong on 3 of 20 unseen transitions"), std::string::npos) << claim;
  for (int turn = 0; turn < 2; ++turn) {
    ImportOptions options;
    options.bits = {-1, 1};
    options.scores = false;
    export_network(folder / "n.npz", network, NetworkTarget::npz);
    network = import_network(NetworkSource::npz, folder / "n.npz", options);
    EXPECT_EQ(record_claim(network), claim);
    export_network(folder / "n.onnx", network, NetworkTarget::onnx);
    network = import_network(NetworkSource::onnx, folder / "n.onnx", {});
    EXPECT_EQ(record_claim(network), claim);
  }
  // What was said while importing is said once.
  for (const std::string& line : network.record)
    EXPECT_EQ(std::count(network.record.begin(), network.record.end(), line), 1) << line;
}

TEST(Export, CComputesTheSame) {
  if (testing::run_program({"cc", "--version"}).exit_code != 0) GTEST_SKIP() << "there is no C compiler";
  Random random(3);
  for (int i = 0; i < 12; ++i) {
    const testing::TemporaryFolder folder;
    testing::RandomNetworkShape shape = testing::random_shape(random, i % 3 == 0 ? 150 : 20);
    shape.numbers = i % 2 == 0;
    shape.scores = i % 4 < 2;
    Network network = testing::random_network(random, shape);
    network.inputs[0] = "a \"quoted\" NAME\\ with \?\?/ */";
    if (i == 0)
      network.scores[0].bias += mpq_class(mpz_class(1), mpz_class(1) << 100);  // ranks instead of integers
    export_network(folder / "net.c", network, NetworkTarget::c);
    folder.write("main.c", c_program(network));
    std::string numbers, expected;
    for (int sample = 0; sample < 200; ++sample) {
      std::vector<mpq_class> values = random_inputs(random, network);
      for (mpq_class& value : values) {
        const double rounded = nearest_double(value);  // C compares doubles, as they are
        numbers += fmt::format("{} ", rounded);
        value = mpq_class(rounded);
      }
      expected += expected_of(network, values) + "\n";
    }
    folder.write("inputs", numbers);
    const auto compiled = testing::run_program(
        {"cc", "-std=c99", "-O1", "-Wall", "-Wextra", "-Wno-unused-const-variable", "-pedantic", "-Werror",
         (folder / "main.c").string(), "-o", (folder / "main").string()});
    ASSERT_EQ(compiled.exit_code, 0) << compiled.errors;
    const auto run =
        testing::run_program({"sh", "-c", fmt::format("{0}/main < {0}/inputs", folder.path().string())});
    EXPECT_EQ(run.output, expected) << shape_text(network);
  }
}

// Files of a network that is there already are the same for everybody, and names are legal C.
TEST(Export, NamesOfC) {
  EXPECT_TRUE(is_c_name("net"));
  for (const char* name : {"", "1net", "a-b", "int", "n\xc3\xa4h"}) {
    EXPECT_FALSE(is_c_name(name)) << name;
    EXPECT_TRUE(is_c_name(c_name_of(name))) << name;
  }
  EXPECT_EQ(c_name_of("my-net.v2"), "my_net_v2");
}

TEST(Export, OnnxRefusesWhatFloatsDoNotTellApart) {
  Network network{{"x"}, {"y'"}, {{{{{1}, 1}}}}};
  const mpq_class large = mpz_class(1) << 30;
  network.numbers = {NumericInput{large + 1, large, large + 2, 1}};
  EXPECT_EQ(
      input_error_of([&] { exported(network, NetworkTarget::onnx); }),
      "input 'x': 32-bit floats, which ONNX models take, cannot distinguish 1073741824 from 1073741825");
  // Beyond all floats, and at both ends of them.
  const mpq_class huge = mpz_class(1) << 200, end = std::numeric_limits<float>::max();
  network.numbers = {NumericInput{2 * huge, 0, 3 * huge, huge}};
  EXPECT_EQ(input_error_of([&] { exported(network, NetworkTarget::onnx); }),
            fmt::format("input 'x': 32-bit floats, which ONNX models take, cannot distinguish {} from {}",
                        mpz_class(huge.get_num()).get_str(), mpz_class(2 * huge.get_num()).get_str()));
  for (const mpq_class& threshold : {end, mpq_class(-end)}) {
    network.numbers = {NumericInput{threshold, -end, end, end}};
    EXPECT_NO_THROW(exported(network, NetworkTarget::onnx));
  }
}

// In the folder BNNPLAN_ONNXRUNTIME, with `npm install onnxruntime-web`.
TEST(Export, OnnxruntimeComputesTheSame) {
  const char* folder_of_runtime = std::getenv("BNNPLAN_ONNXRUNTIME");
  if (folder_of_runtime == nullptr)
    GTEST_SKIP()
        << "BNNPLAN_ONNXRUNTIME is not set: a folder with onnxruntime-web (npm install onnxruntime-web)";
  Random random(4);
  constexpr int samples = 10'000;
  for (int i = 0; i < 12; ++i) {
    const testing::TemporaryFolder folder;
    testing::RandomNetworkShape shape = testing::random_shape(random, i % 3 == 0 ? 100 : 20);
    shape.numbers = i % 2 == 0;
    shape.scores = i % 4 < 2;
    Network network = testing::random_network(random, shape);
    if (i == 4) network.scores[0].bias += mpq_class(mpz_class(1), mpz_class(1) << 40);   // doubles
    if (i == 8) network.scores[0].bias += mpq_class(mpz_class(1), mpz_class(1) << 100);  // more digits
    export_network(folder / "net.onnx", network, NetworkTarget::onnx);
    std::string floats;
    std::vector<std::string> expected;
    for (int sample = 0; sample < samples; ++sample) {
      const std::vector<mpq_class> values = random_inputs(random, network);
      for (const mpq_class& value : values) {
        const auto rounded = static_cast<float>(nearest_double(value));  // and yet the exact number is meant
        floats.append(reinterpret_cast<const char*>(&rounded), sizeof rounded);
      }
      const std::string result = expected_of(network, values);
      if (is_classifier(network)) {
        expected.push_back(result);
      } else {
        for (const char bit : result) expected.emplace_back(1, bit);
      }
    }
    const auto run = testing::run_program(
        {"node", BNNPLAN_SOURCE_DIR "/tests/exchange/run_onnx.mjs", folder_of_runtime,
         (folder / "net.onnx").string(), folder.write("inputs", floats),
         std::to_string(network.inputs.size()), is_classifier(network) ? "class" : "outputs"});
    ASSERT_EQ(run.exit_code, 0) << run.errors;
    std::istringstream lines(run.output);
    std::size_t differing = 0, count = 0;
    for (std::string line; std::getline(lines, line); ++count)
      differing += count >= expected.size() || line != expected[count] ? 1 : 0;
    EXPECT_EQ(count, expected.size());
    EXPECT_EQ(differing, 0u) << i << " " << shape_text(network);
  }
}

}  // namespace
}  // namespace bnnplan::exchange

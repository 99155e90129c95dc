// Networks trained for real in PyTorch and exported by it, against what it computes itself. Needs python3
// with torch and numpy (Debian: python3-torch), which the project does not require: skipped where they are
// missing.
#include <cmath>
#include <iostream>

#include "bnnplan/base/binary_file.hpp"
#include "bnnplan/exchange/import_network.hpp"
#include "bnnplan/exchange/npy_file.hpp"
#include "bnnplan/network/reference_inference.hpp"
#include "support/run_program.hpp"
#include "support/temporary_folder.hpp"

namespace bnnplan::exchange {
namespace {

constexpr const char* python = "/usr/bin/python3";

Tensor array(const std::filesystem::path& path) {
  return parse_npy(read_binary_file(path), path.string()).tensor;
}

// Bits that are not what torch has. Exact arithmetic and floats differ only where a value is so near to 0
// that floats cannot tell its sign: each such case is listed, and more than that is wrong.
std::size_t listed_differences(const BitValues& bits, const Tensor& values, std::size_t sample,
                               const std::string& layer) {
  std::size_t differences = 0;
  for (std::size_t j = 0; j < bits.size(); ++j) {
    const double value = values.values[sample * bits.size() + j];
    if ((bits[j] == 1) == (value >= 0)) continue;
    ++differences;
    std::cout << fmt::format("rounding of torch: {}, sample {}, neuron {}: {} is {} exactly\n", layer, sample,
                             j, value, bits[j] == 1 ? "at least 0" : "below 0");
    EXPECT_LT(std::abs(value), 1e-5) << layer;
  }
  return differences;
}

TEST(TorchExport, SixWaysOfWritingASign) {
  if (testing::run_program({python, "-c", "import torch, numpy"}).exit_code != 0)
    GTEST_SKIP() << "python3 has no torch (Debian: python3-torch)";
  const testing::TemporaryFolder folder;
  const testing::ProgramResult made = testing::run_program(
      {python, (std::filesystem::path(BNNPLAN_SOURCE_DIR) / "tests/exchange/export_networks.py").string(),
       folder.path().string()});
  ASSERT_EQ(made.exit_code, 0) << made.errors;
  ImportOptions options;
  options.bits = {-1, 1};
  ImportOptions of_dictionary = options;
  of_dictionary.latent = true;
  of_dictionary.epsilon = mpq_class(1, 100'000);
  std::size_t differences = 0;
  for (const std::string name : {"detached", "clipped", "hyperbolic", "compared", "twice", "function"}) {
    const Network network = import_network(NetworkSource::onnx, folder / (name + ".onnx"), options);
    EXPECT_EQ(shape_text(network), "16:24:20:4") << name;
    for (const std::string kind : {".batch.onnx", ".pt", ".old.pt"}) {
      const bool is_onnx = kind == ".batch.onnx";
      const Network same = import_network(is_onnx ? NetworkSource::onnx : NetworkSource::torch,
                                          folder / (name + kind), is_onnx ? options : of_dictionary);
      EXPECT_EQ(same.layers, network.layers) << name << kind;
      EXPECT_EQ(same.scores, network.scores) << name << kind;
    }
    const Tensor x = array(folder / (name + ".x.npy")), first = array(folder / (name + ".first.npy")),
                 second = array(folder / (name + ".second.npy")),
                 classes = array(folder / (name + ".class.npy"));
    ASSERT_EQ(classes.values.size(), 10'000u);
    for (std::size_t sample = 0; sample < classes.values.size(); ++sample) {
      BitValues inputs;
      for (std::size_t i = 0; i < 16; ++i) inputs.push_back(static_cast<BitValue>(x.values[16 * sample + i]));
      const BitValues below = evaluate_layer(network.layers[0], inputs);
      const BitValues above = evaluate_layer(network.layers[1], below);
      const std::size_t here = listed_differences(below, first, sample, name + ", first layer") +
                               listed_differences(above, second, sample, name + ", second layer");
      differences += here;
      if (here != 0) continue;
      EXPECT_EQ(static_cast<double>(reference_class(network, inputs)), classes.values[sample])
          << name << ' ' << sample;
    }
  }
  std::cout << "cases in which rounding of torch gives another bit: " << differences << '\n';
}

}  // namespace
}  // namespace bnnplan::exchange

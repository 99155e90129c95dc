// How fast learning is: epochs per second for the network of navigation 5x5, and the time until it makes no
// error on any legal pair of state and action.
#include <benchmark/benchmark.h>

#include "bnnplan/learn/train.hpp"
#include "bnnplan/rddl/simulate/explore.hpp"
#include "bnnplan/rddl/simulate/transition_table.hpp"

namespace {

using namespace bnnplan;

learning::DataSet navigation_data(bool exhaustive) {
  const std::string domains = BNNPLAN_SOURCE_DIR "/domains/";
  rddl::Simulator simulator(domains + "navigation.rddl", domains + "navigation_5x5.rddl");
  const rddl::BitLayout layout = rddl::make_bit_layout(simulator.model(), {});
  std::string text;
  rddl::TransitionLines table(layout, {}, {}, false, [&](std::string_view line) { text += line; });
  const rddl::TransitionVisitor add = [&](const rddl::StateValues& state, const rddl::ActionValues& action,
                                          const rddl::StateValues& next) { table.add(state, action, next); };
  rddl::ExploreOptions options;
  options.episodes = 100;
  if (exhaustive) {
    rddl::explore_exhaustively(simulator, layout, add);
  } else {
    rddl::explore(simulator, layout, options, add);
  }
  return learning::parse_data_set(text, "navigation 5x5");
}

// 10,000 sampled transitions as 10,000 rows, as if all were different: an epoch in the usual sense.
void epochs(benchmark::State& state) {
  const learning::DataSet data = navigation_data(false);
  learning::SampleSet samples;
  samples.rows = data.sample_row;
  samples.counts.assign(samples.rows.size(), 1);
  samples.samples = samples.rows.size();
  learning::TrainOptions options;
  options.hidden = {128, 128};
  options.epochs = 3;
  options.limits.threads = static_cast<unsigned>(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(learning::train(data, samples, {}, options));
  state.counters["epochs/s"] = benchmark::Counter(static_cast<double>(state.iterations() * options.epochs),
                                                  benchmark::Counter::kIsRate);
  state.counters["samples/s"] = benchmark::Counter(
      static_cast<double>(state.iterations()) * options.epochs * 10'000, benchmark::Counter::kIsRate);
}
BENCHMARK(epochs)->Arg(1)->Arg(2)->UseRealTime()->Unit(benchmark::kMillisecond);

void time_to_zero_error(benchmark::State& state) {
  const learning::DataSet data = navigation_data(true);
  const learning::SampleSet samples = learning::whole(data);
  learning::TrainOptions options;
  options.hidden = {128, 128};
  options.epochs = 400;
  options.stop_at_zero = true;
  int seed = 0, zero = 0;
  for (auto _ : state) {
    options.limits.seed = static_cast<std::uint64_t>(seed++);
    zero += learning::train(data, samples, {}, options).best.train.wrong_transitions == 0 ? 1 : 0;
  }
  state.counters["share at zero"] = static_cast<double>(zero) / static_cast<double>(state.iterations());
}
BENCHMARK(time_to_zero_error)->UseRealTime()->Iterations(5)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();

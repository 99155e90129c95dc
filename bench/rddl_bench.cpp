// How many transitions of an RDDL domain one core simulates per second: with the default action alone (the
// evaluation), and exploring with random legal actions into a data set (what `bnnplan simulate` does).
#include <filesystem>
#include <string>

#include <benchmark/benchmark.h>

#include "bnnplan/rddl/simulate/explore.hpp"
#include "bnnplan/rddl/simulate/transition_table.hpp"

namespace {

using namespace bnnplan;

rddl::Simulator load(const std::string& instance) {
  const std::filesystem::path folder = std::filesystem::path(BNNPLAN_SOURCE_DIR) / "domains";
  const std::string domain = instance.substr(0, instance.find('_'));
  return rddl::Simulator(folder / (domain + ".rddl"), folder / (instance + ".rddl"));
}

void measure_step(benchmark::State& state, const std::string& instance) {
  rddl::Simulator simulator = load(instance);
  const rddl::ActionValues action = simulator.default_action();
  rddl::StateValues current = simulator.initial_state(), next;
  for (auto _ : state) {
    simulator.step(current, action, next);
    benchmark::DoNotOptimize(next.data());
  }
  state.SetItemsProcessed(state.iterations());
}

void measure_explore(benchmark::State& state, const std::string& instance) {
  rddl::Simulator simulator = load(instance);
  const rddl::BitLayout layout = rddl::make_bit_layout(simulator.model(), {});
  rddl::ExploreOptions options;
  options.episodes = 10;
  options.steps = 1000;
  std::int64_t transitions = 0;
  for (auto _ : state) {
    std::size_t bytes = 0;
    rddl::TransitionLines table(layout, {}, {}, false, [&](std::string_view line) { bytes += line.size(); });
    const rddl::ExplorationCounts counts = rddl::explore(
        simulator, layout, options, [&](const auto& s, const auto& a, const auto& n) { table.add(s, a, n); });
    benchmark::DoNotOptimize(bytes);
    transitions += static_cast<std::int64_t>(counts.transitions);
    ++options.seed;
  }
  state.SetItemsProcessed(transitions);
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  for (const std::string instance : {"navigation_5x5", "inventory_4", "sysadmin_5", "cellda_x"}) {
    benchmark::RegisterBenchmark((instance + "/step").c_str(),
                                 [instance](benchmark::State& state) { measure_step(state, instance); });
    benchmark::RegisterBenchmark((instance + "/explore").c_str(),
                                 [instance](benchmark::State& state) { measure_explore(state, instance); });
  }
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}

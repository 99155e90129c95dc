// How far the search engine reaches: random networks of 16 to 40 state bits with 256 actions.
//
//   optimal      a reachable goal: best-first search, against plain layers (every state of every
//                layer, all its actions), which is what it replaces
//   exhaustive   an unreachable goal, so that every state within the horizon has to be visited: states
//                and evaluations per second, bytes per state, and how time grows with the number of states
//   memory       a search that never ends, under a limit: the peak of the process
//
// Times are processor times, all threads together. One thread unless the first argument is a number of
// threads.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bnnplan/base/stopwatch.hpp"
#include "bnnplan/engines/engine.hpp"
#include "bnnplan/engines/search/search_run.hpp"
#include "processor_seconds.hpp"
#include "support/random_problem.hpp"

namespace {

using namespace bnnplan;
using bench::processor_seconds;
using testing::random_network_problem;

constexpr std::size_t mebibyte = std::size_t{1} << 20;

template <class T>
T statistic(const engines::Outcome& outcome, std::string_view name) {
  for (const auto& [key, value] : outcome.statistics) {
    if (key == name) return std::get<T>(value);
  }
  return {};
}

struct PlainLayers {
  std::uint64_t evaluations = 0;
  double seconds = 0;  // of the processor
  bool complete = false;
};

// Forward reachability layer by layer with all actions, stopped after a time.
PlainLayers plain_layers(const Problem& problem, unsigned threads, double most_seconds) {
  engines::EngineRequest request;
  request.limits.threads = threads;
  request.limits.seconds = most_seconds;
  const double before = processor_seconds();
  engines::SearchRun run(problem, request);
  run.begin();
  std::vector<engines::StateId> layer = run.initial_states(), next;
  const auto expand_all = [&](std::size_t index) {
    for (std::size_t from = 0; from < layer.size(); from += 1024) {
      std::vector<engines::StateId> batch;
      for (std::size_t i = from; i < std::min(from + 1024, layer.size()); ++i) {
        if (run.graph->classes(layer[i]) == index) batch.push_back(layer[i]);
      }
      if (!batch.empty()) run.graph->expand(batch, 0);
    }
  };
  bool stopped = false;
  for (int t = 0; t < problem.horizon && !stopped; ++t) {
    try {
      for (std::size_t index = 0; run.actions.make_class(index); ++index) expand_all(index);
    } catch (const LimitReached&) {
      stopped = true;
    }
    run.graph->clear_marks();
    next.clear();
    for (const engines::StateId state : layer) {
      for (auto index = run.graph->first_block(state); index != engines::no_index;
           index = run.graph->block(index).next_block) {
        const engines::EdgeBlock& block = run.graph->block(index);
        for (auto i = block.begin; i < block.begin + block.count; ++i) {
          if (run.graph->mark(run.graph->edge(i).next)) next.push_back(run.graph->edge(i).next);
        }
      }
    }
    layer.swap(next);
  }
  return {run.graph->evaluations(), processor_seconds() - before, !stopped};
}

// The outcome's seconds are processor time.
engines::Outcome solve(const Problem& problem, unsigned threads, double seconds) {
  engines::EngineRequest request;
  request.limits.threads = threads;
  request.limits.seconds = seconds;
  request.limits.memory_bytes = machine_memory() / 2;
  const double before = processor_seconds();
  engines::Outcome outcome = engines::find_engine("search")->run(problem, request);
  outcome.seconds = processor_seconds() - before;
  return outcome;
}

void optimal_ladder(unsigned threads) {
  constexpr double most_seconds = 20;
  fmt::print(
      "optimal: 256 actions, hidden layers 64:64, H = 6\n{:>5} {:<10} {:>5} {:>10} {:>13} {:>8}   plain "
      "layers: {:>13} {:>8}\n",
      "bits", "status", "cost", "states", "evaluations", "CPU s", "evaluations", "CPU s");
  for (const int bits : {16, 20, 24, 28, 32, 36, 40}) {
    const Problem problem =
        random_network_problem(7, {.state_bits = bits, .action_bits = 8, .goal_bits = 10, .horizon = 6});
    const engines::Outcome outcome = solve(problem, threads, most_seconds);
    const PlainLayers plain = plain_layers(problem, threads, most_seconds);
    fmt::print("{:>5} {:<10} {:>5} {:>10} {:>13} {:>8.3f}                 {:>13} {:>8.3f}{}\n", bits,
               status_text(outcome.status), outcome.cost ? std::to_string(*outcome.cost) : "-",
               statistic<std::int64_t>(outcome, "states"), statistic<std::int64_t>(outcome, "evaluations"),
               outcome.seconds, plain.evaluations, plain.seconds, plain.complete ? "" : " not finished");
  }
}

void exhaustive_ladder(unsigned threads) {
  fmt::print(
      "\nexhaustive: 20 state bits, 16 actions, hidden layers 64:64\n{:>3} {:<10} {:>10} {:>10} {:>13} {:>8} "
      "{:>12} {:>14} {:>12}\n",
      "H", "status", "states", "nodes", "evaluations", "CPU s", "states/s", "evaluations/s", "bytes/state");
  for (const int horizon : {3, 4, 5, 6, 8, 12, 16}) {
    Problem problem = random_network_problem(
        9, {.state_bits = 20, .action_bits = 4, .goal_bits = 1, .horizon = horizon, .hidden = {64, 64}});
    problem.goal.front().bound = 2;  // never true
    const engines::Outcome outcome = solve(problem, threads, 120);
    const auto states = statistic<std::int64_t>(outcome, "states");
    fmt::print("{:>3} {:<10} {:>10} {:>10} {:>13} {:>8.3f} {:>12.0f} {:>14.0f} {:>12.0f}\n", horizon,
               status_text(outcome.status), states, statistic<std::int64_t>(outcome, "nodes"),
               statistic<std::int64_t>(outcome, "evaluations"), outcome.seconds,
               static_cast<double>(states) / outcome.seconds,
               static_cast<double>(statistic<std::int64_t>(outcome, "evaluations")) / outcome.seconds,
               statistic<double>(outcome, "bytes_per_state"));
  }
}

void memory_ladder(unsigned threads) {
  fmt::print("\nmemory: 40 state bits, 1024 actions, no end\n{:>10} {:>10} {:>12} {:>10} {:>12}\n",
             "limit MiB", "peak MiB", "stopped by", "states", "bytes/state");
  for (const std::size_t limit : {100, 400, 1600}) {
    std::fflush(stdout);
    const pid_t child = ::fork();
    if (child == 0) {
      const Problem problem =
          random_network_problem(11, {.state_bits = 40, .action_bits = 10, .goal_bits = 38, .horizon = 50});
      engines::EngineRequest request;
      request.limits.threads = threads;
      request.limits.memory_bytes = limit * mebibyte;
      request.limits.seconds = 300;
      const engines::Outcome outcome = engines::find_engine("search")->run(problem, request);
      fmt::print("{:>10} {:>10.1f} {:>12} {:>10} {:>12.0f}\n", limit,
                 static_cast<double>(peak_resident_memory()) / mebibyte, stop_reason_text(outcome.stopped),
                 statistic<std::int64_t>(outcome, "states"), statistic<double>(outcome, "bytes_per_state"));
      std::fflush(stdout);
      ::_exit(0);
    }
    ::waitpid(child, nullptr, 0);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const unsigned threads = argc > 1 ? static_cast<unsigned>(std::strtoul(argv[1], nullptr, 10)) : 1;
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  fmt::print("{} threads\n", threads);
  memory_ladder(threads);  // first, while this process is small
  optimal_ladder(threads);
  exhaustive_ladder(threads);
  return 0;
}

// Large searches; run each alone on the machine for meaningful figures:
//
//   search_bench threads [PROBLEM.toml]   one thread and two in turns, three times each: least wall times,
//                                         their ratio. By default rs32_a16_g32_h4 of the folder frontier.
//   search_bench prove [PROBLEM.toml]     one thread until the proof. By default rs32_a20_g32_h4.
//   search_bench states [BITS [ONES]]     a shift register of BITS bits of which at most ONES may be 1,
//                                         27 and 16 by default: all states with fewer ones, 104.6 million,
//                                         are cheaper than the goal. 107 bytes per state.
//   search_bench write FILE.toml [BITS [ONES]]   that problem as files, for bnnplan-mpi (docs/cluster.md).
#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "bnnplan/base/limits.hpp"
#include "bnnplan/base/stopwatch.hpp"
#include "bnnplan/engines/checked_run.hpp"
#include "bnnplan/engines/engine.hpp"
#include "bnnplan/problem/expression.hpp"
#include "bnnplan/problem/problem_file.hpp"
#include "processor_seconds.hpp"
#include "support/frontier.hpp"
#include "support/random_problem.hpp"

namespace {

using namespace bnnplan;

engines::Outcome run_search_alone(const Problem& problem, unsigned threads) {
  engines::EngineRequest request;
  request.limits.threads = threads;
  request.limits.memory_bytes = machine_memory() / 10 * 9;
  return engines::run_checked(*engines::find_engine("search"), problem, request);
}

void print_outcome(const engines::Outcome& outcome, double processor) {
  std::string counts;
  for (const auto& [name, value] : outcome.statistics) {
    if (name != "states" && name != "nodes" && name != "evaluations" && name != "bytes") continue;
    counts +=
        std::visit([&, label = name](auto number) { return fmt::format(", {} {}", label, number); }, value);
  }
  fmt::print("{}, cost {}, lower bound {}, {:.1f} s, {:.1f} s of processor time{}, {} MiB at the peak\n",
             status_text(outcome.status), outcome.cost.value_or(0), outcome.lower_bound.value_or(0),
             outcome.seconds, processor, counts, peak_resident_memory() >> 20);
}

void compare_threads(const Problem& problem) {
  double least[2] = {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  for (int round = 0; round < 3; ++round) {
    for (const unsigned threads : {1u, 2u}) {
      const engines::Outcome outcome = run_search_alone(problem, threads);
      least[threads - 1] = std::min(least[threads - 1], outcome.seconds);
      fmt::print("{} thread{}: {:.3f} s, cost {}\n", threads, threads == 1 ? "" : "s", outcome.seconds,
                 outcome.cost.value_or(0));
    }
  }
  fmt::print("two threads are {:.2f} times as fast as one\n", least[0] / least[1]);
}

void prove(const Problem& problem) {
  const double before = bench::processor_seconds();
  const engines::Outcome outcome = run_search_alone(problem, 1);
  print_outcome(outcome, bench::processor_seconds() - before);
}

Problem limited_register(int bits, int ones) {
  Problem problem = testing::shift_register_problem(bits, bits + 1);
  const NameTable names(problem);
  std::string sum;
  problem.goal.clear();
  for (int i = 0; i < bits; ++i) {
    sum += fmt::format("{}s{}", i == 0 ? "" : " + ", i);
    const std::string wanted = fmt::format("s{} == {}", i, i < ones ? 1 : 0);
    problem.goal.push_back(parse_constraint(wanted, problem, names, Scope::goal));
  }
  problem.constraints.push_back(
      parse_constraint(fmt::format("{} <= {}", sum, ones), problem, names, Scope::step));
  return problem;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  const auto file = [&](const char* name) {
    return argc > 2 ? std::string(argv[2]) : (testing::frontier_folder() / name).string() + ".toml";
  };
  if (what == "threads") {
    compare_threads(read_problem(file("rs32_a16_g32_h4")));
  } else if (what == "prove") {
    prove(read_problem(file("rs32_a20_g32_h4")));
  } else if (what == "states") {
    prove(limited_register(argc > 2 ? std::stoi(argv[2]) : 27, argc > 3 ? std::stoi(argv[3]) : 16));
  } else if (what == "write" && argc > 2) {
    write_problem(argv[2],
                  limited_register(argc > 3 ? std::stoi(argv[3]) : 27, argc > 4 ? std::stoi(argv[4]) : 16));
  } else {
    fmt::print("search_bench threads|prove|states|write: see the head of bench/search_bench.cpp\n");
    return 1;
  }
  return 0;
}

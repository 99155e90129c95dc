// The C++ side of python_overhead: the least time of one library call, in seconds; for the network, in
// processor time.
//   facade_bench network NET.bnn ROWS ROUNDS     rows of bytes in, rows of bytes out
//   facade_bench plan PROBLEM.toml ENGINE ROUNDS
#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <iostream>
#include <string>
#include <vector>

#include <bnnplan/bnnplan.hpp>

#include "bnnplan/base/random.hpp"

namespace {

double seconds_of(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

double least(clockid_t clock, int rounds, const std::function<void()>& call) {
  double best = 1e9;
  for (int round = 0; round < rounds; ++round) {
    const double before = seconds_of(clock);
    call();
    best = std::min(best, seconds_of(clock) - before);
  }
  return best;
}

double time_network(const std::string& file, std::size_t rows, int rounds) {
  const bnnplan::Network network = bnnplan::read_network(file);
  const bnnplan::PackedNetwork packed(network);
  bnnplan::Random random(0);
  std::vector<std::uint8_t> bytes(rows * packed.inputs());
  for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random.below(2));
  return least(CLOCK_THREAD_CPUTIME_ID, rounds, [&] {
    std::vector<std::uint64_t> inputs(rows * packed.input_words()), outputs(rows * packed.output_words());
    std::vector<std::uint8_t> result(rows * packed.outputs());
    bnnplan::Workspace workspace;
    bnnplan::pack_rows(bytes.data(), rows, packed.inputs(), inputs.data());
    packed.evaluate(inputs.data(), rows, outputs.data(), workspace);
    bnnplan::unpack_rows(outputs.data(), rows, packed.outputs(), result.data());
  });
}

double time_plan(const std::string& file, const std::string& engine, int rounds) {
  const bnnplan::Problem problem = bnnplan::read_problem(file);
  bnnplan::PlanOptions options;
  options.engine = engine;
  return least(CLOCK_MONOTONIC, rounds, [&] { bnnplan::plan(problem, options); });
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) return std::cerr << "usage: facade_bench network|plan FILE ROWS|ENGINE ROUNDS\n", 1;
  const int rounds = std::atoi(argv[4]);
  const bool network = std::string(argv[1]) == "network";
  std::cout << (network ? time_network(argv[2], std::strtoull(argv[3], nullptr, 10), rounds)
                        : time_plan(argv[2], argv[3], rounds))
            << '\n';
}

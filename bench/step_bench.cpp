// How many (state, action) pairs of known transitions are evaluated per second of processor time: by the
// compiled program and, on a part of them, by the step solver that it is compared with in tests. States come
// from random walks from the initial state; each is paired with all actions of the first classes.
//
//   step_bench [PROBLEM.toml...]      by default those of the folder frontier that have no network
#include <algorithm>
#include <ctime>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "bnnplan/engines/search/action_table.hpp"
#include "bnnplan/engines/search/step_program.hpp"
#include "bnnplan/engines/search/step_solver.hpp"
#include "bnnplan/problem/problem_file.hpp"
#include "support/frontier.hpp"

namespace {

using namespace bnnplan;

constexpr std::size_t state_count = 4096;
constexpr std::size_t pair_count = std::size_t{1} << 20;
constexpr std::size_t solver_pairs = std::size_t{1} << 13;

// Processor time: other work on the machine does not count.
class Clock {
 public:
  double seconds() const { return static_cast<double>(std::clock() - start_) / CLOCKS_PER_SEC; }

 private:
  std::clock_t start_ = std::clock();
};

std::vector<engines::Words> walk(const engines::PackedProblem& packed, const engines::ActionTable& actions,
                                 engines::StepSolver& solver) {
  std::mt19937_64 random(1);
  engines::Words initial(packed.state_words, 0);
  for (std::uint32_t bit = 0; bit < packed.problem.initial.size(); ++bit) {
    if (packed.problem.initial[bit] == 1) engines::set_bit(initial.data(), bit);
  }
  const engines::Words nothing(packed.state_words, 0);
  std::vector<engines::Words> states{initial};
  engines::Words state = initial;
  for (std::size_t attempt = 0; states.size() < state_count && attempt < 4 * state_count; ++attempt) {
    const auto action = static_cast<engines::ActionId>(random() % actions.size());
    engines::Words found;
    solver.append_successors(state.data(), actions.bits(action), nothing.data(), found);
    const bool useful = found.size() >= packed.state_words && packed.state_constraints.hold(found.data());
    state = useful ? engines::Words(found.begin(),
                                    found.begin() + static_cast<std::ptrdiff_t>(packed.state_words))
                   : initial;
    if (useful) states.push_back(state);
  }
  return states;
}

void measure(const std::string& file) {
  const Problem problem = read_problem(file);
  const engines::PackedProblem packed(problem);
  const Clock compiling;
  const engines::StepProgram program(packed);
  const double compile_seconds = compiling.seconds();
  LimitWatch watch{Limits{}};
  engines::ActionTable actions(packed, watch, 0);
  for (std::size_t index = 0; index < 4; ++index) actions.make_class(index);
  engines::StepSolver solver(packed, watch);
  const auto states = walk(packed, actions, solver);
  if (!program.useful()) {
    fmt::print("{:<12} not compiled\n", problem.name);
    return;
  }

  const engines::Words nothing(packed.state_words, 0);
  std::vector<engines::StepProgram::Pair> pairs;
  for (std::size_t i = 0; pairs.size() < pair_count; ++i) {
    for (engines::ActionId action = 0; action < actions.size(); ++action) {
      pairs.push_back({states[i % states.size()].data(), actions.bits(action), nothing.data()});
    }
  }
  engines::StepProgram::Workspace workspace;
  std::size_t single = 0, open = 0, checksum = 0;
  const Clock running;
  for (std::size_t first = 0; first < pairs.size(); first += engines::lane_count) {
    const std::size_t count = std::min(engines::lane_count, pairs.size() - first);
    program.run({pairs.data() + first, count}, workspace);
    for (std::size_t i = 0; i < count; ++i) {
      open += workspace.open(i) ? 1 : 0;
      if (!workspace.single(i)) continue;
      ++single;
      checksum += workspace.next(i)[0];
    }
  }
  const double seconds = running.seconds();

  engines::Words found;
  const Clock solving;
  for (std::size_t i = 0; i < solver_pairs; ++i) {
    found.clear();
    const engines::StepProgram::Pair& pair = pairs[i * (pairs.size() / solver_pairs)];
    solver.append_successors(pair.state, pair.action, pair.learned, found);
  }
  fmt::print("{:<12} {:>7} {:>8.1f} {:>10.2f} {:>10.3f} {:>8.1f} {:>6.1f}  {:x}\n", problem.name,
             program.operation_count(), 1e3 * compile_seconds,
             static_cast<double>(pairs.size()) / seconds / 1e6,
             static_cast<double>(solver_pairs) / solving.seconds() / 1e6,
             100.0 * static_cast<double>(single) / static_cast<double>(pairs.size()),
             100.0 * static_cast<double>(open) / static_cast<double>(pairs.size()), checksum & 0xffff);
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> files(argv + 1, argv + argc);
  if (files.empty()) {
    for (const char* name : {"sys_6", "sys_10", "sys_12", "inv_6", "inv_8", "cel_10", "cel_12", "nav_20"}) {
      files.push_back((testing::frontier_folder() / fmt::format("{}.toml", name)).string());
    }
    if (!testing::frontier_present()) {
      fmt::print("the larger problems are not at {} (set BNNPLAN_SHARED)\n",
                 testing::frontier_folder().string());
      return 0;
    }
  }
  fmt::print("{:<12} {:>7} {:>8} {:>10} {:>10} {:>8} {:>6}\n", "problem", "gates", "ms", "M pairs/s",
             "solver", "single%", "open%");
  for (const std::string& file : files) measure(file);
}

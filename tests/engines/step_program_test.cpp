// Compiled steps: circuits against counting, programs against circuits, and steps against the step solver.
#include "bnnplan/engines/search/step_program.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <filesystem>
#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "bnnplan/engines/search/action_table.hpp"
#include "bnnplan/engines/search/bit_circuit.hpp"
#include "bnnplan/engines/search/circuit_program.hpp"
#include "bnnplan/engines/search/step_solver.hpp"
#include "bnnplan/problem/problem_file.hpp"
#include "support/frontier.hpp"
#include "support/random_problem.hpp"

namespace bnnplan::engines {
namespace {

using Wire = BitCircuit::Wire;

// Random rows over the inputs 0 to n - 1, as circuits and as sums, for all values of the inputs.
TEST(BitCircuit, RowsHoldWhereTheirSumsSay) {
  std::mt19937_64 random(2);
  const auto number = [&](std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(high - low + 1));
  };
  for (int round = 0; round < 400; ++round) {
    BitCircuit circuit;
    const std::uint32_t inputs = static_cast<std::uint32_t>(number(1, 8));
    std::vector<Wire> wires;
    for (std::uint32_t i = 0; i < inputs; ++i) wires.push_back(circuit.input());
    struct Row {
      std::vector<BitCircuit::Summand> summands;
      Comparison comparison;
      std::int64_t bound;
    };
    std::vector<Row> rows;
    std::vector<Wire> outputs;
    const std::int64_t largest = round % 3 == 0 ? 1 : round % 3 == 1 ? 9 : 1'000'000'000'000;
    for (int i = 0; i < 6; ++i) {
      Row row{{}, static_cast<Comparison>(number(0, 2)), 0};
      for (int k = number(0, 2 * inputs); k > 0; --k) {  // some inputs several times, some negated
        const Wire wire =
            wires[static_cast<std::size_t>(number(0, inputs - 1))] ^ static_cast<Wire>(number(0, 1));
        row.summands.push_back({number(-largest, largest), number(0, 9) == 0 ? BitCircuit::one : wire});
      }
      for (const auto& summand : row.summands) row.bound += number(0, 1) * summand.coefficient;
      outputs.push_back(circuit.holds(row.summands, row.comparison, row.bound));
      rows.push_back(row);
    }
    const CircuitProgram program(circuit, outputs);
    std::vector<Lanes> places(program.place_count());
    for (const CircuitProgram::Input& input : program.inputs()) {
      for (std::size_t lane = 0; lane < lane_count; ++lane) {
        std::uint64_t& word = places[input.place].words[lane / 64];
        if ((lane >> input.number & 1) != 0) word |= std::uint64_t{1} << lane % 64;
      }
    }
    program.run(places.data(),
                instruction_sets()[static_cast<std::size_t>(round) % instruction_sets().size()]);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      for (std::size_t lane = 0; lane < lane_count; ++lane) {
        std::int64_t sum = 0;
        for (const auto& summand : rows[i].summands) {
          const Wire gate = summand.wire / 2;
          const bool value = gate != 0 && (lane >> (gate - 1) & 1) != 0;
          sum += value != ((summand.wire & 1) != 0) ? summand.coefficient : 0;
        }
        ASSERT_EQ((program.output(places.data(), i, lane / 64) >> lane % 64 & 1) != 0,
                  compare(sum, rows[i].comparison, rows[i].bound))
            << "round " << round;
      }
    }
  }
}

TEST(BitCircuit, EqualGatesAreOneAndConstantsAreFolded) {
  BitCircuit circuit;
  const Wire a = circuit.input(), b = circuit.input();
  EXPECT_EQ(circuit.both(a, b), circuit.both(b, a));
  EXPECT_EQ(circuit.both(a, a ^ 1), BitCircuit::zero);
  EXPECT_EQ(circuit.either(a, a ^ 1), BitCircuit::one);
  EXPECT_EQ(circuit.both(a, BitCircuit::one), a);
  EXPECT_EQ(circuit.differ(a, BitCircuit::one), a ^ 1);
  EXPECT_EQ(circuit.differ(a, b ^ 1), circuit.differ(a ^ 1, b));
  EXPECT_EQ(circuit.differ(a, a ^ 1), BitCircuit::one);
  const auto samples = circuit.samples(circuit.both(a, b ^ 1));
  for (std::size_t i = 0; i < BitCircuit::sample_words; ++i) {
    EXPECT_EQ(samples[i], circuit.samples(a)[i] & ~circuit.samples(b)[i]);
  }
}

struct Compared {
  std::size_t pairs = 0, open = 0, single = 0;
};

// All pairs of the given states and actions by both ways; `learned` as the network could give it.
void compare_steps(const PackedProblem& packed, const StepProgram& program, const std::vector<Words>& states,
                   const std::vector<Words>& actions, std::mt19937_64& random, Compared& compared) {
  LimitWatch watch{Limits{}};
  StepSolver solver(packed, watch);
  StepProgram::Workspace workspace;
  std::vector<Words> learned;
  std::vector<StepProgram::Pair> pairs;
  const auto flush = [&] {
    for (std::size_t i = 0; i < pairs.size(); ++i) pairs[i].learned = learned[i].data();
    program.run(pairs, workspace);
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      Words found;
      if (all_hold(packed.joint_constraints, pairs[i].action, pairs[i].state)) {
        solver.append_successors(pairs[i].state, pairs[i].action, pairs[i].learned, found);
      }
      ++compared.pairs;
      ASSERT_FALSE(workspace.open(i) && workspace.single(i));
      if (workspace.open(i)) {
        ++compared.open;
        continue;
      }
      const bool useful = found.size() == packed.state_words &&
                          (packed.state_constraints.hold(found.data()) || packed.goal.hold(found.data()));
      ASSERT_LE(found.size(), packed.state_words) << "a step that has several next states is open";
      ASSERT_EQ(workspace.single(i), useful);
      if (!useful) continue;
      ++compared.single;
      ASSERT_TRUE(std::equal(found.begin(), found.end(), workspace.next(i)));
    }
    pairs.clear();
    learned.clear();
  };
  std::size_t most = lane_count;
  for (const Words& state : states) {
    for (const Words& action : actions) {
      Words& next = learned.emplace_back(packed.state_words, 0);
      for (const std::uint32_t bit : packed.problem.network_outputs) {
        if (random() % 2 != 0) set_bit(next.data(), bit);
      }
      pairs.push_back({state.data(), action.data(), nullptr});
      if (pairs.size() < most) continue;
      flush();
      most = 1 + random() % lane_count;
      if (::testing::Test::HasFatalFailure()) return;
    }
  }
  flush();
}

std::vector<Words> all_values(std::uint32_t bits, std::size_t words) {
  std::vector<Words> values;
  for (std::uint64_t value = 0; value < std::uint64_t{1} << bits; ++value) {
    values.emplace_back(words, 0)[0] = value;
  }
  return values;
}

TEST(StepProgram, AgreesWithTheStepSolverOnRandomProblems) {
  std::mt19937_64 random(3);
  Compared all;
  int useful = 0, with_open = 0, with_auxiliary = 0;
  for (std::uint64_t seed = 1; seed <= 3000; ++seed) {
    SCOPED_TRACE(seed);
    Problem problem = testing::random_problem(seed, {.most_state_bits = 6,
                                                     .most_action_bits = 3,
                                                     .most_auxiliary_bits = 4,
                                                     .large_numbers = seed % 5 == 0});
    problem.refused.clear();  // the trie's node is not part of a step
    const PackedProblem packed(problem);
    const StepProgram program(packed);
    if (!program.useful()) continue;
    ++useful;
    Compared compared;
    compare_steps(packed, program, all_values(problem.state.bit_count(), packed.state_words),
                  all_values(problem.action.bit_count(), packed.action_words), random, compared);
    if (HasFatalFailure()) FAIL() << problem_text(problem);
    with_open += compared.open > 0 ? 1 : 0;
    with_auxiliary += problem.auxiliary.bit_count() > 0 && compared.single > 0 ? 1 : 0;
    all.pairs += compared.pairs;
    all.open += compared.open;
    all.single += compared.single;
  }
  // Or this test shows less than it says.
  EXPECT_GE(useful, 500);
  EXPECT_GE(with_open, 50);
  EXPECT_GE(with_auxiliary, 50);
  EXPECT_GE(all.single, all.pairs / 10);
  EXPECT_LT(all.open, all.pairs / 2);
}

// Every bit of a number that is given by one row, also with carries, and one of two's complement.
TEST(StepProgram, NumbersAreSettledFromTheirHighestBitOn) {
  const Problem problem = parse_problem(R"(horizon = 1
transitions = ["clock' == clock + 3 fast + 1 - 64 carry", "low' == low - 2 fast + wrap", "wrap <= fast"]
goal = ["clock <= 50"]
constraints = ["low <= 2"]
[state]
clock = { bits = 6 }
low = { bits = 3, signed = true }
[action]
fast = "bool"
[auxiliary]
carry = "bool"
wrap = "bool")",
                                        "clock.toml", ".");
  const PackedProblem packed(problem);
  const StepProgram program(packed);
  ASSERT_TRUE(program.useful());
  std::mt19937_64 random(4);
  Compared compared;
  compare_steps(packed, program, all_values(9, 1), all_values(1, 1), random, compared);
  EXPECT_EQ(compared.pairs, 1024u);
  EXPECT_LT(compared.open, 600u);
  EXPECT_GT(compared.single, 200u);
}

// The bits of a constant one: states that random inputs hardly ever are.
TEST(StepProgram, AgreesOnTheFrontierAlongRandomWalks) {
  BNNPLAN_NEEDS_FRONTIER();
  for (const char* name : {"sys_6", "sys_10", "inv_6", "cel_10", "nav_20"}) {
    SCOPED_TRACE(name);
    const Problem problem = read_problem(testing::frontier_folder() / fmt::format("{}.toml", name));
    const PackedProblem packed(problem);
    const StepProgram program(packed);
    ASSERT_TRUE(program.useful());
    LimitWatch watch{Limits{}};
    ActionTable table(packed, watch, 0);
    for (std::size_t index = 0; index < 3; ++index) table.make_class(index);
    std::mt19937_64 random(5);
    std::vector<Words> states, actions;
    Words initial(packed.state_words, 0);
    for (std::uint32_t bit = 0; bit < problem.initial.size(); ++bit) {
      if (problem.initial[bit] == 1) set_bit(initial.data(), bit);
    }
    StepSolver solver(packed, watch);
    for (int walk = 0; walk < 10; ++walk) {
      Words state = initial;
      for (int step = 0; step < 20; ++step) {
        states.push_back(state);
        Words found;
        for (int attempt = 0; attempt < 10 && found.empty(); ++attempt) {
          const auto action = static_cast<ActionId>(random() % table.size());
          if (!packed.state_constraints.hold(state.data())) break;
          if (!all_hold(packed.joint_constraints, table.bits(action), state.data())) continue;
          solver.append_successors(state.data(), table.bits(action), Words(packed.state_words, 0).data(),
                                   found);
        }
        if (found.empty()) break;
        ASSERT_EQ(found.size(), packed.state_words);
        state = found;
      }
    }
    for (ActionId action = 0; action < table.size(); action += 1 + table.size() / 40) {
      actions.emplace_back(table.bits(action), table.bits(action) + packed.action_words);
    }
    Compared compared;
    compare_steps(packed, program, states, actions, random, compared);
    EXPECT_EQ(compared.open, 0u) << "a step without a choice is always compiled";
    EXPECT_GT(compared.single, 0u);
  }
}

TEST(StepProgram, IsOfNoUseWhereEverythingIsAChoiceOrNothingIsLeft) {
  const Problem choices = parse_problem(R"(horizon = 1
transitions = ["s' + r' <= 2"]
[state]
s = "bool"
r = "bool")",
                                        "choices.toml", ".");
  EXPECT_FALSE(StepProgram(PackedProblem(choices)).useful());
  const Problem learned = testing::random_network_problem(1, {});
  EXPECT_FALSE(StepProgram(PackedProblem(learned)).useful());
}

}  // namespace
}  // namespace bnnplan::engines

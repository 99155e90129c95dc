#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bnnplan/network/network.hpp"
#include "bnnplan/problem/problem.hpp"

namespace bnnplan::testing {

// How large random problems are.
struct RandomProblemSize {
  int most_state_bits = 5;
  int most_action_bits = 3;
  int most_auxiliary_bits = 2;
  int most_steps = 4;
  bool large_numbers = false;  // coefficients and bounds up to 10^12 as well
};

// A random small problem of any kind: Booleans and integers (two's complement, scaled), with or without a
// network, known transitions that leave a choice or none, auxiliary variables, free initial bits,
// constraints, goals, rewards of both signs with decimals, a quarter of them with refused prefixes, a fifth
// with a discount. About a third have no plan. The same seed gives the same problem, which can be written as
// a problem file.
Problem random_problem(std::uint64_t seed, const RandomProblemSize& size = {});

// Adds a few short random prefixes to problem.refused.
void refuse_prefixes(Problem& problem, std::uint64_t seed);

// A network of this shape with random weights (some of them 0) and thresholds around the middle.
Network random_network(std::uint64_t seed, std::vector<std::string> inputs, std::vector<int> hidden,
                       std::vector<std::string> outputs);

// A larger problem whose state is given by one random network alone: every action bit costs 1 to 3, the first
// `goal_bits` state bits are to be 1 in the end.
struct RandomNetworkProblem {
  int state_bits = 24;
  int action_bits = 6;
  int goal_bits = 8;
  int horizon = 10;
  std::vector<int> hidden = {64, 64};
};
Problem random_network_problem(std::uint64_t seed, const RandomNetworkProblem& shape);

// A shift register, as a network: the action is what is shifted in, and writing a 1 costs 1. All 2^bits
// states can be reached, all of them more cheaply than the goal, which is all bits 1.
Problem shift_register_problem(int bits, int horizon);

// A ring of cells that are lit by lighting them, at cost 1 each and any set of them in a step, or by a lit
// neighbour; lit cells stay lit, and all have to be in the end. One seed reaches 2 horizon - 1 cells, so the
// optimum is cells / (2 horizon - 1), rounded up. Requires cells >= 3.
Problem ring_problem(int cells, int horizon);

}  // namespace bnnplan::testing

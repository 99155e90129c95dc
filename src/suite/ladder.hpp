#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "bnnplan/base/limits.hpp"
#include "bnnplan/problem/problem.hpp"

namespace bnnplan::suite {

// The origin of a problem of the ladder.
enum class LadderFamily : std::uint8_t {
  navigation,   // the four domains, of any size: a grid of size x size, with obstacles
  sysadmin,     // `size` computers
  inventory,    // `size` months
  cellda,       // a grid of size x size, with blocks
  random,       // a network of random weights as the transition function
  perturbation  // the fewest inputs to change so that a random network gives the other class
};

// How the transitions of the four domains are given.
enum class LadderTransitions : std::uint8_t {
  known,   // as linear constraints
  sparse,  // by a network that covers what was seen of them (learn/cover.hpp)
  dense    // by a network of weights -1 and +1, trained (learn/train.hpp)
};

// Everything that a problem is made from; the same again on any machine.
struct LadderProblem {
  LadderFamily family = LadderFamily::navigation;
  LadderTransitions transitions = LadderTransitions::known;
  int size = 0;                // n: side of the grid, computers, months; state bits; inputs
  int actions = 0, goals = 0;  // a, g of random: action bits, state bits that the goal fixes
  // w, l of random, perturbation and dense: neurons of a hidden layer, hidden layers.
  int width = 0, layers = 0;
  int horizon = 1;         // h, except for perturbation
  std::uint64_t seed = 1;  // s

  // navigation-known_n12_h30_s1, sysadmin-dense_n6_w96_l2_h4_s1, random_n24_a16_g18_w64_l2_h4_s1,
  // perturbation_n64_w64_l2_s1
  std::string name() const;

  friend bool operator==(const LadderProblem&, const LadderProblem&) = default;
};

// The problem with a name. Throws InputError for invalid names and for numbers out of range.
LadderProblem parse_ladder_name(std::string_view name);

// The rungs from easy to open, in the order of families and sizes.
std::vector<LadderProblem> ladder_problems(std::uint64_t seed);

// Makes the problem. `domains` is the folder of the four domains (navigation.rddl, ...). Throws InputError,
// and LimitReached if a limit is reached. Learning takes seconds to minutes, on one thread.
Problem make_ladder_problem(const LadderProblem& wanted, const std::filesystem::path& domains,
                            LimitWatch& watch);

// The three kinds of problems.
Problem make_random_problem(const LadderProblem& wanted);
Problem make_perturbation(const LadderProblem& wanted);
Problem make_domain_problem(const LadderProblem& wanted, const std::filesystem::path& domains,
                            LimitWatch& watch);
// The instance of a domain, as RDDL.
std::string ladder_instance(const LadderProblem& wanted);

}  // namespace bnnplan::suite

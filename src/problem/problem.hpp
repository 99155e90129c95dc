#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/bit_value.hpp"
#include "base/decimal.hpp"
#include "network/network.hpp"
#include "problem/linear.hpp"
#include "view/view.hpp"

namespace bnnplan {

struct NetworkNameLines;  // network/network_file.hpp

constexpr int most_variable_bits = 60;  // of one variable: sums of a few such numbers fit into 64

// A Boolean, or an integer of a fixed number of bits: non-negative (bit b weighs 2^b), or two's complement
// (the highest bit weighs -2^(bits-1)), either times 10^scale.
struct Variable {
  std::string name;
  bool boolean = true;
  int bits = 1;  // 1 to most_variable_bits
  bool twos_complement = false;
  int scale = 0;  // -9 to 9

  friend bool operator==(const Variable&, const Variable&) = default;
};

Decimal bit_weight(const Variable& variable, int bit);

// The variables of one place in order of declaration, with their bits numbered through.
struct VariableList {
  std::vector<Variable> variables;
  std::vector<std::uint32_t> first_bit;  // of each variable; one more at the end: the number of bits

  std::uint32_t bit_count() const { return first_bit.empty() ? 0 : first_bit.back(); }
  void add(Variable variable);
  std::uint32_t variable_of(std::uint32_t bit) const;
  std::string bit_name(std::uint32_t bit) const;  // x for a Boolean, x.3 for a bit of an integer

  friend bool operator==(const VariableList&, const VariableList&) = default;
};

// What is minimised: the sum over all steps t of  constant + sum coefficient * bit  over a^t and s^(t+1),
// divided by 10^decimals, each weighed by discount^(t-1) (step_weights.hpp). Costs inside the program are integers, of
// these weights; only reports divide.
struct Objective {
  std::vector<Term> terms;  // places action and next only
  std::int64_t constant = 0;
  int decimals = 0;
  Decimal discount = {1, 0};  // above 0, at most 1
  int discount_digits = 0;    // the weights have so many decimals, rounded; 0: as many as they need
  std::int64_t multiple =
      1;  // of the reward of a domain that has it as a problem, so that its numbers are decimal
  bool maximize = false;  // the file states a reward; the terms here are its negation all the same
  std::string text;       // as written; empty if the problem has no objective

  friend bool operator==(const Objective&, const Objective&) = default;
};

constexpr int horizon_limit = 1'000'000;

// Plans that begin with these actions, from such an initial state, are refused: not for what the problem says
// of a step, but because something beyond it (the true domain, of which the problem is a learned model) is
// known to refuse them. Without actions, the initial state itself is refused.
struct RefusedPrefix {
  BitValues initial;               // one per state bit; an unknown one may be anything
  std::vector<BitValues> actions;  // one per action bit, step by step from the first

  friend bool operator==(const RefusedPrefix&, const RefusedPrefix&) = default;
};

// What somebody beyond the problem has against a plan: no plan that begins so is one. `parts` says why: these
// actions are allowed, but the state that the plan has after the last of them is not the true one. Then it is
// only the plans that come to this state by the last of them that are refused.
struct Objection {
  Objection(RefusedPrefix refused, bool by_state = false) : prefix(std::move(refused)), parts(by_state) {}
  RefusedPrefix prefix;
  bool parts;
};

// A fixed-horizon learned planning problem, the tuple <S, A, C, T, V, G, R, H> of the design.
struct Problem {
  std::string name;
  int horizon = 0;  // number of steps, 1 to horizon_limit; 0 if the problem does not state one
  int longest = 0;  // the largest horizon that the ranges of its variables are made for; 0: any
  VariableList state, action, auxiliary;
  BitValues initial;  // one per state bit; an unknown one is for the planner to choose
  std::vector<LinearConstraint> constraints;  // over action, state, auxiliary; hold at every step t = 1..H
  std::vector<LinearConstraint> transitions;  // the known ones: also over next
  std::vector<LinearConstraint> goal;         // over state only: the last state s^(H+1)
  Objective objective;
  std::vector<RefusedPrefix> refused;  // those longer than the horizon refuse nothing

  std::optional<Network> network;  // the learned part of the transition function
  std::string network_file;        // as written in the problem file
  // The wiring: which bit feeds each network input (place action or state), and which next-state bit each
  // network output gives (of a classifier, each bit of its last layer; score_terms.hpp). Different bits.
  std::vector<Bit> network_inputs;
  std::vector<std::uint32_t> network_outputs;

  std::optional<View> view;  // how to draw it, if the file says so

  friend bool operator==(const Problem&, const Problem&) = default;
};

const VariableList& variables_at(const Problem& problem, Place place);
std::string bit_name(const Problem& problem, Bit bit);  // with a ' for the next state

// Fills in the wiring from the names in the network. Throws InputError about the network's names, at their
// lines if these are given.
void connect_network(Problem& problem, const NetworkNameLines* lines = nullptr);

// What goes beyond one line of a file: every next-state bit is given by the network or a known transition,
// and no cost can overflow over the horizon. Throws InputError without a place; readers add it.
void validate(const Problem& problem);

// The same problem with another horizon. Throws InputError if it is not in 1..horizon_limit or costs
// overflow.
void set_horizon(Problem& problem, std::int64_t horizon);

// A cost as the user reads it: the integer divided by 10^cost_decimals, for the horizon of the problem.
Decimal cost_in_units(const Problem& problem, std::int64_t cost);

}  // namespace bnnplan

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bnnplan/base/bit_value.hpp"
#include "bnnplan/base/decimal.hpp"
#include "bnnplan/network/network.hpp"
#include "bnnplan/problem/linear.hpp"
#include "bnnplan/view/view.hpp"

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

// The variables of one place in declaration order, with their bits numbered consecutively.
struct VariableList {
  std::vector<Variable> variables;
  std::vector<std::uint32_t> first_bit;  // of each variable, then the number of bits

  std::uint32_t bit_count() const { return first_bit.empty() ? 0 : first_bit.back(); }
  void add(Variable variable);
  std::uint32_t variable_of(std::uint32_t bit) const;
  std::string bit_name(std::uint32_t bit) const;  // x for a Boolean, x.3 for a bit of an integer

  friend bool operator==(const VariableList&, const VariableList&) = default;
};

// What is minimised: the sum over all steps t of  constant + sum coefficient * bit  over a^t and s^(t+1),
// divided by 10^decimals, each weighted by discount^(t-1) (step_weights.hpp). Costs inside the program are
// integers with these weights; only reports divide.
struct Objective {
  std::vector<Term> terms;  // places action and next only
  std::int64_t constant = 0;
  int decimals = 0;
  Decimal discount = {1, 0};  // above 0, at most 1
  int discount_digits = 0;    // decimals of the weights, rounded; 0: as many as needed
  // The objective is this multiple of the reward of the domain it was compiled from, to have decimal numbers.
  std::int64_t multiple = 1;
  bool maximize = false;  // the file states a reward; the terms here are its negation all the same
  std::string text;       // as written; empty if the problem has no objective

  friend bool operator==(const Objective&, const Objective&) = default;
};

constexpr int horizon_limit = 1'000'000;

// Plans that begin with these actions, from such an initial state, are refused: not because of what the
// problem says about a step, but because something beyond it (the true domain, of which the problem is a
// learned model) is known to refuse them. Without actions, the initial state itself is refused.
struct RefusedPrefix {
  BitValues initial;               // one per state bit; an unknown one matches anything
  std::vector<BitValues> actions;  // one per action bit, step by step from the first

  friend bool operator==(const RefusedPrefix&, const RefusedPrefix&) = default;
};

// An objection to a plan from outside the problem: no plan that begins with `prefix` is valid. `parts` gives
// the reason: these actions are allowed, but the state of the plan after the last of them is not the true
// one. Then only plans that reach this state by the last action are refused.
struct Objection {
  Objection(RefusedPrefix refused, bool by_state = false) : prefix(std::move(refused)), parts(by_state) {}
  RefusedPrefix prefix;
  bool parts;
};

// A fixed-horizon learned planning problem, the tuple <S, A, C, T, V, G, R, H> of the design.
struct Problem {
  std::string name;
  int horizon = 0;  // number of steps, 1 to horizon_limit; 0 if not stated
  int longest = 0;  // the largest horizon that the ranges of its variables allow; 0: any
  VariableList state, action, auxiliary;
  BitValues initial;                          // one per state bit; an unknown one is chosen by the planner
  std::vector<LinearConstraint> constraints;  // over action, state, auxiliary; hold at every step t = 1..H
  std::vector<LinearConstraint> transitions;  // the known transitions: also over next
  std::vector<LinearConstraint> goal;         // over state only: the last state s^(H+1)
  Objective objective;
  std::vector<RefusedPrefix> refused;  // those longer than the horizon have no effect

  std::optional<Network> network;  // the learned part of the transition function
  std::string network_file;        // as written in the problem file
  // The wiring: which bit feeds each network input (place action or state), and which next-state bit each
  // network output gives (for a classifier, each bit of its last layer; score_terms.hpp). All distinct.
  std::vector<Bit> network_inputs;
  std::vector<std::uint32_t> network_outputs;

  std::optional<view::View> view;  // how to draw it, if the file says so

  friend bool operator==(const Problem&, const Problem&) = default;
};

const VariableList& variables_at(const Problem& problem, Place place);
std::string bit_name(const Problem& problem, Bit bit);  // with a ' for the next state

// Fills in the wiring from the names in the network. Throws InputError about the network's names, at their
// lines if given.
void connect_network(Problem& problem, const NetworkNameLines* lines = nullptr);

// Checks what goes beyond one line of a file: every next-state bit is given by the network or a known
// transition, and no cost can overflow over the horizon. Throws InputError without a location; readers add
// it.
void validate(const Problem& problem);

// Changes the horizon. Throws InputError if it is not in 1..horizon_limit or costs overflow.
void set_horizon(Problem& problem, std::int64_t horizon);

// A cost as shown to the user: the integer divided by 10^cost_decimals, for the horizon of the problem.
Decimal cost_in_units(const Problem& problem, std::int64_t cost);

}  // namespace bnnplan

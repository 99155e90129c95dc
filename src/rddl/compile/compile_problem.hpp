#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/limits.hpp"
#include "network/network_file.hpp"
#include "problem/problem.hpp"
#include "rddl/compile/fixed_point.hpp"
#include "rddl/compile/planning_model.hpp"
#include "rddl/ground/bit_layout.hpp"
#include "rddl/ground/ground.hpp"

namespace bnnplan {

// Where a compilation is.
struct CompileProgress {
  SourcePlace place;
  std::string what;                             // "the cpf of 'x'"
  std::size_t definition = 0, definitions = 0;  // the number of that one; 0: before the definitions
  int table_bits = 0;                           // 0: nothing is tabulated now
  double table_share = 0;                       // of its rows, that are done
  int covered = 0, covers = 0;  // then clauses are made of it: so many times of how many; 0, 0: not yet
};

struct CompileOptions {
  std::string instance_name;       // which instance of the file; "": the only one
  std::vector<std::string> goals;  // conditions on the last state beside those of the files
  Determinization determinization;
  bool ignore_discount = false;  // plan with the sum of rewards instead
  int discount_digits = 0;       // decimals that the weights of steps are rounded to; 0: they are exact
  GivenBits bits;
  GivenRanges ranges;                   // of integers and of reals with a precision
  FixedPoint precision;                 // what real fluents are multiples of
  std::optional<std::int64_t> horizon;  // instead of that of the instance
  // Integers that nothing bounds get the range that so many steps as the horizon has can reach. The problem is then
  // right for this horizon and shorter ones.
  bool reachable_ranges = false;
  std::optional<Network> network;                 // gives the next-state bits that are its outputs
  std::string network_file;                       // as the problem file names it
  std::optional<NetworkNameLines> network_lines;  // for messages about its names
  std::vector<std::string> learned;    // if not empty: the fluents whose bits must be exactly its outputs
  int table_bits = 14;                 // most inputs of a table, at most prime_cover_inputs
  std::size_t clause_limit = 100'000;  // of one table
  LimitWatch* watch = nullptr;         // looked at while tables are made
  std::function<void(const CompileProgress&)> progress;  // called often
};

// A ground model as a problem.
// - State and action variables as in make_bit_layout, all state bits with their initial value.
// - Constraints and invariants at every step; goals and invariants in the last state. Linear comparisons stay
//   what they are, ors of literals become clauses, other formulas over few bits are tabulated into clauses.
// - Intermediate fluents that something known depends on become auxiliary variables, defined by transitions.
// - Next-state bits that are no outputs of the network get known transitions: one equation where the cpf is
//   linear, otherwise the clauses of an irredundant prime cover of its table, both of its ones and its zeros; where
//   the table would be too large, gates with auxiliary variables for its parts (gate_writer.hpp).
// - Reals that have a precision are whole numbers of its units (fixed_point.hpp).
// - What is random is determinized (planning_model.hpp). After a termination the state stays, nothing is
//   illegal and the reward is 0.
// - The reward over actions and next state. What else it mentions (the current state, formulas) becomes a
//   state variable reward[...] whose next value is that part of the reward.
// - A view, where the domain is one that domain_view (view/) knows how to draw.
// - A discount weighs the steps of the problem (problem/step_weights.hpp).
// Throws InputError where something is not linear and too large to tabulate, for a discount whose weights do not fit and
// for a network whose names do not fit; LimitReached if the watch says so.
Problem compile_problem(const GroundModel& model, const CompileOptions& options,
                        std::vector<std::string>* notes = nullptr);

// What is to be known about a problem compiled so: how it was determinized, that observations are left out, ...
// compile_problem adds what it finds out itself to `notes`, if that is given.
std::vector<std::string> compile_notes(const GroundModel& model, const CompileOptions& options);

// The same without constraints, transitions and network: the variables that plans for such problems name.
Problem compile_variables(const GroundModel& model, const GivenBits& bits);

}  // namespace bnnplan

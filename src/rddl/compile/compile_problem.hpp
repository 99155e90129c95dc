#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bnnplan/base/limits.hpp"
#include "bnnplan/network/network_file.hpp"
#include "bnnplan/problem/problem.hpp"
#include "bnnplan/rddl/compile/fixed_point.hpp"
#include "bnnplan/rddl/compile/planning_model.hpp"
#include "bnnplan/rddl/ground/bit_layout.hpp"
#include "bnnplan/rddl/ground/ground.hpp"

namespace bnnplan::rddl {

// How far a compilation has got.
struct CompileProgress {
  SourcePlace place;
  std::string what;                             // "the cpf of 'x'"
  std::size_t definition = 0, definitions = 0;  // the index of the current one; 0: before the definitions
  int table_bits = 0;                           // 0: nothing is being tabulated
  double table_share = 0;                       // share of its rows that are done
  int covered = 0, covers = 0;  // then its clauses are made: covers done and their total; 0, 0: not yet
};

struct CompileOptions {
  std::string instance_name;       // which instance of the file; "": the only one
  std::vector<std::string> goals;  // conditions on the last state in addition to those of the files
  Determinization determinization;
  bool ignore_discount = false;  // plan with the sum of rewards instead
  int discount_digits = 0;       // decimals that the weights of steps are rounded to; 0: exact weights
  GivenBits bits;
  GivenRanges ranges;                   // of integers and of reals with a precision
  FixedPoint precision;                 // the unit that real fluents are multiples of
  std::optional<std::int64_t> horizon;  // instead of that of the instance
  // Integers that nothing bounds get the range reachable within the horizon. The problem is then valid for
  // this horizon and shorter ones.
  bool reachable_ranges = false;
  std::optional<Network> network;                 // gives the next-state bits that are its outputs
  std::string network_file;                       // as written in the problem file
  std::optional<NetworkNameLines> network_lines;  // for messages about its names
  std::vector<std::string> learned;    // if not empty: the fluents whose bits must be exactly its outputs
  int table_bits = 14;                 // most inputs of a table, at most prime_cover_inputs
  std::size_t clause_limit = 100'000;  // of one table
  LimitWatch* watch = nullptr;         // checked while tables are made
  std::function<void(const CompileProgress&)> progress;  // called often
};

// A ground model as a problem.
// - State and action variables as in make_bit_layout, all state bits with their initial value.
// - Constraints and invariants at every step; goals and invariants in the last state. Linear comparisons stay
//   what they are, ors of literals become clauses, other formulas over few bits are tabulated into clauses.
// - Intermediate fluents that something known depends on become auxiliary variables, defined by transitions.
// - Next-state bits that are not outputs of the network get known transitions: one equation if the cpf is
//   linear, otherwise the clauses of an irredundant prime cover of its table, both of its ones and its zeros;
//   if the table would be too large, gates with auxiliary variables for its parts (gate_writer.hpp).
// - Reals with a precision are whole numbers of its units (fixed_point.hpp).
// - Random outcomes are determinized (planning_model.hpp). After a termination the state stays the same,
//   everything is legal and the reward is 0.
// - The reward over actions and next state. Anything else it mentions (the current state, formulas) becomes a
//   state variable reward[...] whose next value is that part of the reward.
// - A view, if there is a DOMAIN.view.toml beside the domain (domain_view.hpp).
// - A discount weighs the steps of the problem (problem/step_weights.hpp).
// Throws InputError for parts that are neither linear nor small enough to tabulate, for a discount whose
// weights do not fit, and for a network whose names do not fit; LimitReached if a limit is reached.
Problem compile_problem(const GroundModel& model, const CompileOptions& options,
                        std::vector<std::string>* notes = nullptr);

// Notes for the user about a problem compiled this way: how it was determinized, that observations are left
// out, ... compile_problem adds its own findings to `notes`, if given.
std::vector<std::string> compile_notes(const GroundModel& model, const CompileOptions& options);

// The same without constraints, transitions and network: only the variables that plans for such problems
// name.
Problem compile_variables(const GroundModel& model, const GivenBits& bits);

}  // namespace bnnplan::rddl

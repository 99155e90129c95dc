#pragma once

// Building problems in memory, a part at a time and in any order.
//
//   bnnplan::ProblemBuilder builder("light");
//   builder.add_variable(bnnplan::Place::state, {"lit"});
//   builder.add_variable(bnnplan::Place::action, {"press"});
//   builder.set_initial("lit", {0, 0});
//   builder.add_constraint("lit' == lit + press");
//   builder.add_goal("lit == 1");
//   builder.set_objective("press", false);
//   builder.set_horizon(3);
//   bnnplan::Outcome outcome = bnnplan::plan(builder.finished());

#include <cstdint>
#include <string>
#include <string_view>

#include <bnnplan/problem.hpp>

#include "bnnplan/problem/name_table.hpp"

namespace bnnplan {

// Every function throws InputError for what is wrong with what it is given, and then has changed nothing.
class ProblemBuilder {
 public:
  explicit ProblemBuilder(std::string name = "");
  explicit ProblemBuilder(Problem problem);  // to be extended

  // As far as it has come: a next-state bit may still lack what gives it.
  const Problem& problem() const { return problem_; }
  // Throws InputError for what is missing (validate), or for costs that overflow.
  const Problem& finished() const;

  // `place` is state, action or auxiliary. A new state variable has no initial value: the planner chooses it.
  void add_variable(Place place, Variable variable);

  // The initial value of a state variable or of one bit x.b of it, in place of what it had.
  void set_initial(std::string_view name, const Decimal& value);
  void free_initial(std::string_view name);  // for the planner to choose

  // Expressions as in problem files. A constraint that has x' in it, or a score, is a known transition.
  void add_constraint(std::string_view text);
  void add_goal(std::string_view text);
  void set_objective(std::string_view text, bool maximize);
  void clear_goals() { problem_.goal.clear(); }
  void clear_objective() { problem_.objective = {}; }

  // Its inputs and outputs name variables that have been added. A classifier brings the state variables that
  // its scores need, and cannot be replaced.
  void set_network(Network network, std::string file);

  void set_name(std::string name) { problem_.name = std::move(name); }
  void set_network_file(std::string file) { problem_.network_file = std::move(file); }
  void set_horizon(std::int64_t horizon);

 private:
  NamedBits state_bits(std::string_view name) const;

  Problem problem_;
  NameTable names_;
};

// Checks shapes, weights and names of a network made elsewhere, as read_network does. Throws InputError.
void require_well_formed(const Network& network);

}  // namespace bnnplan

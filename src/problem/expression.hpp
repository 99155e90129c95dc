#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

#include "bnnplan/problem/name_table.hpp"
#include "bnnplan/problem/problem.hpp"

namespace bnnplan {

// Linear expressions as text:
//
//   constraint := sum (<= | >= | == | = | < | >) sum
//   sum        := [+ | -] term { (+ | -) term }
//   term       := number | [number [*]] [~ | !] name [']
//
// A name is written unquoted if it consists of letters, digits, _ $ @ . : and of - between such characters,
// does not start with a digit, . or :, and has arbitrary text between [ and ]; otherwise it is quoted, `like
// this` or "like this". So `a - b` subtracts and `a-b` is a name. ~x is 1 - x, for single bits. If the
// problem has a classifier, score[CLASS] in constraints and transitions is its score at this step
// (score_terms.hpp).

// An error and its byte position in the text (from 0).
struct ExpressionError : std::runtime_error {
  ExpressionError(std::size_t at, const std::string& message) : std::runtime_error(message), position(at) {}
  std::size_t position;
};

// Which variables an expression may contain.
enum class Scope {
  step,        // constraints: action, state, auxiliary; with a score, also next
  transition,  // known transitions: also x'
  goal,        // state only, read in the last state
  reward       // action and x'
};

LinearConstraint parse_constraint(std::string_view text, const Problem& problem, const NameTable& names,
                                  Scope scope);

// Terms, constant and decimals of a sum to be minimised (negated if maximised).
Objective parse_objective(std::string_view text, bool maximize, const Problem& problem,
                          const NameTable& names);

// A name as written in an expression, quoted if necessary.
std::string name_in_expression(std::string_view name);

}  // namespace bnnplan

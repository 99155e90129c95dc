#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bnnplan/rddl/language/functions.hpp"
#include "bnnplan/rddl/language/rational.hpp"
#include "bnnplan/rddl/language/source_place.hpp"

namespace bnnplan::rddl {

// RDDL as written: plain data that the parser creates and the type checker completes.

// The type of an expression's value: for ValueKind::object an object of the type with that number.
struct ValueType {
  ValueKind kind = ValueKind::boolean;
  std::uint32_t object_type = 0;

  friend bool operator==(const ValueType&, const ValueType&) = default;
};

// What an expression computes, as written and as grounded. Grounding resolves those marked "text": names
// become values or variables, differences sums, >= is <= with swapped operands, a switch is a choice.
enum class Operation : std::uint8_t {
  // Leaves.
  constant,   // a number, true or false
  variable,   // ground: a slot of the value vector
  symbol,     // text: an object or a value of an enumeration
  parameter,  // text: ?x
  fluent,     // text: robot-at'(?x, $y1); operands are the arguments
  // Operators; those marked n take any number of operands.
  logical_not,
  logical_and,  // n
  logical_or,   // n
  implies,      // text
  equivalent,   // text
  equal,
  unequal,  // text
  less,
  at_most,
  greater,   // text
  at_least,  // text
  add,       // n
  negate,    // text
  multiply,  // n
  divide,
  minimum,  // n
  maximum,  // n
  absolute,
  floor,
  ceiling,
  round,  // half to even
  sign,
  power,
  modulo,
  integer_division,
  math,  // one of the functions in functions.hpp
  // One of the distributions there. A discrete one has the operands label, p, label, p, ... in the text and a
  // probability for each object afterwards.
  random,
  choose,     // if, else if, ..., else: condition, value, condition, value, ..., value
  select,     // ground: a number n, value 0, value 1, ...: value n
  selection,  // text, switch: what is switched on, label, value, ..., and the default value if there is one
  cholesky,   // text: an entry of a matrix: bound variables are row and column, the operand gives the entries
  // Text: over all values of the bound variables; one operand. The operation applied is `aggregated`: one of
  // the operators above, `random` for Discrete_{...}, or one of those below.
  aggregate,
  average,              // text
  argument_of_minimum,  // the index of the first operand that is least
  argument_of_maximum
};

struct BoundVariable {
  std::string name, type_name;
  SourcePlace place, type_place;
  std::uint32_t object_type = 0;  // set by the type checker
  std::uint32_t slot = 0;         // of cholesky, set by the type checker: the parameter it refers to
};

struct RddlExpression {
  Operation operation = Operation::constant;
  SourcePlace place;
  std::vector<RddlExpression> operands;
  std::string name;     // symbol, parameter, fluent
  bool primed = false;  // fluent
  Number number;
  MathFunction function = {};
  Distribution distribution = Distribution::bernoulli;
  Operation aggregated = Operation::add;
  std::vector<BoundVariable> bound;  // aggregate, cholesky
  int depth = 1;

  // Set by the type checker.
  ValueType type;
  std::uint32_t reference = 0;  // fluent: its number; parameter: its slot; symbol: its number in its type
};

// Everything after the parser walks expressions recursively; this bounds their depth.
constexpr int expression_depth_limit = 200;

struct RddlType {
  std::string name;
  SourcePlace place;
  bool enumeration = false;
  std::vector<std::string> values;  // of an enumeration
};

enum class FluentRole : std::uint8_t { non_fluent, state, action, intermediate, observation };
std::string_view role_text(FluentRole role);     // state-fluent
std::string role_with_article(FluentRole role);  // a state-fluent, an action-fluent

struct FluentDeclaration {
  std::string name;
  SourcePlace place;
  std::vector<std::pair<std::string, SourcePlace>> parameter_types;
  FluentRole role = FluentRole::state;
  std::string value_type;
  SourcePlace value_type_place;
  std::optional<RddlExpression> default_value;  // a literal
};

// name'(?x, ?y) = expression;
struct RddlDefinition {
  std::string name;
  bool primed = false;
  SourcePlace place;
  std::vector<std::pair<std::string, SourcePlace>> parameters;
  RddlExpression expression;
};

// A constraint, invariant or goal; its place is where it begins.
struct RddlCondition {
  RddlExpression expression;
  SourcePlace place;
};

struct RddlDomain {
  std::string name;
  SourcePlace place;
  std::vector<RddlType> types;
  std::vector<FluentDeclaration> fluents;
  std::vector<RddlDefinition> definitions;
  std::optional<RddlExpression> reward;
  std::vector<RddlCondition> constraints;  // state-action-constraints and action-preconditions
  std::vector<RddlCondition> invariants;
  std::vector<RddlCondition> goals;
  std::vector<RddlCondition> terminations;
};

struct RddlObjects {
  std::string type_name;
  SourcePlace place;
  std::vector<std::pair<std::string, SourcePlace>> objects;
};

// name(a, b) = literal;
struct RddlAssignment {
  std::string name;
  SourcePlace place;
  std::vector<std::pair<std::string, SourcePlace>> arguments;
  RddlExpression value;
};

struct RddlNonFluents {
  std::string name, domain;
  SourcePlace place, domain_place;
  std::vector<RddlObjects> objects;
  std::vector<RddlAssignment> assignments;
};

struct RddlInstance {
  std::string name, domain, non_fluents;
  SourcePlace place, domain_place, non_fluents_place;
  std::vector<RddlObjects> objects;
  std::vector<RddlAssignment> constants;  // non-fluents stated in the instance itself
  std::vector<RddlAssignment> initial;
  std::vector<RddlCondition> goals;
  std::vector<RddlCondition> terminations;             // horizon = terminate-when(...)
  std::optional<std::int64_t> max_nondefault_actions;  // nothing: no limit
  std::optional<std::int64_t> horizon;
  std::optional<Rational> discount;
};

// One file: any number of blocks of each kind.
struct RddlFile {
  std::shared_ptr<const std::string> name;
  std::vector<RddlDomain> domains;
  std::vector<RddlNonFluents> non_fluents;
  std::vector<RddlInstance> instances;
};

// Both throw RddlError at the first error of syntax or the first unsupported construct.
RddlFile parse_rddl(std::string_view text, std::string_view file_name);
constexpr std::size_t largest_rddl_file = std::size_t{64} << 20;
RddlFile read_rddl(const std::filesystem::path& path);

}  // namespace bnnplan::rddl

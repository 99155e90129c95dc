// The type checker. Types are bool, int, real and the declared types of objects; a bool is 0 or 1 where a
// number is expected, an int is a real, and nothing else converts. It works on the lifted expressions, so
// errors are found even in expressions that no object ever reaches. It also resolves every name to a number.
#include <fmt/format.h>

#include "bnnplan/rddl/language/type_checker.hpp"

namespace bnnplan::rddl {

namespace {

constexpr ExpressionPosition in_definition{"a cpf", true, true, true};
constexpr ExpressionPosition in_reward{"the reward", true, true, true};
constexpr ExpressionPosition in_constraint{"a constraint", true, true, false};
constexpr ExpressionPosition in_invariant{"a state invariant", false, false, false};
constexpr ExpressionPosition in_goal{"the goal", false, false, false};
constexpr ExpressionPosition in_termination{"a termination condition", false, false, false};

void argument_count(const Fluent& fluent, std::size_t given, const SourcePlace& place) {
  if (given == fluent.parameters.size()) return;
  throw RddlError(place, fmt::format("'{}' has {} argument{}, expected {}", fluent.name, given,
                                     given == 1 ? "" : "s", fluent.parameters.size()));
}

}  // namespace

void TypeChecker::run() {
  for (Fluent& fluent : task_.fluents) {
    if (fluent.definition) definition(fluent, task_.definitions[*fluent.definition]);
  }
  if (task_.reward) {
    check(*task_.reward, in_reward);
    if (!is_number(task_.reward->type)) wrong(*task_.reward, "the reward", "a number");
  }
  for (RddlCondition& constraint : task_.constraints) condition(constraint.expression, in_constraint);
  for (RddlCondition& invariant : task_.invariants) condition(invariant.expression, in_invariant);
  for (RddlCondition& goal : task_.goals) condition(goal.expression, in_goal);
  for (RddlCondition& termination : task_.terminations) condition(termination.expression, in_termination);
  for (const RddlAssignment& assignment : task_.non_fluents) check(assignment, FluentRole::non_fluent);
  for (const RddlAssignment& assignment : task_.initial) check(assignment, FluentRole::state);
}

// sum_{?x : t}[f(?x)] <= 1 is the sum of the comparisons.
std::string TypeChecker::parentheses_hint(const RddlExpression& found) {
  if (found.operation != Operation::aggregate || found.type.kind == ValueKind::boolean) return "";
  const RddlExpression* body = &found.operands.front();
  while (body->operation >= Operation::logical_and && body->operation <= Operation::equivalent)
    body = &body->operands.front();
  if (body->operation < Operation::equal || body->operation > Operation::at_least) return "";
  return " (it extends as far to the right as it can: put a sum that is compared in parentheses, "
         "(sum_{...} "
         "...) <= 1)";
}

void TypeChecker::wrong(const RddlExpression& found, std::string_view what, std::string_view expected) const {
  throw RddlError(found.place, fmt::format("{} is {}, expected {}{}", what, type_text(task_, found.type),
                                           expected, parentheses_hint(found)));
}

void TypeChecker::definition(const Fluent& fluent, RddlDefinition& definition) {
  scope_.clear();
  for (std::size_t i = 0; i < definition.parameters.size(); ++i) {
    bind(definition.parameters[i].first, definition.parameters[i].second, fluent.parameters[i]);
  }
  check(definition.expression, in_definition);
  scope_.clear();
  const ValueType& given = definition.expression.type;
  const bool fits = fluent.value == given ||
                    (fluent.value.kind == ValueKind::integer && given.kind == ValueKind::boolean) ||
                    (fluent.value.kind == ValueKind::real && is_number(given));
  if (fits) return;
  const bool rounds = fluent.value.kind == ValueKind::integer && given.kind == ValueKind::real;
  throw RddlError(definition.expression.place,
                  fmt::format("the cpf of '{}' gives {}, expected {}{}", fluent.name, type_text(task_, given),
                              type_text(task_, fluent.value),
                              rounds ? " (floor[...] or ceil[...] makes it one)"
                                     : parentheses_hint(definition.expression)));
}

void TypeChecker::condition(RddlExpression& expression, const Position& position) {
  check(expression, position);
  if (expression.type.kind != ValueKind::boolean) wrong(expression, position.name, "bool");
}

void TypeChecker::check(const RddlAssignment& assignment, FluentRole role) const {
  const Fluent& fluent = find_fluent(assignment.name, assignment.place);
  if (fluent.role != role) {
    throw RddlError(assignment.place, fmt::format("'{}' is {}, expected {} here", fluent.name,
                                                  role_with_article(fluent.role), role_with_article(role)));
  }
  argument_count(fluent, assignment.arguments.size(), assignment.place);
  for (std::size_t i = 0; i < assignment.arguments.size(); ++i) {
    const auto& [name, place] = assignment.arguments[i];
    const ObjectReference object = find_object(name, place);
    if (object.type != fluent.parameters[i]) wrong_argument(fluent, i, name, object.type, place);
  }
  literal_value(task_, assignment.value, fluent.value, fluent.name);
}

const Fluent& TypeChecker::find_fluent(const std::string& name, const SourcePlace& place) const {
  const auto found = task_.fluent_numbers.find(name);
  if (found == task_.fluent_numbers.end()) {
    throw RddlError(place,
                    fmt::format("unknown fluent '{}'{}", printable(name), fluent_suggestion(task_, name)));
  }
  return task_.fluents[found->second];
}

ObjectReference TypeChecker::find_object(const std::string& name, const SourcePlace& place) const {
  const auto found = task_.objects.find(name);
  if (found != task_.objects.end()) return found->second;
  constexpr std::size_t enough = 10'000;  // more edit distances take too long
  std::vector<std::string> names;
  for (const auto& [candidate, reference] : task_.objects) {
    if (names.size() < enough && name.size() < 200) names.push_back(candidate);
  }
  throw RddlError(place, fmt::format("unknown object '{}'{}", printable(name), did_you_mean(name, names)));
}

void TypeChecker::wrong_argument(const Fluent& fluent, std::size_t index, std::string_view shown,
                                 std::uint32_t given, const SourcePlace& place) const {
  throw RddlError(place, fmt::format("argument {} of '{}': '{}' is of type '{}', expected '{}'", index + 1,
                                     fluent.name, printable(shown), task_.types[given].name,
                                     task_.types[fluent.parameters[index]].name));
}

void TypeChecker::bind(const std::string& name, const SourcePlace& place, std::uint32_t type) {
  for (const ScopedVariable& variable : scope_) {
    if (variable.name == name) throw RddlError(place, fmt::format("'?{}' is already bound", printable(name)));
  }
  scope_.push_back({name, type});
}

void TypeChecker::check(RddlExpression& expression, const Position& position) {
  switch (expression.operation) {
    case Operation::number:
      return;
    case Operation::symbol:
      return symbol(expression);
    case Operation::parameter:
      expression.reference = find_parameter(expression.name, expression.place);
      expression.type = {ValueKind::object, scope_[expression.reference].type};
      return;
    case Operation::fluent:
      return fluent(expression, position);
    case Operation::aggregate:
      return aggregate(expression, position);
    case Operation::cholesky:
      return cholesky(expression, position);
    default:
      break;
  }
  for (RddlExpression& operand : expression.operands) check(operand, position);
  combine(expression);
}

void TypeChecker::symbol(RddlExpression& expression) const {
  const ObjectReference object = find_object(expression.name, expression.place);
  expression.type = {ValueKind::object, object.type};
  expression.reference = object.object;
}

std::uint32_t TypeChecker::find_parameter(const std::string& name, const SourcePlace& place) const {
  for (std::uint32_t slot = 0; slot < scope_.size(); ++slot) {
    if (scope_[slot].name == name) return slot;
  }
  throw RddlError(place, fmt::format("variable '?{}' is not bound here", printable(name)));
}

void TypeChecker::fluent(RddlExpression& expression, const Position& position) {
  // The name of an object without its $.
  if (expression.operands.empty() && !expression.primed && !task_.fluent_numbers.contains(expression.name) &&
      task_.objects.contains(expression.name)) {
    expression.operation = Operation::symbol;
    return symbol(expression);
  }
  const Fluent& found = find_fluent(expression.name, expression.place);
  argument_count(found, expression.operands.size(), expression.place);
  for (std::size_t i = 0; i < expression.operands.size(); ++i) {
    RddlExpression& argument = expression.operands[i];
    const bool plain =
        argument.operation == Operation::fluent && argument.operands.empty() && !argument.primed;
    if (plain && !task_.fluent_numbers.contains(argument.name)) argument.operation = Operation::symbol;
    check(argument, position);
    if (argument.type.kind != ValueKind::object) {
      wrong(argument, fmt::format("argument {} of '{}'", i + 1, found.name),
            task_.types[found.parameters[i]].name);
    }
    if (argument.type.object_type != found.parameters[i]) {
      wrong_argument(found, i, argument.name, argument.type.object_type, argument.place);
    }
  }
  if (expression.primed && found.role != FluentRole::state) {
    throw RddlError(expression.place, fmt::format("'{}'' is {}: only state-fluents have a next value",
                                                  found.name, role_with_article(found.role)));
  }
  const bool allowed = found.role == FluentRole::action ? position.action
                       : found.role == FluentRole::intermediate || found.role == FluentRole::observation
                           ? position.intermediate
                       : expression.primed ? position.next
                                           : true;
  if (!allowed) {
    throw RddlError(expression.place, fmt::format("{} '{}{}' in {}, expected {} only", role_text(found.role),
                                                  found.name, expression.primed ? "'" : "", position.name,
                                                  position.action ? "fluents of the current step"
                                                                  : "state-fluents and non-fluents"));
  }
  expression.reference = task_.fluent_numbers.find(expression.name)->second;
  expression.type = found.value;
}

std::uint32_t TypeChecker::find_type(const std::string& name, const SourcePlace& place) const {
  std::vector<std::string> names;
  for (std::uint32_t i = 0; i < task_.types.size(); ++i) {
    if (task_.types[i].name == name) return i;
    names.push_back(task_.types[i].name);
  }
  throw RddlError(place, fmt::format("unknown type '{}'{}", printable(name), did_you_mean(name, names)));
}

void TypeChecker::aggregate(RddlExpression& expression, const Position& position) {
  const std::size_t outer = scope_.size();
  for (BoundVariable& variable : expression.bound) {
    variable.object_type = find_type(variable.type_name, variable.type_place);
    bind(variable.name, variable.place, variable.object_type);
  }
  check(expression.operands.front(), position);
  scope_.resize(outer);
  combine(expression);
}

// Row and column are parameters bound outside; in the operand they run over all objects.
void TypeChecker::cholesky(RddlExpression& expression, const Position& position) {
  for (BoundVariable& variable : expression.bound) {
    variable.slot = find_parameter(variable.name, variable.place);
    variable.object_type = scope_[variable.slot].type;
  }
  const BoundVariable &row = expression.bound[0], &column = expression.bound[1];
  if (row.slot == column.slot || row.object_type != column.object_type)
    throw RddlError(column.place, "a matrix needs two different variables of the same type");
  RddlExpression& entry = expression.operands.front();
  check(entry, position);
  if (!is_number(entry.type)) wrong(entry, "the entry of a matrix", "a number");
  expression.type = {ValueKind::real, 0};
}

void check_types(RddlTask& task) { TypeChecker(task).run(); }

}  // namespace bnnplan::rddl

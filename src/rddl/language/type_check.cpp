// The type checker. Types are bool, int, real and the declared types of objects; a bool is 0 or 1 where a
// number is expected, an int is a real, and nothing else converts. It works on the lifted expressions, so
// errors are found even in expressions that no object ever reaches. It also resolves every name to a number.
#include <algorithm>

#include <fmt/format.h>

#include "bnnplan/rddl/language/task.hpp"

namespace bnnplan::rddl {

namespace {

// The position of an expression determines which fluents it may use.
struct Position {
  std::string_view name;
  bool action = false, intermediate = false, next = false;
};

constexpr Position in_definition{"a cpf", true, true, true};
constexpr Position in_reward{"the reward", true, true, true};
constexpr Position in_constraint{"a constraint", true, true, false};
constexpr Position in_invariant{"a state invariant", false, false, false};
constexpr Position in_goal{"the goal", false, false, false};
constexpr Position in_termination{"a termination condition", false, false, false};

void argument_count(const Fluent& fluent, std::size_t given, const SourcePlace& place) {
  if (given == fluent.parameters.size()) return;
  throw RddlError(place, fmt::format("'{}' has {} argument{}, expected {}", fluent.name, given,
                                     given == 1 ? "" : "s", fluent.parameters.size()));
}

bool is_number(const ValueType& type) { return type.kind != ValueKind::object; }  // or Boolean, 0 or 1

// Real if one is, else an integer.
ValueType number_of(const ValueType& a, const ValueType& b) {
  return {a.kind == ValueKind::real || b.kind == ValueKind::real ? ValueKind::real : ValueKind::integer, 0};
}

class TypeChecker {
 public:
  explicit TypeChecker(RddlTask& task) : task_(task) {}

  void run() {
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

 private:
  struct ScopedVariable {
    std::string name;
    std::uint32_t type;
  };

  // sum_{?x : t}[f(?x)] <= 1 is the sum of the comparisons.
  static std::string parentheses_hint(const RddlExpression& found) {
    if (found.operation != Operation::aggregate || found.type.kind == ValueKind::boolean) return "";
    const RddlExpression* body = &found.operands.front();
    while (body->operation >= Operation::logical_and && body->operation <= Operation::equivalent)
      body = &body->operands.front();
    if (body->operation < Operation::equal || body->operation > Operation::at_least) return "";
    return " (it extends as far to the right as it can: put a sum that is compared in parentheses, "
           "(sum_{...} "
           "...) <= 1)";
  }

  [[noreturn]] void wrong(const RddlExpression& found, std::string_view what,
                          std::string_view expected) const {
    throw RddlError(found.place, fmt::format("{} is {}, expected {}{}", what, type_text(task_, found.type),
                                             expected, parentheses_hint(found)));
  }

  void definition(const Fluent& fluent, RddlDefinition& definition) {
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
                    fmt::format("the cpf of '{}' gives {}, expected {}{}", fluent.name,
                                type_text(task_, given), type_text(task_, fluent.value),
                                rounds ? " (floor[...] or ceil[...] makes it one)"
                                       : parentheses_hint(definition.expression)));
  }

  void condition(RddlExpression& expression, const Position& position) {
    check(expression, position);
    if (expression.type.kind != ValueKind::boolean) wrong(expression, position.name, "bool");
  }

  void check(const RddlAssignment& assignment, FluentRole role) const {
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

  const Fluent& find_fluent(const std::string& name, const SourcePlace& place) const {
    const auto found = task_.fluent_numbers.find(name);
    if (found == task_.fluent_numbers.end()) {
      throw RddlError(place,
                      fmt::format("unknown fluent '{}'{}", printable(name), fluent_suggestion(task_, name)));
    }
    return task_.fluents[found->second];
  }

  ObjectReference find_object(const std::string& name, const SourcePlace& place) const {
    const auto found = task_.objects.find(name);
    if (found != task_.objects.end()) return found->second;
    constexpr std::size_t enough = 10'000;  // more edit distances take too long
    std::vector<std::string> names;
    for (const auto& [candidate, reference] : task_.objects) {
      if (names.size() < enough && name.size() < 200) names.push_back(candidate);
    }
    throw RddlError(place, fmt::format("unknown object '{}'{}", printable(name), did_you_mean(name, names)));
  }

  [[noreturn]] void wrong_argument(const Fluent& fluent, std::size_t index, std::string_view shown,
                                   std::uint32_t given, const SourcePlace& place) const {
    throw RddlError(place, fmt::format("argument {} of '{}': '{}' is of type '{}', expected '{}'", index + 1,
                                       fluent.name, printable(shown), task_.types[given].name,
                                       task_.types[fluent.parameters[index]].name));
  }

  void bind(const std::string& name, const SourcePlace& place, std::uint32_t type) {
    for (const ScopedVariable& variable : scope_) {
      if (variable.name == name)
        throw RddlError(place, fmt::format("'?{}' is already bound", printable(name)));
    }
    scope_.push_back({name, type});
  }

  void check(RddlExpression& expression, const Position& position) {
    switch (expression.operation) {
      case Operation::constant:
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

  void symbol(RddlExpression& expression) const {
    const ObjectReference object = find_object(expression.name, expression.place);
    expression.type = {ValueKind::object, object.type};
    expression.reference = object.object;
  }

  std::uint32_t find_parameter(const std::string& name, const SourcePlace& place) const {
    for (std::uint32_t slot = 0; slot < scope_.size(); ++slot) {
      if (scope_[slot].name == name) return slot;
    }
    throw RddlError(place, fmt::format("variable '?{}' is not bound here", printable(name)));
  }

  void fluent(RddlExpression& expression, const Position& position) {
    // The name of an object without its $.
    if (expression.operands.empty() && !expression.primed &&
        !task_.fluent_numbers.contains(expression.name) && task_.objects.contains(expression.name)) {
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
      throw RddlError(
          expression.place,
          fmt::format("{} '{}{}' in {}, expected {} only", role_text(found.role), found.name,
                      expression.primed ? "'" : "", position.name,
                      position.action ? "fluents of the current step" : "state-fluents and non-fluents"));
    }
    expression.reference = task_.fluent_numbers.find(expression.name)->second;
    expression.type = found.value;
  }

  void aggregate(RddlExpression& expression, const Position& position) {
    const std::size_t outer = scope_.size();
    for (BoundVariable& variable : expression.bound) {
      variable.object_type = type_number(task_, variable.type_name, variable.type_place);
      bind(variable.name, variable.place, variable.object_type);
    }
    check(expression.operands.front(), position);
    scope_.resize(outer);
    combine(expression);
  }

  // Row and column are parameters bound outside; in the operand they run over all objects.
  void cholesky(RddlExpression& expression, const Position& position) {
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

  // The rules: what operators, functions, distributions and aggregations take and return.

  void need_booleans(const RddlExpression& expression) const {
    const Operation operation = expression.operation;
    const std::string_view of = operation == Operation::logical_not   ? "~"
                                : operation == Operation::logical_and ? "^"
                                : operation == Operation::logical_or  ? "|"
                                : operation == Operation::implies     ? "=>"
                                                                      : "<=>";
    for (const RddlExpression& operand : expression.operands) {
      if (operand.type.kind == ValueKind::boolean) continue;
      wrong(operand, fmt::format("an operand of {}", of),
            of == "~" ? "bool (~ binds strongest: a negated comparison is ~(a == b))" : "bool");
    }
  }

  void need_numbers(const RddlExpression& expression, std::string_view of) const {
    for (const RddlExpression& operand : expression.operands) {
      if (!is_number(operand.type)) wrong(operand, fmt::format("an operand of {}", of), "a number");
    }
  }

  void need_integers(const RddlExpression& expression, std::string_view of) const {
    for (const RddlExpression& operand : expression.operands) {
      if (!is_number(operand.type) || operand.type.kind == ValueKind::real) {
        wrong(operand, fmt::format("an operand of {}", of), "int");
      }
    }
  }

  void need_comparable(const RddlExpression& a, const RddlExpression& b) const {
    const bool fits = is_number(a.type) ? is_number(b.type) : a.type == b.type;
    if (!fits) {
      throw RddlError(b.place, fmt::format("{} cannot be compared with {}", type_text(task_, b.type),
                                           type_text(task_, a.type)));
    }
  }

  // The common type of the values of an if or switch.
  ValueType join(const ValueType& a, const RddlExpression& b) const {
    if (a == b.type) return a;
    if (!is_number(a) || !is_number(b.type)) {
      wrong(b, "another case", type_text(task_, a));
    }
    return number_of(a, b.type);
  }

  void combine(RddlExpression& expression) const {
    std::vector<RddlExpression>& operands = expression.operands;
    ValueType& type = expression.type;
    const ValueType boolean{ValueKind::boolean, 0}, integer{ValueKind::integer, 0}, real{ValueKind::real, 0};
    switch (expression.operation) {
      case Operation::logical_not:
      case Operation::logical_and:
      case Operation::logical_or:
      case Operation::implies:
      case Operation::equivalent:
        need_booleans(expression);
        type = boolean;
        return;
      case Operation::equal:
      case Operation::unequal:
        need_comparable(operands[0], operands[1]);
        type = boolean;
        return;
      case Operation::less:
      case Operation::at_most:
      case Operation::greater:
      case Operation::at_least:
        need_numbers(expression, "an inequality");
        type = boolean;
        return;
      case Operation::divide:
        need_numbers(expression, "/");
        type = real;
        return;
      case Operation::math:
        need_numbers(expression, entry_of(expression.function).name);
        type = real;
        return;
      case Operation::random:
        return random(expression);
      case Operation::aggregate:
        return aggregated(expression);
      case Operation::sign:
      case Operation::round:
      case Operation::floor:
      case Operation::ceiling:
        need_numbers(expression, "rounding");
        type = integer;
        return;
      case Operation::modulo:
      case Operation::integer_division:
        need_integers(expression, expression.operation == Operation::modulo ? "mod" : "div");
        type = integer;
        return;
      case Operation::choose:
        for (std::size_t i = 0; i + 1 < operands.size(); i += 2) {
          if (operands[i].type.kind != ValueKind::boolean)
            wrong(operands[i], "the condition of an if", "bool");
        }
        type = operands.back().type;
        for (std::size_t i = 1; i < operands.size(); i += 2) type = join(type, operands[i]);
        return;
      case Operation::selection:
        return selection(expression);
      default:  // sums, products, minima, maxima, magnitudes, powers
        need_numbers(expression, expression.operation == Operation::power ? "pow" : "arithmetic");
        type = integer;
        for (const RddlExpression& operand : operands) type = number_of(type, operand.type);
    }
  }

  void selection(RddlExpression& expression) const {
    std::vector<RddlExpression>& operands = expression.operands;
    const bool with_default = operands.size() % 2 == 0;
    expression.type = operands[operands.size() > 2 ? 2 : 1].type;  // of the default, if it is alone
    std::vector<Rational> labels;
    for (std::size_t i = 1; i + 1 < operands.size(); i += 2) {
      need_comparable(operands[0], operands[i]);
      expression.type = join(expression.type, operands[i + 1]);
      const Rational label = operands[i].operation == Operation::symbol ? make_rational(operands[i].reference)
                                                                        : operands[i].number.fraction;
      if (std::find(labels.begin(), labels.end(), label) != labels.end()) {
        throw RddlError(operands[i].place, "duplicate case");
      }
      labels.push_back(label);
    }
    if (with_default) {
      expression.type = join(expression.type, operands.back());
      return;
    }
    const ValueType& on = operands[0].type;
    const std::size_t needed = on.kind == ValueKind::boolean  ? 2
                               : on.kind == ValueKind::object ? task_.types[on.object_type].objects.size()
                                                              : labels.size() + 1;
    if (labels.size() < needed) {
      throw RddlError(expression.place, "the switch does not cover all values, expected 'default : ...'");
    }
  }

  void random(RddlExpression& expression) const {
    std::vector<RddlExpression>& operands = expression.operands;
    const DistributionEntry& entry = entry_of(expression.distribution);
    if (entry.gives != ValueKind::object) {
      need_numbers(expression, entry.name);
      expression.type = {entry.gives, 0};
      return;
    }
    expression.type = {ValueKind::object, type_number(task_, expression.name, expression.place)};
    std::vector<std::uint32_t> seen;
    for (std::size_t i = 0; i < operands.size(); i += 2) {
      if (operands[i].type != expression.type)
        wrong(operands[i], fmt::format("a value of {}", entry.name), type_text(task_, expression.type));
      if (std::find(seen.begin(), seen.end(), operands[i].reference) != seen.end())
        throw RddlError(operands[i].place, "duplicate value");
      seen.push_back(operands[i].reference);
      if (!is_number(operands[i + 1].type)) wrong(operands[i + 1], "a probability", "a number");
    }
  }

  void aggregated(RddlExpression& expression) const {
    const RddlExpression& body = expression.operands.front();
    const Operation operation = expression.aggregated;
    if (operation == Operation::logical_and || operation == Operation::logical_or) {
      if (body.type.kind != ValueKind::boolean) wrong(body, "the body of a quantifier", "bool");
      expression.type = {};
      return;
    }
    if (!is_number(body.type)) wrong(body, "the body of an aggregation", "a number");
    const bool object = operation == Operation::random || operation == Operation::argument_of_minimum ||
                        operation == Operation::argument_of_maximum;
    expression.type = object ? ValueType{ValueKind::object, expression.bound.front().object_type}
                      : operation == Operation::average ? ValueType{ValueKind::real, 0}
                                                        : number_of(body.type, {});
  }

  RddlTask& task_;
  std::vector<ScopedVariable> scope_;
};

}  // namespace

void check_types(RddlTask& task) { TypeChecker(task).run(); }

}  // namespace bnnplan::rddl

// The type checker. Types are bool, int, real and the declared types of objects; a bool is a 0 or 1 where a
// number is wanted, an int is a real, and nothing else converts. It works on the lifted expressions, so what
// is wrong is found also where no object ever reaches it. On the way every name is resolved to a number.
#include <algorithm>

#include <fmt/format.h>

#include "rddl/language/task.hpp"

namespace bnnplan {

namespace {

// Where an expression stands decides which fluents it may use.
struct Position {
  std::string_view name;
  bool action = false, intermediate = false, next = false;
};

constexpr Position in_definition{"a cpf", true, true, true};
constexpr Position in_reward{"the reward", true, true, true};
constexpr Position in_constraint{"a constraint", true, true, false};
constexpr Position in_invariant{"a state invariant", false, false, false};
constexpr Position in_goal{"the goal", false, false, false};

struct ScopedVariable {
  std::string name;
  std::uint32_t type;
};

bool is_number(const ValueType& type) { return type.kind != ValueKind::object; }

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
    for (const RddlAssignment& assignment : task_.non_fluents) check(assignment, FluentRole::non_fluent);
    for (const RddlAssignment& assignment : task_.initial) check(assignment, FluentRole::state);
  }

 private:
  [[noreturn]] void wrong(const RddlExpression& found, std::string_view what,
                          std::string_view expected) const {
    throw RddlError(found.place,
                    fmt::format("{} is {}, expected {}", what, type_text(task_, found.type), expected));
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
                      (fluent.value.kind == ValueKind::integer && given.kind == ValueKind::boolean);
    if (fits) return;
    const bool rounds = fluent.value.kind == ValueKind::integer && given.kind == ValueKind::real;
    throw RddlError(
        definition.expression.place,
        fmt::format("the cpf of '{}' gives {}, expected {}{}", fluent.name, type_text(task_, given),
                    type_text(task_, fluent.value), rounds ? " (floor[...] or ceil[...] makes it one)" : ""));
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
    const std::string near = nearest_name(name, names);
    throw RddlError(place, fmt::format("unknown object '{}'{}", printable(name),
                                       near.empty() ? "" : fmt::format(", did you mean '{}'?", near)));
  }

  static void argument_count(const Fluent& fluent, std::size_t given, const SourcePlace& place) {
    if (given == fluent.parameters.size()) return;
    throw RddlError(place, fmt::format("'{}' has {} argument{}, expected {}", fluent.name, given,
                                       given == 1 ? "" : "s", fluent.parameters.size()));
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
      case Operation::number:
        return;
      case Operation::symbol:
        return symbol(expression);
      case Operation::parameter:
        return parameter(expression);
      case Operation::fluent:
        return fluent(expression, position);
      case Operation::aggregate:
        return aggregate(expression, position);
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

  void parameter(RddlExpression& expression) const {
    for (std::uint32_t slot = 0; slot < scope_.size(); ++slot) {
      if (scope_[slot].name != expression.name) continue;
      expression.type = {ValueKind::object, scope_[slot].type};
      expression.reference = slot;
      return;
    }
    throw RddlError(expression.place,
                    fmt::format("variable '?{}' is not bound here", printable(expression.name)));
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
      check(argument, position);
      if (argument.type.object_type != found.parameters[i]) {
        wrong_argument(found, i, argument.name, argument.type.object_type, argument.place);
      }
    }
    if (expression.primed && found.role != FluentRole::state) {
      throw RddlError(expression.place, fmt::format("'{}'' is {}: only state-fluents have a next value",
                                                    found.name, role_with_article(found.role)));
    }
    const bool allowed = found.role == FluentRole::action         ? position.action
                         : found.role == FluentRole::intermediate ? position.intermediate
                         : expression.primed                      ? position.next
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
      const auto type =
          std::find_if(task_.types.begin(), task_.types.end(),
                       [&](const ObjectType& candidate) { return candidate.name == variable.type_name; });
      if (type == task_.types.end()) {
        std::vector<std::string> names;
        for (const ObjectType& candidate : task_.types) names.push_back(candidate.name);
        const std::string near = nearest_name(variable.type_name, names);
        throw RddlError(variable.type_place,
                        fmt::format("unknown type '{}'{}", printable(variable.type_name),
                                    near.empty() ? "" : fmt::format(", did you mean '{}'?", near)));
      }
      variable.object_type = static_cast<std::uint32_t>(type - task_.types.begin());
      bind(variable.name, variable.place, variable.object_type);
    }
    RddlExpression& body = expression.operands.front();
    check(body, position);
    scope_.resize(outer);
    const bool logical =
        expression.aggregated == Operation::logical_and || expression.aggregated == Operation::logical_or;
    if (logical && body.type.kind != ValueKind::boolean) wrong(body, "what is quantified over", "bool");
    if (!logical && !is_number(body.type)) wrong(body, "what is summed over", "a number");
    expression.type = logical ? ValueType{} : number_of({body.type});
  }

  static ValueType number_of(std::initializer_list<ValueType> types) {
    for (const ValueType& type : types) {
      if (type.kind == ValueKind::real) return {ValueKind::real, 0};
    }
    return {ValueKind::integer, 0};
  }

  void need_boolean(const RddlExpression& operand, std::string_view of) const {
    if (operand.type.kind == ValueKind::boolean) return;
    wrong(operand, fmt::format("an operand of {}", of),
          of == "~" ? "bool (~ binds strongest: a negated comparison is ~(a == b))" : "bool");
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
    return number_of({a, b.type});
  }

  void combine(RddlExpression& expression) const {
    std::vector<RddlExpression>& operands = expression.operands;
    const ValueType boolean{ValueKind::boolean, 0}, integer{ValueKind::integer, 0}, real{ValueKind::real, 0};
    switch (expression.operation) {
      case Operation::logical_not:
      case Operation::logical_and:
      case Operation::logical_or:
      case Operation::implies:
      case Operation::equivalent: {
        const std::string_view name = expression.operation == Operation::logical_not   ? "~"
                                      : expression.operation == Operation::logical_and ? "^"
                                      : expression.operation == Operation::logical_or  ? "|"
                                      : expression.operation == Operation::implies     ? "=>"
                                                                                       : "<=>";
        for (const RddlExpression& operand : operands) need_boolean(operand, name);
        expression.type = boolean;
        return;
      }
      case Operation::equal:
      case Operation::unequal:
        need_comparable(operands[0], operands[1]);
        expression.type = boolean;
        return;
      case Operation::less:
      case Operation::at_most:
      case Operation::greater:
      case Operation::at_least:
        need_numbers(expression, "an inequality");
        expression.type = boolean;
        return;
      case Operation::add:
      case Operation::multiply:
      case Operation::negate:
      case Operation::minimum:
      case Operation::maximum:
      case Operation::absolute: {
        need_numbers(expression, "arithmetic");
        expression.type = integer;
        for (const RddlExpression& operand : operands)
          expression.type = number_of({expression.type, operand.type});
        return;
      }
      case Operation::divide:
        need_numbers(expression, "/");
        expression.type = real;
        return;
      case Operation::floor:
      case Operation::ceiling:
        need_numbers(expression, "rounding");
        expression.type = integer;
        return;
      case Operation::modulo:
        need_integers(expression, "mod");
        expression.type = integer;
        return;
      case Operation::integer_division:
        need_integers(expression, "div");
        expression.type = integer;
        return;
      case Operation::choose:
        for (std::size_t i = 0; i + 1 < operands.size(); i += 2) {
          if (operands[i].type.kind != ValueKind::boolean)
            wrong(operands[i], "the condition of an if", "bool");
        }
        expression.type = operands.back().type;
        for (std::size_t i = 1; i < operands.size(); i += 2)
          expression.type = join(expression.type, operands[i]);
        return;
      case Operation::selection:
        return selection(expression);
      default:
        return;
    }
  }

  void selection(RddlExpression& expression) const {
    std::vector<RddlExpression>& operands = expression.operands;
    const bool with_default = operands.size() % 2 == 0;
    expression.type = operands[2].type;
    std::vector<Rational> labels;
    for (std::size_t i = 1; i + 1 < operands.size(); i += 2) {
      need_comparable(operands[0], operands[i]);
      expression.type = join(expression.type, operands[i + 1]);
      const Rational label = operands[i].operation == Operation::symbol ? make_rational(operands[i].reference)
                                                                        : operands[i].number;
      if (std::find(labels.begin(), labels.end(), label) != labels.end()) {
        throw RddlError(operands[i].place, "this case is there already");
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

  RddlTask& task_;
  std::vector<ScopedVariable> scope_;
};

}  // namespace

void check_types(RddlTask& task) { TypeChecker(task).run(); }

}  // namespace bnnplan

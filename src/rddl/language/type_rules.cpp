// The typing rules: what operators, functions, distributions and aggregations take and return.
#include <algorithm>

#include <fmt/format.h>

#include "bnnplan/rddl/language/type_checker.hpp"

namespace bnnplan::rddl {

bool is_number(const ValueType& type) { return type.kind != ValueKind::object; }

ValueType number_of(std::initializer_list<ValueType> types) {
  for (const ValueType& type : types) {
    if (type.kind == ValueKind::real) return {ValueKind::real, 0};
  }
  return {ValueKind::integer, 0};
}

void TypeChecker::need_boolean(const RddlExpression& operand, std::string_view of) const {
  if (operand.type.kind == ValueKind::boolean) return;
  wrong(operand, fmt::format("an operand of {}", of),
        of == "~" ? "bool (~ binds strongest: a negated comparison is ~(a == b))" : "bool");
}

void TypeChecker::need_numbers(const RddlExpression& expression, std::string_view of) const {
  for (const RddlExpression& operand : expression.operands) {
    if (!is_number(operand.type)) wrong(operand, fmt::format("an operand of {}", of), "a number");
  }
}

void TypeChecker::need_integers(const RddlExpression& expression, std::string_view of) const {
  for (const RddlExpression& operand : expression.operands) {
    if (!is_number(operand.type) || operand.type.kind == ValueKind::real) {
      wrong(operand, fmt::format("an operand of {}", of), "int");
    }
  }
}

void TypeChecker::need_comparable(const RddlExpression& a, const RddlExpression& b) const {
  const bool fits = is_number(a.type) ? is_number(b.type) : a.type == b.type;
  if (!fits) {
    throw RddlError(b.place, fmt::format("{} cannot be compared with {}", type_text(task_, b.type),
                                         type_text(task_, a.type)));
  }
}

// The common type of the values of an if or switch.
ValueType TypeChecker::join(const ValueType& a, const RddlExpression& b) const {
  if (a == b.type) return a;
  if (!is_number(a) || !is_number(b.type)) {
    wrong(b, "another case", type_text(task_, a));
  }
  return number_of({a, b.type});
}

void TypeChecker::combine(RddlExpression& expression) const {
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
    case Operation::power:
      need_numbers(expression, "pow");
      expression.type = number_of({operands[0].type, operands[1].type});
      return;
    case Operation::math:
      need_numbers(expression, entry_of(expression.function).name);
      expression.type = real;
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
        if (operands[i].type.kind != ValueKind::boolean) wrong(operands[i], "the condition of an if", "bool");
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

void TypeChecker::selection(RddlExpression& expression) const {
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

void TypeChecker::random(RddlExpression& expression) const {
  std::vector<RddlExpression>& operands = expression.operands;
  const DistributionEntry& entry = entry_of(expression.distribution);
  if (entry.gives != DrawnKind::object) {
    need_numbers(expression, entry.name);
    expression.type = {entry.gives == DrawnKind::boolean   ? ValueKind::boolean
                       : entry.gives == DrawnKind::integer ? ValueKind::integer
                                                           : ValueKind::real,
                       0};
    return;
  }
  expression.type = {ValueKind::object, find_type(expression.name, expression.place)};
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

void TypeChecker::aggregated(RddlExpression& expression) const {
  const RddlExpression& body = expression.operands.front();
  switch (expression.aggregated) {
    case Operation::logical_and:
    case Operation::logical_or:
      if (body.type.kind != ValueKind::boolean) wrong(body, "the body of a quantifier", "bool");
      expression.type = {};
      return;
    default:
      if (!is_number(body.type)) wrong(body, "the body of an aggregation", "a number");
      break;
  }
  switch (expression.aggregated) {
    case Operation::random:
    case Operation::argument_of_minimum:
    case Operation::argument_of_maximum:
      expression.type = {ValueKind::object, expression.bound.front().object_type};
      return;
    case Operation::average:
      expression.type = {ValueKind::real, 0};
      return;
    default:
      expression.type = number_of({body.type});
      return;
  }
}

}  // namespace bnnplan::rddl

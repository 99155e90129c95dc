// Grounding of expressions: each is instantiated with all values of its quantified variables, non-fluents
// are replaced by their values, and everything is folded on the way (node_pool.cpp).
#include <algorithm>

#include <fmt/format.h>

#include "bnnplan/rddl/ground/grounder.hpp"

namespace bnnplan::rddl {

NodeId Grounder::ground(const RddlExpression& expression) {
  if (++visited_ > limits_.instantiations) {
    throw RddlError(expression.place,
                    fmt::format("grounding takes more than {} instantiations, expected fewer "
                                "objects or quantified variables",
                                limits_.instantiations));
  }
  switch (expression.operation) {
    case Operation::constant:
      return model_.nodes.constant(expression.number, node_kind(expression.type.kind));
    case Operation::symbol:
      return whole(expression.reference);
    case Operation::parameter:
      return whole(environment_[expression.reference]);
    case Operation::fluent:
      return fluent(expression);
    case Operation::aggregate:
      return aggregate(expression);
    case Operation::cholesky:
      return cholesky(expression);
    case Operation::random:
      return drawn(expression);
    case Operation::choose:
      return choose(expression);
    case Operation::logical_and:
    case Operation::logical_or:
      return logical(expression);
    default:
      break;
  }
  std::vector<NodeId> operands;
  for (const RddlExpression& operand : expression.operands) operands.push_back(ground(operand));
  return combine(expression, std::move(operands));
}

NodeId Grounder::combine(const RddlExpression& expression, std::vector<NodeId> operands) {
  const auto make = [&](Operation operation, std::vector<NodeId> list) {
    return model_.nodes.make(operation, std::move(list), expression.place);
  };
  switch (expression.operation) {
    case Operation::implies:
      return make(Operation::logical_or, {make(Operation::logical_not, {operands[0]}), operands[1]});
    case Operation::equivalent:
      return make(Operation::equal, std::move(operands));
    case Operation::unequal:
      return make(Operation::logical_not, {make(Operation::equal, std::move(operands))});
    case Operation::greater:
      return make(Operation::less, {operands[1], operands[0]});
    case Operation::at_least:
      return make(Operation::at_most, {operands[1], operands[0]});
    case Operation::negate:
      return make(Operation::multiply, {operands[0], whole(-1)});
    case Operation::math:
      return model_.nodes.math(expression.function, std::move(operands), expression.place);
    case Operation::selection:
      return switched(expression, operands);
    default:
      return make(expression.operation, std::move(operands));
  }
}

NodeId Grounder::switched(const RddlExpression& expression, const std::vector<NodeId>& operands) {
  const bool with_default = operands.size() % 2 == 0;
  const NodeId subject = operands[0];
  if (model_.nodes.is_random(subject) && expression.operands[0].type.kind == ValueKind::object) {
    // It must be drawn only once, so list the values for all objects.
    std::vector<NodeId> values(task_.types[expression.operands[0].type.object_type].objects.size() + 1,
                               operands.back());
    values[0] = subject;
    for (std::size_t i = 1; i + 1 < operands.size(); i += 2)
      values[1 + expression.operands[i].reference] = operands[i + 1];
    return model_.nodes.make(Operation::select, std::move(values), expression.place);
  }
  if (model_.nodes.is_random(subject))
    throw RddlError(expression.place,
                    "a switch on a random number is not supported, only on a random object");
  // Without a default all values are covered: the last case needs no test.
  std::vector<NodeId> cases;
  const std::size_t tested = with_default ? operands.size() - 1 : operands.size() - 2;
  for (std::size_t i = 1; i < tested; i += 2) {
    cases.push_back(model_.nodes.make(Operation::equal, {subject, operands[i]}, expression.place));
    cases.push_back(operands[i + 1]);
  }
  cases.push_back(operands.back());
  return model_.nodes.make(Operation::choose, std::move(cases), expression.place);
}

NodeId Grounder::drawn(const RddlExpression& expression) {
  std::vector<NodeId> parameters;
  if (entry_of(expression.distribution).gives != ValueKind::object) {
    for (const RddlExpression& operand : expression.operands) parameters.push_back(ground(operand));
    return model_.nodes.random(expression.distribution, std::move(parameters), expression.place);
  }
  parameters.assign(task_.types[expression.type.object_type].objects.size(), whole(0));
  for (std::size_t i = 0; i < expression.operands.size(); i += 2)
    parameters[expression.operands[i].reference] = ground(expression.operands[i + 1]);
  return model_.nodes.random(expression.distribution, std::move(parameters), expression.place);
}

// An argument that is an expression rather than an object picks one of the instances: the value is selected
// from all instances that differ in that argument.
NodeId Grounder::fluent(const RddlExpression& expression) {
  const Fluent& found = task_.fluents[expression.reference];
  std::vector<NodeId> arguments;
  std::size_t open = 1;
  for (std::size_t i = 0; i < expression.operands.size(); ++i) {
    arguments.push_back(ground(expression.operands[i]));
    if (!model_.nodes.is_constant(arguments.back())) open *= task_.types[found.parameters[i]].objects.size();
  }
  if (open > limits_.instantiations) throw RddlError(expression.place, "too many arguments that are fluents");
  visited_ += open;
  const auto values = [&](const auto& self, std::size_t position, std::size_t index) -> NodeId {
    if (position == arguments.size()) return instance(expression, index);
    const std::size_t count = task_.types[found.parameters[position]].objects.size();
    const NodeId argument = arguments[position];
    if (model_.nodes.is_constant(argument)) {
      const auto object = static_cast<std::size_t>(model_.nodes[argument].number.numerator);
      return self(self, position + 1, index * count + object);
    }
    std::vector<NodeId> operands = {argument};
    for (std::size_t object = 0; object < count; ++object)
      operands.push_back(self(self, position + 1, index * count + object));
    return model_.nodes.make(Operation::select, std::move(operands), expression.place);
  };
  return values(values, 0, 0);
}

NodeId Grounder::instance(const RddlExpression& expression, std::size_t index) {
  const Fluent& found = task_.fluents[expression.reference];
  index += first_[expression.reference];
  if (found.role == FluentRole::non_fluent) {
    const auto given = values_.find(index);
    return model_.nodes.constant(given == values_.end() ? found.default_value : given->second,
                                 node_kind(found.value.kind));
  }
  const std::uint32_t first = found.role == FluentRole::action  ? model_.first_action()
                              : found.role != FluentRole::state ? model_.first_intermediate()
                              : expression.primed               ? model_.first_next()
                                                                : 0;
  return model_.nodes.variable(first + static_cast<std::uint32_t>(index), node_kind(found.value.kind),
                               expression.place);
}

// Stops at the first operand that decides: after a false guard the rest is not even grounded.
NodeId Grounder::logical(const RddlExpression& expression) {
  const bool conjunction = expression.operation == Operation::logical_and;
  std::vector<NodeId> operands;
  for (const RddlExpression& operand : expression.operands) {
    operands.push_back(ground(operand));
    if (conjunction ? model_.nodes.is_false(operands.back()) : model_.nodes.is_true(operands.back())) {
      return model_.nodes.truth(!conjunction);
    }
  }
  return model_.nodes.make(expression.operation, std::move(operands), expression.place);
}

NodeId Grounder::choose(const RddlExpression& expression) {
  std::vector<NodeId> operands;
  bool decided = false;
  for (std::size_t i = 0; i + 1 < expression.operands.size() && !decided; i += 2) {
    const NodeId condition = ground(expression.operands[i]);
    if (model_.nodes.is_false(condition)) continue;
    operands.push_back(condition);
    operands.push_back(ground(expression.operands[i + 1]));
    decided = model_.nodes.is_true(condition);
  }
  operands.push_back(decided ? operands.back() : ground(expression.operands.back()));
  return model_.nodes.make(Operation::choose, std::move(operands), expression.place);
}

NodeId Grounder::aggregate(const RddlExpression& expression) {
  const Operation operation = expression.aggregated;
  std::vector<std::uint32_t> types;
  bool any = true;
  for (const BoundVariable& variable : expression.bound) {
    types.push_back(variable.object_type);
    any = any && !task_.types[variable.object_type].objects.empty();
  }
  std::vector<NodeId> operands;
  std::vector<std::uint32_t> objects(types.size(), 0);
  const std::size_t outer = environment_.size();
  for (bool more = any; more; more = advance(objects, types)) {
    environment_.resize(outer);
    environment_.insert(environment_.end(), objects.begin(), objects.end());
    operands.push_back(ground(expression.operands.front()));
    const NodeId last = operands.back();
    if (operation == Operation::logical_and && model_.nodes.is_false(last)) break;
    if (operation == Operation::logical_or && model_.nodes.is_true(last)) break;
    const bool neutral = operation == Operation::logical_and ? model_.nodes.is_true(last)
                         : operation == Operation::logical_or || operation == Operation::add
                             ? model_.nodes.is_false(last)
                             : false;
    if (neutral) operands.pop_back();
  }
  environment_.resize(outer);
  return aggregated(expression, std::move(operands));
}

NodeId Grounder::aggregated(const RddlExpression& expression, std::vector<NodeId> operands) {
  switch (expression.aggregated) {
    case Operation::random:
      if (operands.empty()) throw RddlError(expression.place, "a random object of a type without objects");
      return model_.nodes.random(expression.distribution, std::move(operands), expression.place);
    case Operation::average: {
      if (operands.empty()) throw RddlError(expression.place, "the average over no objects");
      const Rational share = make_rational(1, static_cast<std::int64_t>(operands.size()));
      const NodeId sum = model_.nodes.make(Operation::add, std::move(operands), expression.place);
      return model_.nodes.make(Operation::multiply, {sum, model_.nodes.constant(share, NodeKind::real)},
                               expression.place);
    }
    default:
      return model_.nodes.make(expression.aggregated, std::move(operands), expression.place);
  }
}

// The entries of the Cholesky factor L of A = L L^T, row by row and from the left, as expressions:
//
//   l_jj = sqrt(a_jj - sum_k l_jk^2),   l_ij = (a_ij - sum_k l_ik l_jk) / l_jj   (k < j)
//
// An entry repeats those before it, so this is for small matrices.
NodeId Grounder::cholesky(const RddlExpression& expression) {
  const BoundVariable &row = expression.bound[0], &column = expression.bound[1];
  constexpr std::size_t largest = 6;
  const std::size_t size = task_.types[row.object_type].objects.size();
  if (size > largest) {
    throw RddlError(
        expression.place,
        fmt::format("cholesky of a matrix of {} rows is not supported, expected at most {}", size, largest));
  }
  const std::uint32_t at_row = environment_[row.slot], at_column = environment_[column.slot];
  const auto entry = [&](std::uint32_t i, std::uint32_t j) {
    environment_[row.slot] = i;
    environment_[column.slot] = j;
    return ground(expression.operands.front());
  };
  const auto make = [&](Operation operation, std::vector<NodeId> operands) {
    return model_.nodes.make(operation, std::move(operands), expression.place);
  };
  const NodeId minus = whole(-1);
  std::vector<std::vector<NodeId>> factor(size);
  for (std::uint32_t i = 0; i <= std::max(at_row, at_column); ++i) {
    for (std::uint32_t j = 0; j <= i; ++j) {
      std::vector<NodeId> terms = {entry(i, j)};
      for (std::uint32_t k = 0; k < j; ++k)
        terms.push_back(make(Operation::multiply, {minus, factor[i][k], factor[j][k]}));
      const NodeId rest = make(Operation::add, std::move(terms));
      factor[i].push_back(i == j ? model_.nodes.math(*math_function_named("sqrt"), {rest}, expression.place)
                                 : make(Operation::divide, {rest, factor[j][j]}));
    }
  }
  environment_[row.slot] = at_row;
  environment_[column.slot] = at_column;
  return at_column > at_row ? whole(0) : factor[at_row][at_column];
}

}  // namespace bnnplan::rddl

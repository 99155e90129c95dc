// Ground expressions and their folding. Grounding a quantifier over a grid makes thousands of copies of its
// body, few of which survive: a neighbour relation is false for nearly all pairs. So expressions are folded
// while they are built, bottom-up, and parts that fold away never enter the pool.
#include "bnnplan/rddl/ground/node_pool.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>

#include <fmt/format.h>

#include "bnnplan/base/checked.hpp"

namespace bnnplan::rddl {

namespace {

// A fraction that no longer fits becomes a double; an integer must fit.
template <class Combine>
Number computed(const Number& a, const Number& b, Combine combine) {
  if (a.exact && b.exact) {
    try {
      return exact_number(combine(a.fraction, b.fraction));
    } catch (const OverflowError&) {
      if (is_integer(a.fraction) && is_integer(b.fraction)) throw;
    }
  }
  return inexact_number(combine(a.real, b.real));
}

Number sum_of(const Number& a, const Number& b) { return computed(a, b, std::plus<>()); }
Number product_of(const Number& a, const Number& b) { return computed(a, b, std::multiplies<>()); }

bool is_less(const Number& a, const Number& b) {
  return a.exact && b.exact ? a.fraction < b.fraction : a.real < b.real;
}

bool all_same(std::span<const NodeId> values) {
  return std::all_of(values.begin(), values.end(), [&](NodeId value) { return value == values.front(); });
}

}  // namespace

NodeId NodePool::add_node(Node node, std::span<const NodeId> operands, const SourcePlace& place) {
  if (operands_.size() + operands.size() + nodes_.size() >= limit_) {
    throw RddlError(place, fmt::format("the ground expressions are too large: more than {} nodes, expected "
                                       "fewer objects",
                                       limit_));
  }
  if (node.operation != Operation::variable) node.first = static_cast<std::uint32_t>(operands_.size());
  node.count = static_cast<std::uint32_t>(operands.size());
  operands_.insert(operands_.end(), operands.begin(), operands.end());
  nodes_.push_back(node);
  places_.push_back(place);
  random_.push_back(node.operation == Operation::random ||
                    std::any_of(operands.begin(), operands.end(), [&](NodeId id) { return random_[id]; }));
  return static_cast<NodeId>(nodes_.size() - 1);
}

NodeId NodePool::constant(const Number& number, NodeKind kind) {
  if (!number.exact) kind = NodeKind::floating;
  if (number.exact && kind >= NodeKind::real)
    kind = is_integer(number.fraction) ? NodeKind::integer : NodeKind::real;
  const auto key = number.exact ? std::pair(number.fraction.numerator, number.fraction.denominator)
                                : std::pair(std::bit_cast<std::int64_t>(number.real), std::int64_t{0});
  auto& known = constants_[static_cast<std::size_t>(kind)];
  if (const auto found = known.find(key); found != known.end()) return found->second;
  return known[key] = add_node({.kind = kind, .number = number.fraction, .floating = number.real}, {}, {});
}

Number NodePool::number(NodeId id) const {
  const Node& node = nodes_[id];
  return node.kind == NodeKind::floating ? inexact_number(node.floating) : exact_number(node.number);
}

bool NodePool::all_constant(std::span<const NodeId> operands) const {
  return std::all_of(operands.begin(), operands.end(), [&](NodeId id) { return is_constant(id); });
}

NodeId NodePool::variable(std::uint32_t slot, NodeKind kind, const SourcePlace& place) {
  if (const auto found = variables_.find(slot); found != variables_.end()) return found->second;
  return variables_[slot] =
             add_node({.operation = Operation::variable, .kind = kind, .first = slot}, {}, place);
}

NodeKind NodePool::common_kind(std::span<const NodeId> operands) const {
  NodeKind kind = NodeKind::integer;
  for (const NodeId operand : operands) kind = std::max(kind, nodes_[operand].kind);
  return kind;
}

NodeId NodePool::make(Operation operation, std::vector<NodeId> operands, const SourcePlace& place) {
  try {
    switch (operation) {
      case Operation::logical_and:
      case Operation::logical_or:
        return logical(operation, operands, place);
      case Operation::add:
      case Operation::multiply:
        return arithmetic(operation, operands, place);
      case Operation::minimum:
      case Operation::maximum:
        return extreme(operation, operands, place);
      case Operation::equal:
      case Operation::less:
      case Operation::at_most:
        return comparison(operation, operands, place);
      case Operation::choose:
        return choice(operands, place);
      case Operation::select:
        return selection(operands, place);
      case Operation::divide:
        return division(operands, place);
      case Operation::power:
        return power(operands, place);
      case Operation::argument_of_minimum:
      case Operation::argument_of_maximum:
        return argument_of(operation, operands, place);
      default:
        return single(operation, operands, place);
    }
  } catch (const OverflowError& error) {
    throw RddlError(place, error.what());
  }
}

NodeId NodePool::logical(Operation operation, const std::vector<NodeId>& operands, const SourcePlace& place) {
  const bool conjunction = operation == Operation::logical_and;
  std::vector<NodeId> kept;
  for (const NodeId operand : operands) {
    if (is_constant(operand)) {
      if (is_true(operand) != conjunction) return truth(!conjunction);
    } else if (nodes_[operand].operation == operation) {
      const auto nested = this->operands(operand);
      kept.insert(kept.end(), nested.begin(), nested.end());
    } else {
      kept.push_back(operand);
    }
  }
  if (kept.empty()) return truth(conjunction);
  if (kept.size() == 1) return kept.front();
  return add_node({.operation = operation, .kind = NodeKind::boolean}, kept, place);
}

NodeId NodePool::arithmetic(Operation operation, const std::vector<NodeId>& operands,
                            const SourcePlace& place) {
  const bool sum = operation == Operation::add;
  const Number neutral = exact_number(sum ? 0 : 1);
  Number number = neutral;
  std::vector<NodeId> kept;
  const auto take = [&](NodeId operand) {
    if (is_constant(operand)) {
      number = sum ? sum_of(number, this->number(operand)) : product_of(number, this->number(operand));
    } else {
      kept.push_back(operand);
    }
  };
  for (const NodeId operand : operands) {
    if (nodes_[operand].operation == operation) {
      for (std::uint32_t i = 0; i < nodes_[operand].count; ++i) take(operands_[nodes_[operand].first + i]);
    } else {
      take(operand);
    }
  }
  if (kept.empty() || (!sum && number == exact_number(0))) return constant(number, NodeKind::real);
  if (number != neutral) kept.push_back(constant(number, NodeKind::real));
  if (kept.size() == 1) return kept.front();
  return add_node({.operation = operation, .kind = common_kind(kept)}, kept, place);
}

NodeId NodePool::extreme(Operation operation, const std::vector<NodeId>& operands, const SourcePlace& place) {
  const bool least = operation == Operation::minimum;
  std::optional<Number> number;
  std::vector<NodeId> kept;
  for (const NodeId operand : operands) {
    if (!is_constant(operand)) {
      kept.push_back(operand);
    } else if (!number ||
               (least ? is_less(this->number(operand), *number) : is_less(*number, this->number(operand)))) {
      number = this->number(operand);
    }
  }
  if (kept.empty()) {
    if (!number) throw RddlError(place, "the minimum or maximum over no objects");
    return constant(*number, NodeKind::real);
  }
  if (number) kept.push_back(constant(*number, NodeKind::real));
  if (kept.size() == 1) return kept.front();
  return add_node({.operation = operation, .kind = common_kind(kept)}, kept, place);
}

NodeId NodePool::comparison(Operation operation, const std::vector<NodeId>& operands,
                            const SourcePlace& place) {
  const NodeId a = operands[0], b = operands[1];
  if (is_constant(a) && is_constant(b)) {
    const Number left = number(a), right = number(b);
    return truth(operation == Operation::equal  ? !is_less(left, right) && !is_less(right, left)
                 : operation == Operation::less ? is_less(left, right)
                                                : !is_less(right, left));
  }
  if (operation == Operation::equal) {
    if (a == b) return truth(true);
    // A Boolean compared with true or false is itself or its negation.
    for (const auto& [known, open] : {std::pair(a, b), std::pair(b, a)}) {
      if (!is_constant(known) || nodes_[open].kind != NodeKind::boolean) continue;
      if (nodes_[known].number == make_rational(1)) return open;
      if (nodes_[known].number == make_rational(0)) return make(Operation::logical_not, {open}, place);
      return truth(false);
    }
  }
  return add_node({.operation = operation, .kind = NodeKind::boolean}, operands, place);
}

NodeId NodePool::single(Operation operation, const std::vector<NodeId>& operands, const SourcePlace& place) {
  const NodeId a = operands[0];
  const bool constants = all_constant(operands);
  const Node left = nodes_[a];
  NodeKind kind = NodeKind::integer;
  switch (operation) {
    case Operation::logical_not:
      if (constants) return truth(is_false(a));
      if (left.operation == Operation::logical_not) return this->operands(a).front();
      kind = NodeKind::boolean;
      break;
    case Operation::absolute:
      if (constants) return is_less(number(a), Number{}) ? constant(negated(number(a)), NodeKind::real) : a;
      if (left.kind == NodeKind::boolean) return a;
      kind = left.kind;
      break;
    case Operation::sign:
      if (constants)
        return constant(make_rational(is_zero(a)                     ? 0
                                      : is_less(number(a), Number{}) ? -1
                                                                     : 1),
                        NodeKind::integer);
      if (left.kind == NodeKind::boolean) return a;
      break;
    case Operation::floor:
    case Operation::ceiling:
    case Operation::round:
      if (left.kind == NodeKind::integer || left.kind == NodeKind::boolean) return a;
      if (constants && left.kind == NodeKind::real) {
        return constant(make_rational(operation == Operation::floor     ? floor(left.number)
                                      : operation == Operation::ceiling ? ceiling(left.number)
                                                                        : rounded(left.number)),
                        NodeKind::integer);
      }
      break;
    case Operation::modulo:
    case Operation::integer_division: {
      if (common_kind(operands) != NodeKind::integer) throw OverflowError();
      if (!constants || is_zero(operands[1])) break;
      const std::int64_t dividend = left.number.numerator, divisor = nodes_[operands[1]].number.numerator;
      return constant(make_rational(operation == Operation::modulo ? floor_modulo(dividend, divisor)
                                                                   : floor_divide(dividend, divisor)),
                      NodeKind::integer);
    }
    default:
      break;
  }
  return add_node({.operation = operation, .kind = kind}, operands, place);
}

NodeId NodePool::division(const std::vector<NodeId>& operands, const SourcePlace& place) {
  const Number divisor = is_constant(operands[1]) ? number(operands[1]) : Number{};
  if (divisor.real != 0) {
    const Number inverse =
        divisor.exact ? exact_number(make_rational(1) / divisor.fraction) : inexact_number(1 / divisor.real);
    return arithmetic(Operation::multiply, {operands[0], constant(inverse, NodeKind::real)}, place);
  }
  const NodeKind kind = common_kind(operands) == NodeKind::floating ? NodeKind::floating : NodeKind::real;
  return add_node({.operation = Operation::divide, .kind = kind}, operands, place);
}

// Exact if the exponent is a small constant such as 2, or if both are integers.
NodeId NodePool::power(const std::vector<NodeId>& operands, const SourcePlace& place) {
  const NodeId base = operands[0], exponent = operands[1];
  constexpr std::int64_t most = 64;
  const bool by_count = is_constant(exponent) && is_integer(number(exponent)) &&
                        nodes_[exponent].number >= Rational{} && nodes_[exponent].number.numerator <= most;
  if (by_count && nodes_[exponent].number.numerator == 0)
    return constant(make_rational(1), NodeKind::integer);
  if (by_count && (nodes_[base].kind == NodeKind::boolean || nodes_[exponent].number.numerator == 1))
    return base;
  if (all_constant(operands)) {
    if (by_count) {
      Number result = exact_number(1);
      for (std::int64_t i = 0; i < nodes_[exponent].number.numerator; ++i)
        result = product_of(result, number(base));
      return constant(result, NodeKind::real);
    }
    return constant(inexact_number(std::pow(number(base).real, number(exponent).real)), NodeKind::floating);
  }
  const NodeKind both = common_kind(operands);
  const NodeKind kind = by_count                    ? common_kind(std::span(&base, 1))
                        : both == NodeKind::integer ? NodeKind::integer
                                                    : NodeKind::floating;
  return add_node({.operation = Operation::power, .kind = kind}, operands, place);
}

NodeId NodePool::math(MathFunction function, std::vector<NodeId> operands, const SourcePlace& place) {
  if (all_constant(operands)) {
    const double second = operands.size() > 1 ? number(operands[1]).real : 0;
    return constant(inexact_number(entry_of(function).value(number(operands[0]).real, second)),
                    NodeKind::floating);
  }
  return add_node({.operation = Operation::math, .kind = NodeKind::floating, .function = function}, operands,
                  place);
}

NodeId NodePool::random(Distribution distribution, std::vector<NodeId> operands, const SourcePlace& place) {
  if (distribution == Distribution::bernoulli && is_constant(operands[0])) {
    if (number(operands[0]) == exact_number(0) || number(operands[0]) == exact_number(1))
      return truth(is_true(operands[0]));
  }
  const NodeKind kind = node_kind(entry_of(distribution).gives);
  return add_node({.operation = Operation::random, .kind = kind, .distribution = distribution}, operands,
                  place);
}

NodeId NodePool::like(const Node& node, std::vector<NodeId> operands, const SourcePlace& place) {
  return node.operation == Operation::math     ? math(node.function, std::move(operands), place)
         : node.operation == Operation::random ? random(node.distribution, std::move(operands), place)
                                               : make(node.operation, std::move(operands), place);
}

NodeId NodePool::selection(const std::vector<NodeId>& operands, const SourcePlace& place) {
  const std::vector<NodeId> values(operands.begin() + 1, operands.end());
  const NodeId index = operands.front();
  if (is_constant(index)) return values[static_cast<std::size_t>(nodes_[index].number.numerator)];
  if (all_same(values)) return values.front();
  return add_node({.operation = Operation::select, .kind = kind_of_values(values)}, operands, place);
}

NodeId NodePool::argument_of(Operation operation, const std::vector<NodeId>& operands,
                             const SourcePlace& place) {
  if (operands.empty()) throw RddlError(place, "the minimum or maximum over no objects");
  if (all_constant(operands)) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < operands.size(); ++i) {
      const Number here = number(operands[i]), there = number(operands[best]);
      if (operation == Operation::argument_of_minimum ? is_less(here, there) : is_less(there, here)) best = i;
    }
    return constant(make_rational(static_cast<std::int64_t>(best)), NodeKind::integer);
  }
  return add_node({.operation = operation, .kind = NodeKind::integer}, operands, place);
}

// Boolean only if all values are.
NodeKind NodePool::kind_of_values(std::span<const NodeId> values) const {
  const bool boolean = std::all_of(values.begin(), values.end(),
                                   [&](NodeId value) { return nodes_[value].kind == NodeKind::boolean; });
  return boolean ? NodeKind::boolean : common_kind(values);
}

NodeId NodePool::choice(const std::vector<NodeId>& operands, const SourcePlace& place) {
  std::vector<NodeId> kept;
  for (std::size_t i = 0; i < operands.size(); i += 2) {
    const bool last = i + 1 == operands.size();
    if (last || is_true(operands[i])) {
      kept.push_back(operands[last ? i : i + 1]);
      break;
    }
    if (is_false(operands[i])) continue;
    kept.push_back(operands[i]);
    kept.push_back(operands[i + 1]);
  }
  if (kept.size() == 1) return kept.front();
  std::vector<NodeId> values;
  for (std::size_t i = 1; i < kept.size(); i += 2) values.push_back(kept[i]);
  values.push_back(kept.back());
  if (all_same(values)) return values.front();
  const NodeKind kind = kind_of_values(values);
  if (kind == NodeKind::boolean && kept.size() == 3 && is_constant(kept[1]) && is_constant(kept[2]))
    return is_true(kept[1]) ? kept[0] : make(Operation::logical_not, {kept[0]}, place);
  return add_node({.operation = Operation::choose, .kind = kind}, kept, place);
}

std::vector<std::uint32_t> slots_of(const NodePool& pool, NodeId node) {
  std::vector<std::uint32_t> slots;
  std::vector<NodeId> open = {node};
  while (!open.empty()) {
    const NodeId id = open.back();
    open.pop_back();
    if (pool[id].operation == Operation::variable) {
      slots.push_back(pool[id].first);
      continue;
    }
    const auto operands = pool.operands(id);
    open.insert(open.end(), operands.begin(), operands.end());
  }
  std::sort(slots.begin(), slots.end());
  slots.erase(std::unique(slots.begin(), slots.end()), slots.end());
  return slots;
}

std::vector<std::pair<NodeId, bool>> conjuncts_of(const NodePool& pool, NodeId node, bool negated) {
  const Operation operation = pool[node].operation;
  if (operation == Operation::logical_not) return conjuncts_of(pool, pool.operands(node)[0], !negated);
  if (operation != (negated ? Operation::logical_or : Operation::logical_and)) return {{node, negated}};
  std::vector<std::pair<NodeId, bool>> parts;
  for (const NodeId operand : pool.operands(node)) {
    const auto inner = conjuncts_of(pool, operand, negated);
    parts.insert(parts.end(), inner.begin(), inner.end());
  }
  return parts;
}

bool same_expression(const NodePool& pool, NodeId a, NodeId b) {
  if (pool.is_random(a) || pool.is_random(b)) return false;
  if (a == b) return true;
  const Node &left = pool[a], &right = pool[b];
  // The pool holds each constant and each variable once.
  if (left.operation != right.operation || left.count != right.count || left.count == 0 ||
      left.function != right.function) {
    return false;
  }
  const auto operands = pool.operands(a), others = pool.operands(b);
  return std::equal(operands.begin(), operands.end(), others.begin(),
                    [&](NodeId x, NodeId y) { return same_expression(pool, x, y); });
}

}  // namespace bnnplan::rddl

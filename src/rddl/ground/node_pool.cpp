// Ground expressions and their folding. Grounding a quantifier over a grid makes thousands of copies of its
// body of which few survive: a neighbour relation is false for nearly all pairs. So expressions are folded
// while they are built, bottom-up, and what is folded away never enters the pool.
#include "rddl/ground/node_pool.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/checked.hpp"

namespace bnnplan {

NodeId NodePool::add_node(Node node, std::span<const NodeId> operands, const SourcePlace& place) {
  if (operands_.size() + operands.size() + nodes_.size() >= limit_) {
    throw RddlError(place,
                    fmt::format("the ground expressions become too large: more than {} nodes, expected "
                                "fewer objects",
                                limit_));
  }
  if (node.operation != NodeOperation::variable) node.first = static_cast<std::uint32_t>(operands_.size());
  node.count = static_cast<std::uint32_t>(operands.size());
  operands_.insert(operands_.end(), operands.begin(), operands.end());
  nodes_.push_back(node);
  places_.push_back(place);
  return static_cast<NodeId>(nodes_.size() - 1);
}

NodeId NodePool::constant(const Rational& number, NodeKind kind) {
  if (kind == NodeKind::real && is_integer(number)) kind = NodeKind::integer;
  const auto key = std::pair(number.numerator, number.denominator);
  auto& known = constants_[static_cast<std::size_t>(kind)];
  if (const auto found = known.find(key); found != known.end()) return found->second;
  Node node;
  node.kind = kind;
  node.number = number;
  return known[key] = add_node(node, {}, {});
}

NodeId NodePool::variable(std::uint32_t slot, NodeKind kind, const SourcePlace& place) {
  if (const auto found = variables_.find(slot); found != variables_.end()) return found->second;
  Node node;
  node.operation = NodeOperation::variable;
  node.kind = kind;
  node.first = slot;
  return variables_[slot] = add_node(node, {}, place);
}

NodeKind NodePool::common_kind(std::span<const NodeId> operands) const {
  for (const NodeId operand : operands) {
    if (nodes_[operand].kind == NodeKind::real) return NodeKind::real;
  }
  return NodeKind::integer;
}

NodeId NodePool::make(NodeOperation operation, std::vector<NodeId> operands, const SourcePlace& place) {
  try {
    switch (operation) {
      case NodeOperation::logical_and:
      case NodeOperation::logical_or:
        return logical(operation, operands, place);
      case NodeOperation::add:
      case NodeOperation::multiply:
        return arithmetic(operation, operands, place);
      case NodeOperation::minimum:
      case NodeOperation::maximum:
        return extreme(operation, operands, place);
      case NodeOperation::equal:
      case NodeOperation::less:
      case NodeOperation::at_most:
        return comparison(operation, operands, place);
      case NodeOperation::choose:
        return choice(operands, place);
      default:
        return single(operation, operands, place);
    }
  } catch (const OverflowError& error) {
    throw RddlError(place, error.what());
  }
}

NodeId NodePool::logical(NodeOperation operation, const std::vector<NodeId>& operands,
                         const SourcePlace& place) {
  const bool conjunction = operation == NodeOperation::logical_and;
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
  return add_node({operation, NodeKind::boolean, 0, 0, {}}, kept, place);
}

NodeId NodePool::arithmetic(NodeOperation operation, const std::vector<NodeId>& operands,
                            const SourcePlace& place) {
  const bool sum = operation == NodeOperation::add;
  const Rational neutral = make_rational(sum ? 0 : 1);
  Rational number = neutral;
  std::vector<NodeId> kept;
  const auto take = [&](NodeId operand) {
    if (is_constant(operand)) {
      number = sum ? number + nodes_[operand].number : number * nodes_[operand].number;
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
  if (kept.empty() || (!sum && number == Rational{})) return constant(number, NodeKind::real);
  if (number != neutral) kept.push_back(constant(number, NodeKind::real));
  if (kept.size() == 1) return kept.front();
  return add_node({operation, common_kind(kept), 0, 0, {}}, kept, place);
}

NodeId NodePool::extreme(NodeOperation operation, const std::vector<NodeId>& operands,
                         const SourcePlace& place) {
  const bool least = operation == NodeOperation::minimum;
  std::optional<Rational> number;
  std::vector<NodeId> kept;
  for (const NodeId operand : operands) {
    if (!is_constant(operand)) {
      kept.push_back(operand);
    } else if (!number || (least ? nodes_[operand].number < *number : nodes_[operand].number > *number)) {
      number = nodes_[operand].number;
    }
  }
  if (kept.empty()) {
    if (!number) throw RddlError(place, "the minimum or maximum over no objects at all");
    return constant(*number, NodeKind::real);
  }
  if (number) kept.push_back(constant(*number, NodeKind::real));
  if (kept.size() == 1) return kept.front();
  return add_node({operation, common_kind(kept), 0, 0, {}}, kept, place);
}

NodeId NodePool::comparison(NodeOperation operation, const std::vector<NodeId>& operands,
                            const SourcePlace& place) {
  const NodeId a = operands[0], b = operands[1];
  if (is_constant(a) && is_constant(b)) {
    const Rational &left = nodes_[a].number, &right = nodes_[b].number;
    return truth(operation == NodeOperation::equal  ? left == right
                 : operation == NodeOperation::less ? left < right
                                                    : left <= right);
  }
  if (operation == NodeOperation::equal) {
    if (a == b) return truth(true);
    // A Boolean compared with true or false is itself or its negation.
    for (const auto& [known, open] : {std::pair(a, b), std::pair(b, a)}) {
      if (!is_constant(known) || nodes_[open].kind != NodeKind::boolean) continue;
      if (nodes_[known].number == make_rational(1)) return open;
      if (nodes_[known].number == make_rational(0)) return make(NodeOperation::logical_not, {open}, place);
      return truth(false);
    }
  }
  return add_node({operation, NodeKind::boolean, 0, 0, {}}, operands, place);
}

NodeId NodePool::single(NodeOperation operation, const std::vector<NodeId>& operands,
                        const SourcePlace& place) {
  const NodeId a = operands[0];
  const bool constants =
      std::all_of(operands.begin(), operands.end(), [&](NodeId id) { return is_constant(id); });
  const Rational left = nodes_[a].number;
  const Rational right = operands.size() > 1 ? nodes_[operands[1]].number : Rational{};
  NodeKind kind = NodeKind::integer;
  switch (operation) {
    case NodeOperation::logical_not:
      if (constants) return truth(is_false(a));
      if (nodes_[a].operation == NodeOperation::logical_not) return this->operands(a).front();
      kind = NodeKind::boolean;
      break;
    case NodeOperation::absolute:
      if (constants) return constant(left < Rational{} ? Rational{} - left : left, NodeKind::real);
      if (nodes_[a].kind == NodeKind::boolean) return a;
      kind = nodes_[a].kind;
      break;
    case NodeOperation::floor:
    case NodeOperation::ceiling:
      if (nodes_[a].kind != NodeKind::real) return a;
      if (constants) {
        return constant(make_rational(operation == NodeOperation::floor ? floor(left) : ceiling(left)),
                        NodeKind::integer);
      }
      break;
    case NodeOperation::divide:
      if (is_constant(operands[1]) && right != Rational{}) {
        return arithmetic(NodeOperation::multiply, {a, constant(make_rational(1) / right, NodeKind::real)},
                          place);
      }
      kind = NodeKind::real;
      break;
    case NodeOperation::modulo:
    case NodeOperation::integer_division:
      if (constants && right != Rational{}) {
        return constant(
            make_rational(operation == NodeOperation::modulo ? floor_modulo(left.numerator, right.numerator)
                                                             : floor_divide(left.numerator, right.numerator)),
            NodeKind::integer);
      }
      break;
    default:
      break;
  }
  return add_node({operation, kind, 0, 0, {}}, operands, place);
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
  bool boolean = true;
  std::vector<NodeId> values;
  for (std::size_t i = 1; i < kept.size(); i += 2) values.push_back(kept[i]);
  values.push_back(kept.back());
  for (const NodeId value : values) boolean = boolean && nodes_[value].kind == NodeKind::boolean;
  if (std::all_of(values.begin(), values.end(), [&](NodeId value) { return value == values.front(); })) {
    return values.front();
  }
  if (boolean && kept.size() == 3 && is_true(kept[1]) && is_false(kept[2])) return kept[0];
  if (boolean && kept.size() == 3 && is_false(kept[1]) && is_true(kept[2])) {
    return make(NodeOperation::logical_not, {kept[0]}, place);
  }
  return add_node({NodeOperation::choose, boolean ? NodeKind::boolean : common_kind(values), 0, 0, {}}, kept,
                  place);
}

std::vector<std::uint32_t> slots_of(const NodePool& pool, NodeId node) {
  std::vector<std::uint32_t> slots;
  std::vector<NodeId> open = {node};
  while (!open.empty()) {
    const NodeId id = open.back();
    open.pop_back();
    if (pool[id].operation == NodeOperation::variable) {
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

}  // namespace bnnplan

#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "bnnplan/rddl/language/syntax.hpp"

namespace bnnplan::rddl {

// Objects are integers. A `real` is an exact fraction, a `floating` node a double: a real fluent, a function
// such as exp, a number that does not fit, and everything computed from these.
enum class NodeKind : std::uint8_t { boolean, integer, real, floating };

inline NodeKind node_kind(ValueKind kind) {
  return kind == ValueKind::boolean ? NodeKind::boolean
         : kind == ValueKind::real  ? NodeKind::floating
                                    : NodeKind::integer;
}

using NodeId = std::uint32_t;

struct Node {
  Operation operation = Operation::constant;
  NodeKind kind = NodeKind::boolean;
  MathFunction function = {};
  Distribution distribution = Distribution::bernoulli;
  std::uint32_t first = 0, count = 0;  // operands, in the pool; variable: `first` is the slot
  Rational number = {};                // constant, unless it is floating
  double floating = 0;                 // constant
};

// All ground expressions of a model: no parameters, no quantifiers, non-fluents replaced by their values.
// Operands come before the nodes that use them.
class NodePool {
 public:
  explicit NodePool(std::size_t limit) : limit_(limit) {}

  const Node& operator[](NodeId id) const { return nodes_[id]; }
  std::span<const NodeId> operands(NodeId id) const {
    if (nodes_[id].count == 0) return {};  // `first` may be a slot
    return {operands_.data() + nodes_[id].first, nodes_[id].count};
  }
  const SourcePlace& place(NodeId id) const { return places_[id]; }
  std::size_t size() const { return nodes_.size(); }
  std::size_t limit() const { return limit_; }

  NodeId constant(const Number& number, NodeKind kind);
  NodeId constant(const Rational& number, NodeKind kind) { return constant(exact_number(number), kind); }
  NodeId truth(bool value) { return constant(make_rational(value ? 1 : 0), NodeKind::boolean); }
  NodeId variable(std::uint32_t slot, NodeKind kind, const SourcePlace& place);

  // The expression, folded as far as its constants allow: constant parts are computed, neutral operands
  // vanish, dead branches are dropped, nested ands, ors, sums and products are flattened. A division by zero
  // is left to be reported by the evaluation (the branch may be dead). Throws RddlError if the pool grows
  // beyond its limit or a number does not fit.
  NodeId make(Operation operation, std::vector<NodeId> operands, const SourcePlace& place);
  NodeId math(MathFunction function, std::vector<NodeId> operands, const SourcePlace& place);
  NodeId random(Distribution distribution, std::vector<NodeId> operands, const SourcePlace& place);
  // The operation of a node (not a leaf) with other operands.
  NodeId like(const Node& node, std::vector<NodeId> operands, const SourcePlace& place);

  bool is_constant(NodeId id) const { return nodes_[id].operation == Operation::constant; }
  bool is_true(NodeId id) const { return is_constant(id) && !is_zero(id); }
  bool is_false(NodeId id) const { return is_constant(id) && is_zero(id); }
  bool is_random(NodeId id) const { return random_[id]; }  // the node, or one below it, is drawn
  Number number(NodeId id) const;                          // of a constant

 private:
  bool is_zero(NodeId id) const {
    const Node& node = nodes_[id];
    return node.kind == NodeKind::floating ? node.floating == 0 : node.number == Rational{};
  }
  bool all_constant(std::span<const NodeId> operands) const;
  NodeId add_node(Node node, std::span<const NodeId> operands, const SourcePlace& place);
  NodeId logical(Operation operation, const std::vector<NodeId>& operands, const SourcePlace& place);
  NodeId arithmetic(Operation operation, const std::vector<NodeId>& operands, const SourcePlace& place);
  NodeId extreme(Operation operation, const std::vector<NodeId>& operands, const SourcePlace& place);
  NodeId comparison(Operation operation, const std::vector<NodeId>& operands, const SourcePlace& place);
  NodeId single(Operation operation, const std::vector<NodeId>& operands, const SourcePlace& place);
  NodeId division(const std::vector<NodeId>& operands, const SourcePlace& place);
  NodeId power(const std::vector<NodeId>& operands, const SourcePlace& place);
  NodeId choice(const std::vector<NodeId>& operands, const SourcePlace& place);
  NodeId selection(const std::vector<NodeId>& operands, const SourcePlace& place);
  NodeId argument_of(Operation operation, const std::vector<NodeId>& operands, const SourcePlace& place);
  NodeKind common_kind(std::span<const NodeId> operands) const;
  NodeKind kind_of_values(std::span<const NodeId> values) const;

  std::size_t limit_;
  std::vector<Node> nodes_;
  std::vector<SourcePlace> places_;
  std::vector<NodeId> operands_;
  std::vector<bool> random_;
  std::map<std::pair<std::int64_t, std::int64_t>, NodeId> constants_[4];  // by kind
  std::map<std::uint32_t, NodeId> variables_;
};

// The slots an expression reads, sorted, each once.
std::vector<std::uint32_t> slots_of(const NodePool& pool, NodeId node);

// The parts of a condition, or of its negation, that must all hold: (part, whether it is negated).
std::vector<std::pair<NodeId, bool>> conjuncts_of(const NodePool& pool, NodeId node, bool negated = false);

// Whether two expressions are structurally the same; random ones never are.
bool same_expression(const NodePool& pool, NodeId a, NodeId b);

}  // namespace bnnplan::rddl

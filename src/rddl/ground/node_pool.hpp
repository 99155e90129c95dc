#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "bnnplan/rddl/language/functions.hpp"
#include "bnnplan/rddl/language/number.hpp"
#include "bnnplan/rddl/language/source_place.hpp"

namespace bnnplan::rddl {

// Ground expressions: no parameters, no quantifiers, non-fluents replaced by their values. There are fewer
// operations than in the text: differences are sums, >= is <= with swapped operands, a switch is a choice.
enum class NodeOperation : std::uint8_t {
  constant,
  variable,  // a slot of the value vector
  logical_not,
  logical_and,
  logical_or,
  equal,
  less,
  at_most,
  add,
  multiply,
  divide,
  minimum,
  maximum,
  absolute,
  floor,
  ceiling,
  round,  // half to even
  sign,
  power,
  modulo,
  integer_division,
  math,                 // Node::function
  random,               // Node::distribution; a discrete one has a probability for each object
  choose,               // condition, value, condition, value, ..., value
  select,               // a number n, value 0, value 1, ...: value n
  argument_of_minimum,  // the index of the first operand that is least
  argument_of_maximum
};

// Objects are integers. A `real` is an exact fraction, a `floating` node a double: a real fluent, a function
// such as exp, a number that does not fit, and everything computed from these.
enum class NodeKind : std::uint8_t { boolean, integer, real, floating };

using NodeId = std::uint32_t;

struct Node {
  NodeOperation operation = NodeOperation::constant;
  NodeKind kind = NodeKind::boolean;
  MathFunction function = MathFunction::exp;
  Distribution distribution = Distribution::bernoulli;
  std::uint32_t first = 0, count = 0;  // operands, in the pool; variable: `first` is the slot
  Rational number = {};                // constant, unless it is floating
  double floating = 0;                 // constant
};

// All ground expressions of a model. Operands come before the nodes that use them.
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

  NodeId constant(const Rational& number, NodeKind kind);
  NodeId constant(const Number& number, NodeKind kind);
  NodeId truth(bool value) { return constant(make_rational(value ? 1 : 0), NodeKind::boolean); }
  NodeId variable(std::uint32_t slot, NodeKind kind, const SourcePlace& place);

  // The expression, folded as far as its constants allow: constant parts are computed, neutral operands
  // vanish, dead branches are dropped, nested ands, ors, sums and products are flattened. A division by zero
  // is left to be reported by the evaluation (the branch may be dead). Throws RddlError if the pool grows
  // beyond its limit or a number does not fit.
  NodeId make(NodeOperation operation, std::vector<NodeId> operands, const SourcePlace& place);
  NodeId math(MathFunction function, std::vector<NodeId> operands, const SourcePlace& place);
  NodeId random(Distribution distribution, std::vector<NodeId> operands, const SourcePlace& place);

  bool is_constant(NodeId id) const { return nodes_[id].operation == NodeOperation::constant; }
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
  NodeId logical(NodeOperation operation, const std::vector<NodeId>& operands, const SourcePlace& place);
  NodeId arithmetic(NodeOperation operation, const std::vector<NodeId>& operands, const SourcePlace& place);
  NodeId extreme(NodeOperation operation, const std::vector<NodeId>& operands, const SourcePlace& place);
  NodeId comparison(NodeOperation operation, const std::vector<NodeId>& operands, const SourcePlace& place);
  NodeId single(NodeOperation operation, const std::vector<NodeId>& operands, const SourcePlace& place);
  NodeId division(const std::vector<NodeId>& operands, const SourcePlace& place);
  NodeId power(const std::vector<NodeId>& operands, const SourcePlace& place);
  NodeId choice(const std::vector<NodeId>& operands, const SourcePlace& place);
  NodeId selection(const std::vector<NodeId>& operands, const SourcePlace& place);
  NodeId argument_of(NodeOperation operation, const std::vector<NodeId>& operands, const SourcePlace& place);
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

// Whether two expressions are structurally the same; random ones never are.
bool same_expression(const NodePool& pool, NodeId a, NodeId b);

}  // namespace bnnplan::rddl

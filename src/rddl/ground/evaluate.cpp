// Evaluation of ground expressions, straight down the tree. Integers and Booleans, which is nearly
// everything, are evaluated in checked 64-bit arithmetic; only below a real (a division, a real non-fluent)
// does it switch to exact fractions, and back at the comparison above. A navigation step of 25 cells takes
// about a microsecond, so nothing cleverer (byte code, sharing) is needed.
#include "rddl/ground/evaluate.hpp"

#include <algorithm>
#include <stdexcept>

#include "base/checked.hpp"

namespace bnnplan {

namespace {

class Evaluator {
 public:
  Evaluator(const NodePool& pool, std::span<const std::int64_t> values) : pool_(pool), values_(values) {}

  std::int64_t integer(NodeId id) const {
    const Node& node = pool_[id];
    const auto operands = pool_.operands(id);
    switch (node.operation) {
      case NodeOperation::constant:
        return node.number.numerator;
      case NodeOperation::variable:
        return values_[node.first];
      case NodeOperation::logical_not:
        return integer(operands[0]) == 0 ? 1 : 0;
      case NodeOperation::logical_and:
        for (const NodeId operand : operands) {
          if (integer(operand) == 0) return 0;
        }
        return 1;
      case NodeOperation::logical_or:
        for (const NodeId operand : operands) {
          if (integer(operand) != 0) return 1;
        }
        return 0;
      case NodeOperation::equal:
      case NodeOperation::less:
      case NodeOperation::at_most:
        return compare(node.operation, operands) ? 1 : 0;
      case NodeOperation::add: {
        std::int64_t sum = 0;
        for (const NodeId operand : operands) sum = checked_add(sum, integer(operand));
        return sum;
      }
      case NodeOperation::multiply: {
        std::int64_t product = 1;
        for (const NodeId operand : operands) product = checked_multiply(product, integer(operand));
        return product;
      }
      case NodeOperation::minimum:
      case NodeOperation::maximum: {
        std::int64_t best = integer(operands[0]);
        for (const NodeId operand : operands.subspan(1)) {
          const std::int64_t value = integer(operand);
          best = node.operation == NodeOperation::minimum ? std::min(best, value) : std::max(best, value);
        }
        return best;
      }
      case NodeOperation::absolute:
        return checked_magnitude(integer(operands[0]));
      case NodeOperation::floor:
        return floor(rational(operands[0]));
      case NodeOperation::ceiling:
        return ceiling(rational(operands[0]));
      case NodeOperation::modulo:
        return floor_modulo(integer(operands[0]), divisor(id, operands[1]));
      case NodeOperation::integer_division:
        return floor_divide(integer(operands[0]), divisor(id, operands[1]));
      case NodeOperation::choose:
        return integer(chosen(operands));
      case NodeOperation::divide:
        break;
    }
    throw std::logic_error("an operation that has no integer value");
  }

  Rational rational(NodeId id) const {
    const Node& node = pool_[id];
    if (node.kind != NodeKind::real) return make_rational(integer(id));
    const auto operands = pool_.operands(id);
    switch (node.operation) {
      case NodeOperation::constant:
        return node.number;
      case NodeOperation::add: {
        Rational sum;
        for (const NodeId operand : operands) sum = sum + rational(operand);
        return sum;
      }
      case NodeOperation::multiply: {
        Rational product = make_rational(1);
        for (const NodeId operand : operands) product = product * rational(operand);
        return product;
      }
      case NodeOperation::divide: {
        const Rational denominator = rational(operands[1]);
        if (denominator == Rational{}) throw RddlError(pool_.place(id), "division by zero");
        return rational(operands[0]) / denominator;
      }
      case NodeOperation::minimum:
      case NodeOperation::maximum: {
        Rational best = rational(operands[0]);
        for (const NodeId operand : operands.subspan(1)) {
          const Rational value = rational(operand);
          if (node.operation == NodeOperation::minimum ? value < best : value > best) best = value;
        }
        return best;
      }
      case NodeOperation::absolute: {
        const Rational value = rational(operands[0]);
        return value < Rational{} ? Rational{} - value : value;
      }
      case NodeOperation::choose:
        return rational(chosen(operands));
      default:
        break;
    }
    throw std::logic_error("an operation that has no rational value");
  }

 private:
  std::int64_t divisor(NodeId id, NodeId operand) const {
    const std::int64_t value = integer(operand);
    if (value == 0) throw RddlError(pool_.place(id), "division by zero");
    return value;
  }

  NodeId chosen(std::span<const NodeId> operands) const {
    std::size_t i = 0;
    while (i + 1 < operands.size() && integer(operands[i]) == 0) i += 2;
    return operands[i + 1 < operands.size() ? i + 1 : i];
  }

  bool compare(NodeOperation operation, std::span<const NodeId> operands) const {
    if (pool_[operands[0]].kind != NodeKind::real && pool_[operands[1]].kind != NodeKind::real) {
      const std::int64_t a = integer(operands[0]), b = integer(operands[1]);
      return operation == NodeOperation::equal ? a == b : operation == NodeOperation::less ? a < b : a <= b;
    }
    const Rational a = rational(operands[0]), b = rational(operands[1]);
    return operation == NodeOperation::equal ? a == b : operation == NodeOperation::less ? a < b : a <= b;
  }

  const NodePool& pool_;
  std::span<const std::int64_t> values_;
};

}  // namespace

std::int64_t evaluate_integer(const NodePool& pool, NodeId node, std::span<const std::int64_t> values) {
  try {
    return Evaluator(pool, values).integer(node);
  } catch (const OverflowError& error) {
    throw RddlError(pool.place(node), error.what());
  }
}

Rational evaluate_rational(const NodePool& pool, NodeId node, std::span<const std::int64_t> values) {
  try {
    return Evaluator(pool, values).rational(node);
  } catch (const OverflowError& error) {
    throw RddlError(pool.place(node), error.what());
  }
}

}  // namespace bnnplan

// Evaluation of ground expressions, straight down the tree. Integers and Booleans, which is nearly
// everything, are evaluated in checked 64-bit arithmetic; only below a real (a division, a real non-fluent)
// does it switch to exact fractions, and below a floating node to doubles, and back at the comparison above.
// The parameters of a distribution are always doubles, because they are compared with a random double. The
// order in which operands are evaluated determines what a seed draws: first to last, except that of two
// operands with different roles (x / y, x mod y, pow[x, y], functions) the second is evaluated first.
#include "bnnplan/rddl/ground/evaluate.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "bnnplan/base/checked.hpp"
#include "bnnplan/rddl/ground/draw.hpp"

namespace bnnplan::rddl {

namespace {

class Evaluator {
 public:
  Evaluator(const NodePool& pool, std::span<const std::int64_t> values, SimulationRandom* random)
      : pool_(pool), values_(values), random_(random) {}

  std::int64_t integer(NodeId id) const {
    const Node& node = pool_[id];
    if (node.kind >= NodeKind::real) throw OverflowError();  // a number in the RDDL text that does not fit
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
      case NodeOperation::ceiling:
      case NodeOperation::round:
        return whole(node.operation, operands[0]);
      case NodeOperation::sign:
        return sign(operands[0]);
      case NodeOperation::power: {
        const std::int64_t exponent = integer(operands[1]);
        return integer_power(integer(operands[0]), exponent);
      }
      case NodeOperation::modulo: {
        const std::int64_t by = divisor(id, operands[1]);
        return floor_modulo(integer(operands[0]), by);
      }
      case NodeOperation::integer_division: {
        const std::int64_t by = divisor(id, operands[1]);
        return floor_divide(integer(operands[0]), by);
      }
      case NodeOperation::choose:
        return integer(chosen(operands));
      case NodeOperation::select:
        return integer(selected(operands));
      case NodeOperation::argument_of_minimum:
      case NodeOperation::argument_of_maximum:
        return argument_of(node.operation, operands);
      case NodeOperation::random:
        return static_cast<std::int64_t>(drawn(id));
      case NodeOperation::divide:
      case NodeOperation::math:
        break;
    }
    throw std::logic_error("an operation that has no integer value");
  }

  Rational rational(NodeId id) const {
    const Node& node = pool_[id];
    if (node.kind < NodeKind::real) return make_rational(integer(id));
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
      case NodeOperation::power: {
        Rational product = make_rational(1);
        const Rational base = rational(operands[0]);
        for (std::int64_t i = integer(operands[1]); i > 0; --i) product = product * base;
        return product;
      }
      case NodeOperation::choose:
        return rational(chosen(operands));
      case NodeOperation::select:
        return rational(selected(operands));
      default:
        break;
    }
    throw std::logic_error("an operation that has no rational value");
  }

  double real(NodeId id) const {
    const Node& node = pool_[id];
    if (node.kind == NodeKind::boolean || node.kind == NodeKind::integer)
      return static_cast<double>(integer(id));
    const auto operands = pool_.operands(id);
    switch (node.operation) {
      case NodeOperation::constant:
        return node.floating;
      case NodeOperation::variable:
        return real_of_value(values_[node.first]);
      case NodeOperation::add: {
        double sum = 0;
        for (const NodeId operand : operands) sum += real(operand);
        return sum;
      }
      case NodeOperation::multiply: {
        double product = 1;
        for (const NodeId operand : operands) product *= real(operand);
        return product;
      }
      case NodeOperation::divide: {
        const double denominator = real(operands[1]);
        if (denominator == 0) throw RddlError(pool_.place(id), "division by zero");
        return real(operands[0]) / denominator;
      }
      case NodeOperation::minimum:
      case NodeOperation::maximum: {
        double best = real(operands[0]);
        for (const NodeId operand : operands.subspan(1)) {
          const double value = real(operand);
          if (node.operation == NodeOperation::minimum ? value < best : value > best) best = value;
        }
        return best;
      }
      case NodeOperation::absolute:
        return std::abs(real(operands[0]));
      case NodeOperation::power: {
        const double exponent = real(operands[1]);
        return std::pow(real(operands[0]), exponent);
      }
      case NodeOperation::math: {
        const double second = operands.size() > 1 ? real(operands[1]) : 0;
        return entry_of(node.function).value(real(operands[0]), second);
      }
      case NodeOperation::choose:
        return real(chosen(operands));
      case NodeOperation::select:
        return real(selected(operands));
      case NodeOperation::random:
        return drawn(id);
      default:
        break;
    }
    throw std::logic_error("an operation that has no real value");
  }

 private:
  bool is_floating(NodeId id) const { return pool_[id].kind == NodeKind::floating; }

  std::int64_t whole(NodeOperation operation, NodeId operand) const {
    if (!is_floating(operand)) {
      const Rational value = rational(operand);
      return operation == NodeOperation::floor     ? floor(value)
             : operation == NodeOperation::ceiling ? ceiling(value)
                                                   : rounded(value);
    }
    const double value = real(operand);
    const double whole = operation == NodeOperation::floor     ? std::floor(value)
                         : operation == NodeOperation::ceiling ? std::ceil(value)
                                                               : std::nearbyint(value);
    if (!(std::abs(whole) < 0x1p63)) throw OverflowError();
    return static_cast<std::int64_t>(whole);
  }

  std::int64_t sign(NodeId operand) const {
    if (is_floating(operand)) {
      const double value = real(operand);
      return value > 0 ? 1 : value < 0 ? -1 : 0;
    }
    const std::int64_t value = rational(operand).numerator;
    return value > 0 ? 1 : value < 0 ? -1 : 0;
  }

  static std::int64_t integer_power(std::int64_t base, std::int64_t exponent) {
    if (exponent < 0) throw OverflowError();
    std::int64_t product = 1;
    for (; exponent > 0 && product != 0; --exponent) {
      if (base == 1) break;
      product = checked_multiply(product, base);
    }
    return product;
  }

  std::int64_t argument_of(NodeOperation operation, std::span<const NodeId> operands) const {
    const bool least = operation == NodeOperation::argument_of_minimum;
    const bool floating =
        std::any_of(operands.begin(), operands.end(), [&](NodeId id) { return is_floating(id); });
    const auto best = [&](auto value_of) {
      std::size_t index = 0;
      auto value = value_of(operands[0]);
      for (std::size_t i = 1; i < operands.size(); ++i) {
        const auto other = value_of(operands[i]);
        if (least ? other < value : other > value) {
          index = i;
          value = other;
        }
      }
      return static_cast<std::int64_t>(index);
    };
    return floating ? best([&](NodeId id) { return real(id); })
                    : best([&](NodeId id) { return rational(id); });
  }

  double drawn(NodeId id) const {
    if (random_ == nullptr) throw std::logic_error("a distribution without a source of random numbers");
    double parameters[2] = {0, 0};
    const auto operands = pool_.operands(id);
    const Distribution distribution = pool_[id].distribution;
    try {
      if (entry_of(distribution).gives == DrawnKind::object) {
        std::vector<double> weights;
        for (const NodeId operand : operands) weights.push_back(real(operand));
        return static_cast<double>(
            draw_index(weights, distribution == Distribution::unnormalized_discrete, *random_));
      }
      for (std::size_t i = 0; i < operands.size(); ++i) parameters[i] = real(operands[i]);
      return draw(distribution, parameters[0], parameters[1], *random_);
    } catch (const DistributionError& error) {
      throw RddlError(pool_.place(id), error.what());
    }
  }

  NodeId selected(std::span<const NodeId> operands) const {
    const std::int64_t index = integer(operands[0]);
    if (index < 0 || index + 1 >= static_cast<std::int64_t>(operands.size())) throw OverflowError();
    return operands[static_cast<std::size_t>(index) + 1];
  }

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
    if (pool_[operands[0]].kind < NodeKind::real && pool_[operands[1]].kind < NodeKind::real) {
      const std::int64_t a = integer(operands[0]), b = integer(operands[1]);
      return operation == NodeOperation::equal ? a == b : operation == NodeOperation::less ? a < b : a <= b;
    }
    if (is_floating(operands[0]) || is_floating(operands[1])) {
      const double a = real(operands[0]), b = real(operands[1]);
      return operation == NodeOperation::equal ? a == b : operation == NodeOperation::less ? a < b : a <= b;
    }
    const Rational a = rational(operands[0]), b = rational(operands[1]);
    return operation == NodeOperation::equal ? a == b : operation == NodeOperation::less ? a < b : a <= b;
  }

  const NodePool& pool_;
  std::span<const std::int64_t> values_;
  SimulationRandom* random_;
};

template <class Evaluate>
auto with_place(const NodePool& pool, NodeId node, Evaluate evaluate) {
  try {
    return evaluate();
  } catch (const OverflowError& error) {
    throw RddlError(pool.place(node), error.what());
  }
}

}  // namespace

std::int64_t evaluate_integer(const NodePool& pool, NodeId node, std::span<const std::int64_t> values,
                              SimulationRandom* random) {
  return with_place(pool, node, [&] { return Evaluator(pool, values, random).integer(node); });
}

Rational evaluate_rational(const NodePool& pool, NodeId node, std::span<const std::int64_t> values,
                           SimulationRandom* random) {
  return with_place(pool, node, [&] { return Evaluator(pool, values, random).rational(node); });
}

double evaluate_real(const NodePool& pool, NodeId node, std::span<const std::int64_t> values,
                     SimulationRandom* random) {
  return with_place(pool, node, [&] { return Evaluator(pool, values, random).real(node); });
}

std::int64_t evaluate_integer_unplaced(const NodePool& pool, NodeId node,
                                       std::span<const std::int64_t> values, SimulationRandom* random) {
  return Evaluator(pool, values, random).integer(node);
}

double evaluate_real_unplaced(const NodePool& pool, NodeId node, std::span<const std::int64_t> values,
                              SimulationRandom* random) {
  return Evaluator(pool, values, random).real(node);
}

}  // namespace bnnplan::rddl

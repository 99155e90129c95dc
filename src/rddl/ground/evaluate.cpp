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

std::int64_t sum_of(std::int64_t a, std::int64_t b) { return checked_add(a, b); }
Rational sum_of(const Rational& a, const Rational& b) { return a + b; }
double sum_of(double a, double b) { return a + b; }

std::int64_t product_of(std::int64_t a, std::int64_t b) { return checked_multiply(a, b); }
Rational product_of(const Rational& a, const Rational& b) { return a * b; }
double product_of(double a, double b) { return a * b; }

std::int64_t magnitude_of(std::int64_t a) { return checked_magnitude(a); }
Rational magnitude_of(const Rational& a) { return a < Rational{} ? Rational{} - a : a; }
double magnitude_of(double a) { return std::abs(a); }

int whole_sign(double a) { return a > 0 ? 1 : a < 0 ? -1 : 0; }

class Evaluator {
 public:
  Evaluator(const NodePool& pool, std::span<const std::int64_t> values, SimulationRandom* random)
      : pool_(pool), values_(values), random_(random) {}

  std::int64_t integer(NodeId id) const {
    const Node& node = pool_[id];
    if (node.kind >= NodeKind::real) throw OverflowError();  // a number in the RDDL text that does not fit
    const auto operands = pool_.operands(id);
    switch (node.operation) {
      case Operation::constant:
        return node.number.numerator;
      case Operation::variable:
        return values_[node.first];
      case Operation::logical_not:
        return integer(operands[0]) == 0 ? 1 : 0;
      case Operation::logical_and:
        for (const NodeId operand : operands) {
          if (integer(operand) == 0) return 0;
        }
        return 1;
      case Operation::logical_or:
        for (const NodeId operand : operands) {
          if (integer(operand) != 0) return 1;
        }
        return 0;
      case Operation::equal:
      case Operation::less:
      case Operation::at_most:
        return compare(node.operation, operands) ? 1 : 0;
      case Operation::floor:
      case Operation::ceiling:
      case Operation::round:
        return whole(node.operation, operands[0]);
      case Operation::sign:
        if (!is_floating(operands[0])) return sign(rational(operands[0]));
        return whole_sign(real(operands[0]));
      case Operation::power: {
        const std::int64_t exponent = integer(operands[1]);
        return checked_power(integer(operands[0]), exponent);
      }
      case Operation::modulo: {
        const std::int64_t by = divisor<std::int64_t>(id);
        return floor_modulo(integer(operands[0]), by);
      }
      case Operation::integer_division: {
        const std::int64_t by = divisor<std::int64_t>(id);
        return floor_divide(integer(operands[0]), by);
      }
      case Operation::argument_of_minimum:
      case Operation::argument_of_maximum:
        return argument_of(node.operation, operands);
      case Operation::random:
        return static_cast<std::int64_t>(drawn(id));
      default:
        return arithmetic<std::int64_t>(id);
    }
  }

  Rational rational(NodeId id) const {
    const Node& node = pool_[id];
    if (node.kind < NodeKind::real) return make_rational(integer(id));
    const auto operands = pool_.operands(id);
    switch (node.operation) {
      case Operation::constant:
        return node.number;
      case Operation::divide: {
        const Rational denominator = divisor<Rational>(id);
        return rational(operands[0]) / denominator;
      }
      case Operation::power: {
        Rational product = make_rational(1);
        const Rational base = rational(operands[0]);
        for (std::int64_t i = integer(operands[1]); i > 0; --i) product = product * base;
        return product;
      }
      default:
        return arithmetic<Rational>(id);
    }
  }

  double real(NodeId id) const {
    const Node& node = pool_[id];
    if (node.kind < NodeKind::real) return static_cast<double>(integer(id));
    const auto operands = pool_.operands(id);
    switch (node.operation) {
      case Operation::constant:
        return node.floating;
      case Operation::variable:
        return real_of_value(values_[node.first]);
      case Operation::divide: {
        const double denominator = divisor<double>(id);
        return real(operands[0]) / denominator;
      }
      case Operation::power: {
        const double exponent = real(operands[1]);
        return std::pow(real(operands[0]), exponent);
      }
      case Operation::math: {
        const double second = operands.size() > 1 ? real(operands[1]) : 0;
        return entry_of(node.function).value(real(operands[0]), second);
      }
      case Operation::random:
        return drawn(id);
      default:
        return arithmetic<double>(id);
    }
  }

 private:
  bool is_floating(NodeId id) const { return pool_[id].kind == NodeKind::floating; }

  template <class Value>
  Value value(NodeId id) const {
    if constexpr (std::is_same_v<Value, std::int64_t>) return integer(id);
    if constexpr (std::is_same_v<Value, Rational>) return rational(id);
    if constexpr (std::is_same_v<Value, double>) return real(id);
  }

  // The operations that are the same for integers, fractions and doubles.
  template <class Value>
  Value arithmetic(NodeId id) const {
    const Operation operation = pool_[id].operation;
    const auto operands = pool_.operands(id);
    switch (operation) {
      case Operation::add: {
        Value sum{};
        for (const NodeId operand : operands) sum = sum_of(sum, value<Value>(operand));
        return sum;
      }
      case Operation::multiply: {
        Value product{1};
        for (const NodeId operand : operands) product = product_of(product, value<Value>(operand));
        return product;
      }
      case Operation::minimum:
      case Operation::maximum: {
        Value best = value<Value>(operands[0]);
        for (const NodeId operand : operands.subspan(1)) {
          const Value other = value<Value>(operand);
          if (operation == Operation::minimum ? other < best : other > best) best = other;
        }
        return best;
      }
      case Operation::absolute:
        return magnitude_of(value<Value>(operands[0]));
      case Operation::choose: {
        std::size_t i = 0;
        while (i + 1 < operands.size() && integer(operands[i]) == 0) i += 2;
        return value<Value>(operands[i + 1 < operands.size() ? i + 1 : i]);
      }
      case Operation::select: {
        const std::int64_t index = integer(operands[0]);
        if (index < 0 || index + 1 >= static_cast<std::int64_t>(operands.size())) throw OverflowError();
        return value<Value>(operands[static_cast<std::size_t>(index) + 1]);
      }
      default:
        throw std::logic_error("an operation that has no value of this kind");
    }
  }

  // The second operand, which must not be 0.
  template <class Value>
  Value divisor(NodeId id) const {
    const Value result = value<Value>(pool_.operands(id)[1]);
    if (result == Value{}) throw RddlError(pool_.place(id), "division by zero");
    return result;
  }

  std::int64_t whole(Operation operation, NodeId operand) const {
    if (!is_floating(operand)) {
      const Rational value = rational(operand);
      return operation == Operation::floor     ? floor(value)
             : operation == Operation::ceiling ? ceiling(value)
                                               : rounded(value);
    }
    const double value = real(operand);
    const double whole = operation == Operation::floor     ? std::floor(value)
                         : operation == Operation::ceiling ? std::ceil(value)
                                                           : std::nearbyint(value);
    if (!(std::abs(whole) < 0x1p63)) throw OverflowError();
    return static_cast<std::int64_t>(whole);
  }

  std::int64_t argument_of(Operation operation, std::span<const NodeId> operands) const {
    const bool least = operation == Operation::argument_of_minimum;
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
      if (entry_of(distribution).gives == ValueKind::object) {
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

  bool compare(Operation operation, std::span<const NodeId> operands) const {
    const auto compared = [&](const auto& a, const auto& b) {
      return operation == Operation::equal ? a == b : operation == Operation::less ? a < b : a <= b;
    };
    const NodeKind kind = std::max(pool_[operands[0]].kind, pool_[operands[1]].kind);
    if (kind < NodeKind::real) {
      const std::int64_t a = integer(operands[0]), b = integer(operands[1]);
      return compared(a, b);
    }
    if (kind == NodeKind::floating) {
      const double a = real(operands[0]), b = real(operands[1]);
      return compared(a, b);
    }
    const Rational a = rational(operands[0]), b = rational(operands[1]);
    return compared(a, b);
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

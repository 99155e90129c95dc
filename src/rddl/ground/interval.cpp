// Interval evaluation: what follows about an expression when only the ranges of its variables are known. It
// prunes the enumeration of legal states (with two cells occupied, "exactly one" is false whatever the rest
// is), detects illegal rows of a transition table, and bounds intermediate integers to determine their bits.
#include <algorithm>

#include "bnnplan/base/checked.hpp"
#include "bnnplan/rddl/ground/evaluate.hpp"

namespace bnnplan::rddl {

namespace {

class IntervalEvaluator {
 public:
  IntervalEvaluator(const NodePool& pool, std::span<const Interval> slots) : pool_(pool), slots_(slots) {}

  Interval evaluate(NodeId id) const {
    const Node& node = pool_[id];
    Interval result = unknown_;
    try {
      result = compute(id, node);
    } catch (const OverflowError&) {
      result = unknown_;
    }
    if (!result.known && node.kind == NodeKind::boolean) return truth(true, true);
    return result;
  }

 private:
  static Interval truth(bool may_be_false, bool may_be_true) {
    return interval_of(may_be_false ? 0 : 1, may_be_true ? 1 : 0);
  }

  Interval compute(NodeId id, const Node& node) const {
    const auto operands = pool_.operands(id);
    switch (node.operation) {
      case Operation::constant:
        if (node.kind == NodeKind::floating) return unknown_;
        return {true, node.number, node.number};
      case Operation::variable:
        return slots_[node.first];
      case Operation::logical_not: {
        const Interval value = evaluate(operands[0]);
        return {true, make_rational(1) - value.high, make_rational(1) - value.low};
      }
      case Operation::logical_and:
      case Operation::logical_or:
        return logical(node.operation == Operation::logical_and, operands);
      case Operation::equal:
      case Operation::less:
      case Operation::at_most:
        return comparison(node.operation, operands);
      case Operation::add:
        return fold(operands, [](const Interval& a, const Interval& b) {
          return Interval{true, a.low + b.low, a.high + b.high};
        });
      case Operation::multiply:
        return fold(operands, product);
      case Operation::minimum:
        return fold(operands, [](const Interval& a, const Interval& b) {
          return Interval{true, std::min(a.low, b.low), std::min(a.high, b.high)};
        });
      case Operation::maximum:
        return fold(operands, [](const Interval& a, const Interval& b) {
          return Interval{true, std::max(a.low, b.low), std::max(a.high, b.high)};
        });
      case Operation::choose:
        return choice(operands);
      case Operation::select:
        return selection(operands);
      case Operation::argument_of_minimum:
      case Operation::argument_of_maximum:
        return numbers_below(operands.size());
      case Operation::random:
        return entry_of(node.distribution).gives == ValueKind::object ? numbers_below(operands.size())
                                                                      : unknown_;
      case Operation::math:
        return unknown_;
      case Operation::power:
        return power(operands);
      default:
        return function(node.operation, operands);
    }
  }

  Interval logical(bool conjunction, std::span<const NodeId> operands) const {
    Interval result = truth(!conjunction, conjunction);
    for (const NodeId operand : operands) {
      const Interval value = evaluate(operand);
      result.low = conjunction ? std::min(result.low, value.low) : std::max(result.low, value.low);
      result.high = conjunction ? std::min(result.high, value.high) : std::max(result.high, value.high);
      if (conjunction ? result.high == Rational{} : result.low != Rational{}) break;
    }
    return result;
  }

  Interval comparison(Operation operation, std::span<const NodeId> operands) const {
    const Interval a = evaluate(operands[0]), b = evaluate(operands[1]);
    if (!a.known || !b.known) return truth(true, true);
    switch (operation) {
      case Operation::equal:
        return truth(!(a.is_point() && b.is_point() && a.low == b.low), a.low <= b.high && b.low <= a.high);
      case Operation::less:
        return truth(a.high >= b.low, a.low < b.high);
      default:
        return truth(a.high > b.low, a.low <= b.high);
    }
  }

  template <class Combine>
  Interval fold(std::span<const NodeId> operands, Combine combine) const {
    Interval result = evaluate(operands[0]);
    for (const NodeId operand : operands.subspan(1)) {
      if (!result.known) break;
      const Interval value = evaluate(operand);
      result = value.known ? combine(result, value) : value;
    }
    return result;
  }

  static Interval product(const Interval& a, const Interval& b) {
    const auto [low, high] = std::minmax({a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high});
    return {true, low, high};
  }

  // The smallest interval that contains several.
  struct Hull {
    bool any = false;
    Interval result = unknown_;

    void include(const Interval& value) {
      if (!any) {
        result = value;
      } else if (!value.known || !result.known) {
        result = unknown_;
      } else {
        result = {true, std::min(result.low, value.low), std::max(result.high, value.high)};
      }
      any = true;
    }
  };

  static Interval numbers_below(std::size_t count) {
    return interval_of(0, static_cast<std::int64_t>(count) - 1);
  }

  Interval selection(std::span<const NodeId> operands) const {
    const Interval index = evaluate(operands[0]);
    Hull hull;
    for (std::size_t i = 1; i < operands.size(); ++i) {
      const Rational number = make_rational(static_cast<std::int64_t>(i) - 1);
      if (!index.known || (index.low <= number && number <= index.high)) hull.include(evaluate(operands[i]));
    }
    return hull.result;
  }

  Interval power(std::span<const NodeId> operands) const {
    const Interval base = evaluate(operands[0]), exponent = evaluate(operands[1]);
    if (!base.known || !exponent.is_point() || !is_integer(exponent.low) || exponent.low < Rational{} ||
        exponent.low.numerator > 64)
      return unknown_;
    Interval result = point_interval(1);
    for (std::int64_t i = 0; i < exponent.low.numerator; ++i) result = product(result, base);
    if (exponent.low.numerator % 2 == 0) result.low = std::max(result.low, Rational{});
    return result;
  }

  Interval choice(std::span<const NodeId> operands) const {
    Hull hull;
    for (std::size_t i = 0; i + 1 < operands.size(); i += 2) {
      const Interval condition = evaluate(operands[i]);
      if (condition.high != Rational{}) hull.include(evaluate(operands[i + 1]));
      if (condition.low != Rational{}) return hull.result;
    }
    hull.include(evaluate(operands.back()));
    return hull.result;
  }

  Interval function(Operation operation, std::span<const NodeId> operands) const {
    const Interval a = evaluate(operands[0]);
    if (!a.known) return a;
    if (operation == Operation::floor) return interval_of(floor(a.low), floor(a.high));
    if (operation == Operation::ceiling) return interval_of(ceiling(a.low), ceiling(a.high));
    if (operation == Operation::round) return interval_of(rounded(a.low), rounded(a.high));
    if (operation == Operation::sign) return interval_of(sign(a.low), sign(a.high));
    if (operation == Operation::absolute) {
      const Rational low = Rational{} - a.low, zero;
      return {true, std::max({zero, a.low, Rational{} - a.high}), std::max(low, a.high)};
    }
    const Interval b = evaluate(operands[1]);
    if (!b.known || (b.low <= Rational{} && b.high >= Rational{})) return unknown_;
    if (operation == Operation::divide) {
      return product(a, {true, make_rational(1) / b.high, make_rational(1) / b.low});
    }
    if (!b.is_point()) return unknown_;
    const std::int64_t divisor = b.low.numerator, first = a.low.numerator, last = a.high.numerator;
    const auto [low, high] = std::minmax({floor_divide(first, divisor), floor_divide(last, divisor)});
    if (operation == Operation::integer_division) return interval_of(low, high);
    // A remainder has the sign of the divisor, and grows with the dividend while the quotient stays the same.
    if (low == high) return interval_of(floor_modulo(first, divisor), floor_modulo(last, divisor));
    return divisor > 0 ? interval_of(0, divisor - 1) : interval_of(divisor + 1, 0);
  }

  static constexpr Interval unknown_{false, {}, {}};
  const NodePool& pool_;
  std::span<const Interval> slots_;
};

}  // namespace

Interval scaled(const Interval& range, const Rational& factor) {
  const Rational low = range.low * factor, high = range.high * factor;
  return {range.known, std::min(low, high), std::max(low, high)};
}

Interval evaluate_interval(const NodePool& pool, NodeId node, std::span<const Interval> slots) {
  return IntervalEvaluator(pool, slots).evaluate(node);
}

}  // namespace bnnplan::rddl

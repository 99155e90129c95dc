#pragma once

#include <cstdint>
#include <span>

#include "rddl/ground/node_pool.hpp"

namespace bnnplan {

// The value of a ground expression for a value vector. Operands that do not matter are not evaluated: the
// branches of an if that are not taken, whatever follows the operand that decides an and or an or.
// Throws RddlError at a division by zero and where a number does not fit into 64 bits.
std::int64_t evaluate_integer(const NodePool& pool, NodeId node, std::span<const std::int64_t> values);
Rational evaluate_rational(const NodePool& pool, NodeId node, std::span<const std::int64_t> values);

// The first requires a node of kind boolean or integer; Booleans are 0 and 1.
inline bool evaluate_truth(const NodePool& pool, NodeId node, std::span<const std::int64_t> values) {
  return evaluate_integer(pool, node, values) != 0;
}

// What is known of a value: between low and high, or nothing.
struct Interval {
  bool known = true;
  Rational low, high;

  bool is_point() const { return known && low == high; }
};

inline Interval point_interval(std::int64_t value) {
  return {true, make_rational(value), make_rational(value)};
}

// An interval that contains the value of the expression for all values of the slots within their intervals.
// Exact if all slots are points; otherwise it may be too wide, never too narrow. Never throws: what cannot be
// said is unknown (for Booleans: from 0 to 1).
Interval evaluate_interval(const NodePool& pool, NodeId node, std::span<const Interval> slots);

// Whether a Boolean expression is false whatever the slots are within their intervals.
inline bool surely_false(const NodePool& pool, NodeId node, std::span<const Interval> slots) {
  const Interval value = evaluate_interval(pool, node, slots);
  return value.known && value.high == Rational{};
}

inline bool surely_true(const NodePool& pool, NodeId node, std::span<const Interval> slots) {
  const Interval value = evaluate_interval(pool, node, slots);
  return value.known && value.low != Rational{};
}

}  // namespace bnnplan

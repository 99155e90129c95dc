#pragma once

#include <bit>
#include <cstdint>
#include <span>

#include "bnnplan/base/random.hpp"
#include "bnnplan/rddl/ground/node_pool.hpp"

namespace bnnplan::rddl {

// A value vector has 64 bits for each variable: an integer, or the bits of the double that a real fluent
// holds.
inline std::int64_t value_of_real(double real) { return std::bit_cast<std::int64_t>(real); }
inline double real_of_value(std::int64_t value) { return std::bit_cast<double>(value); }

// The value of a ground expression for a value vector. Operands that do not matter are not evaluated: the
// branches of an if that are not taken, and everything after the operand that decides an and or an or.
// Distributions draw from `random`, which must be given if the expression contains any. Throws RddlError at a
// division by zero, for a number that does not fit into 64 bits, and for parameters that a distribution does
// not allow.
std::int64_t evaluate_integer(const NodePool& pool, NodeId node, std::span<const std::int64_t> values,
                              SimulationRandom* random = nullptr);
Rational evaluate_rational(const NodePool& pool, NodeId node, std::span<const std::int64_t> values,
                           SimulationRandom* random = nullptr);
double evaluate_real(const NodePool& pool, NodeId node, std::span<const std::int64_t> values,
                     SimulationRandom* random = nullptr);

// Booleans are 0 and 1. Integers require a node of kind boolean or integer, fractions any but a floating one.
inline bool evaluate_truth(const NodePool& pool, NodeId node, std::span<const std::int64_t> values) {
  return evaluate_integer(pool, node, values) != 0;
}

// As above, for callers that know the place of a number that does not fit: these throw OverflowError instead.
std::int64_t evaluate_integer_unplaced(const NodePool& pool, NodeId node,
                                       std::span<const std::int64_t> values, SimulationRandom* random);
double evaluate_real_unplaced(const NodePool& pool, NodeId node, std::span<const std::int64_t> values,
                              SimulationRandom* random);

// What is known of a value: that it is between low and high, or nothing.
struct Interval {
  bool known = true;
  Rational low, high;

  bool is_point() const { return known && low == high; }
};

inline Interval interval_of(std::int64_t low, std::int64_t high) {
  return {true, make_rational(low), make_rational(high)};
}
inline Interval point_interval(std::int64_t value) { return interval_of(value, value); }

// Of `factor` times a value within the interval.
Interval scaled(const Interval& range, const Rational& factor);

// An interval that contains the value of the expression for all values of the slots within their intervals.
// Exact if all slots are points; otherwise it may be too wide, never too narrow. Never throws: an interval
// that cannot be determined is unknown (for Booleans: from 0 to 1).
Interval evaluate_interval(const NodePool& pool, NodeId node, std::span<const Interval> slots);

// Whether a Boolean expression is false for all values of the slots within their intervals.
inline bool surely_false(const NodePool& pool, NodeId node, std::span<const Interval> slots) {
  const Interval value = evaluate_interval(pool, node, slots);
  return value.known && value.high == Rational{};
}

inline bool surely_true(const NodePool& pool, NodeId node, std::span<const Interval> slots) {
  const Interval value = evaluate_interval(pool, node, slots);
  return value.known && value.low != Rational{};
}

}  // namespace bnnplan::rddl

#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "bnnplan/problem/problem.hpp"
#include "bnnplan/rddl/ground/evaluate.hpp"
#include "bnnplan/rddl/ground/ground.hpp"

namespace bnnplan::rddl {

// Bit counts that the user gives for integers, by the name of a fluent or of a ground variable.
struct BitCount {
  BitCount(int count = 1, bool with_sign = false) : bits(count), is_signed(with_sign) {}
  int bits;
  bool is_signed;  // in two's complement; otherwise only if the initial value or a bound is negative
};
using GivenBits = std::map<std::string, BitCount>;

// From texts NAME=N, or NAME=Ns for signed ones. Throws InputError.
GivenBits parse_given_bits(const std::vector<std::string>& arguments);

// Ranges that the user gives for integers and reals, by the same names. From texts NAME=LOW..HIGH.
struct GivenRange {
  Rational low, high;
};
using GivenRanges = std::map<std::string, GivenRange>;
GivenRanges parse_given_ranges(const std::vector<std::string>& arguments);

// The variables of a model as bits.
struct BitLayout {
  VariableList state, action;
  std::vector<Interval> ranges;  // per slot; unknown for intermediate fluents until they are bounded
};

// A Boolean is one bit, an object of n values the bits of n - 1. The range of an integer is what constraints
// and invariants of the form  number * x <= number  state (both ends are needed), and it gets the bits that
// this range needs, in two's complement if it may be negative; or it gets the bits that the user gives.
// Throws InputError, also for given names that are not integers of the model.
// With `reachable_steps`, integers that nothing bounds get the range reachable within that number of steps. A
// given range is a bound like those of constraints; a step that leaves it is then impossible.
BitLayout make_bit_layout(const GroundModel& model, const GivenBits& given, int reachable_steps = 0,
                          const GivenRanges& ranges = {});

// Only the ranges of state and action variables; unknown for reals and for integers that nothing bounds.
BitLayout make_known_ranges(const GroundModel& model);

// The variable for one intermediate variable whose values are within `range`. Sets layout.ranges of its slot.
Variable intermediate_variable(const GroundModel& model, const GivenBits& given, std::uint32_t slot,
                               const Interval& range, BitLayout& layout);

// A variable that holds all integers of a range. Throws InputError (without a place) if it needs more than
// most_variable_bits.
Variable variable_for_range(const std::string& name, std::int64_t low, std::int64_t high);

// The smallest and largest value that fits into the bits of a variable.
std::int64_t lowest_value(const Variable& variable);
std::int64_t highest_value(const Variable& variable);

// Appends the bits of the values, least significant first. Throws InputError if a value does not fit.
void append_bits(const VariableList& variables, std::span<const std::int64_t> values, BitValues& bits);

}  // namespace bnnplan::rddl

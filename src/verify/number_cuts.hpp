#pragma once

#include <optional>

#include <gmpxx.h>

#include "bnnplan/network/network.hpp"

namespace bnnplan::verification {

// A position on the number line: x >= value, or x > value if open. Ordered by implication.
struct Cut {
  mpq_class value;
  bool open = false;

  friend bool operator==(const Cut&, const Cut&) = default;
  friend bool operator<(const Cut& a, const Cut& b) {
    return a.value != b.value ? a.value < b.value : !a.open && b.open;
  }
};

// What a number may be: beyond `lower` and not beyond `upper`, if given; and, unless it may be anything in
// between, one of low, low + step, ...
struct NumberRange {
  std::optional<Cut> lower, upper;
  std::optional<NumericInput> grid;

  // The same cut on the grid, where a cut is always at one of the grid's numbers.
  Cut on_grid(const Cut& cut) const;
  void raise(const Cut& cut);     // x is beyond it
  void lower_to(const Cut& cut);  // x is not beyond it
  bool is_empty() const { return lower && upper && !(*lower < *upper); }

  // Whether every number of the range is beyond the cut, or none is.
  bool always(const Cut& cut) const { return lower && !(*lower < cut); }
  bool never(const Cut& cut) const { return upper && !(cut < *upper); }

  // A number beyond one and not beyond the other. Requires that there is one. For numbers that are not on a
  // grid, one in the middle that a 32-bit float holds, or else a 64-bit one, if there is one; with only one
  // end, a decimal number.
  mpq_class number_between(const std::optional<Cut>& from, const std::optional<Cut>& to) const;
};

// The range of a network's input, as the network declares it; `any_number`: numbers may be anything.
NumberRange range_of_input(const Network& network, std::size_t input, bool any_number);
Cut threshold_cut(const Network& network, std::size_t input);

}  // namespace bnnplan::verification

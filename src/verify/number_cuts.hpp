#pragma once

#include <optional>

#include <gmpxx.h>

#include "network/network.hpp"

namespace bnnplan {

// A place on the line of a number: x >= value, or x > value if open. Ordered as such conditions imply each other.
struct Cut {
  mpq_class value;
  bool open = false;

  friend bool operator==(const Cut&, const Cut&) = default;
  friend bool operator<(const Cut& a, const Cut& b) {
    return a.value != b.value ? a.value < b.value : !a.open && b.open;
  }
};

// What a number may be: it is beyond `lower` and not beyond `upper`, where these are given; and, unless it may be
// anything in between, one of low, low + step, ...
struct NumberRange {
  std::optional<Cut> lower, upper;
  std::optional<NumericInput> grid;

  // The same cut on the grid, where it is always at one of its numbers.
  Cut on_grid(const Cut& cut) const;
  void raise(const Cut& cut);     // x is beyond it
  void lower_to(const Cut& cut);  // x is not beyond it
  bool is_empty() const { return lower && upper && !(*lower < *upper); }

  // Whether the cut is behind every number of the range, or before none.
  bool always(const Cut& cut) const { return lower && !(*lower < cut); }
  bool never(const Cut& cut) const { return upper && !(cut < *upper); }

  // A number beyond one and not beyond the other. Requires that there is one. Of numbers that are not on a grid, one that a
  // 32-bit float holds, or else a 64-bit one, if there is one in the middle; where there is one end only, a decimal number.
  mpq_class number_between(const std::optional<Cut>& from, const std::optional<Cut>& to) const;
};

// An input of a network, by what the network says; `any_number`: numbers may be anything.
NumberRange range_of_input(const Network& network, std::size_t input, bool any_number);
Cut threshold_cut(const Network& network, std::size_t input);

}  // namespace bnnplan

#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "bnnplan/base/bit_value.hpp"
#include "bnnplan/base/linear_row.hpp"

namespace bnnplan {

// The kind of a bit of one planning step. `next` is the state after the step (written x').
enum class Place : std::uint8_t { action, state, auxiliary, next };

// One bit of one step: bit `index` of all action (state, auxiliary) bits in declaration order, the bits of an
// integer starting with the least significant.
struct Bit {
  Place place = Place::action;
  std::uint32_t index = 0;
  friend auto operator<=>(const Bit&, const Bit&) = default;
};

struct Term {
  std::int64_t coefficient = 0;  // never 0
  Bit bit;
  friend bool operator==(const Term&, const Term&) = default;
};

// sum coefficient * bit  <=, >= or ==  bound, over bits that are 0 or 1. Normal form: integers (decimals
// scaled, strict comparisons moved by one), negated literals and integer variables expanded, every bit at
// most once, sorted. The sum of all magnitudes and the bound fits into 62 bits, so evaluation cannot
// overflow.
struct LinearConstraint {
  std::vector<Term> terms;
  Comparison comparison = Comparison::at_least;
  std::int64_t bound = 0;
  std::string text;  // as in the file, for messages and for writing it back

  friend bool operator==(const LinearConstraint&, const LinearConstraint&) = default;
};

// The values of one step, one 0 or 1 per bit. A span may be empty if a constraint has no bit of that place.
struct StepValues {
  std::span<const BitValue> action, state, auxiliary, next;

  BitValue operator[](Bit bit) const {
    switch (bit.place) {
      case Place::action:
        return action[bit.index];
      case Place::state:
        return state[bit.index];
      case Place::auxiliary:
        return auxiliary[bit.index];
      case Place::next:
        return next[bit.index];
    }
    __builtin_unreachable();
  }
};

std::int64_t evaluate(std::span<const Term> terms, const StepValues& values);
bool holds(const LinearConstraint& constraint, const StepValues& values);
bool compare(std::int64_t value, Comparison comparison, std::int64_t bound);

}  // namespace bnnplan

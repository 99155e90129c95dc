#pragma once

#include <compare>
#include <cstdint>

namespace bnnplan {

// A variable of a 0-1 model or of a formula, numbered from 0.
struct Var {
  std::uint32_t index = 0;
  friend auto operator<=>(const Var&, const Var&) = default;
};

// A variable or its negation, stored as 2 * variable + sign, so literals index arrays directly.
// Signed numbers (DIMACS) exist only in src/formats/.
struct Lit {
  std::uint32_t code = 0;

  static constexpr Lit positive(Var v) { return {2 * v.index}; }
  static constexpr Lit negative(Var v) { return {2 * v.index + 1}; }
  static constexpr Lit of(Var v, bool negated) { return {2 * v.index + (negated ? 1u : 0u)}; }

  constexpr Var var() const { return {code >> 1}; }
  constexpr bool negated() const { return (code & 1u) != 0; }
  constexpr Lit operator~() const { return {code ^ 1u}; }
  friend auto operator<=>(const Lit&, const Lit&) = default;
};

}  // namespace bnnplan

#pragma once

namespace bnnplan::encoding {

// Which half of "output <-> count >= threshold" is required. A neuron needs both; a hard or a one-sided
// constraint needs one, which takes half the clauses.
enum class Implication : unsigned char {
  to_output = 1,    // count >= threshold  ->  output
  from_output = 2,  // output  ->  count >= threshold
  both = 3,
};

constexpr bool goes_to_output(Implication implication) {
  return (static_cast<unsigned>(implication) & 1u) != 0;
}
constexpr bool goes_from_output(Implication implication) {
  return (static_cast<unsigned>(implication) & 2u) != 0;
}
// The implication that keeps the constraint the same when output and inputs are negated.
constexpr Implication flipped(Implication implication) {
  switch (implication) {
    case Implication::to_output:
      return Implication::from_output;
    case Implication::from_output:
      return Implication::to_output;
    case Implication::both:
      break;
  }
  return Implication::both;
}

}  // namespace bnnplan::encoding

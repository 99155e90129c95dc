#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bnnplan/base/literal.hpp"
#include "bnnplan/encode/clause_sink.hpp"
#include "bnnplan/encode/implication.hpp"

namespace bnnplan::encoding {

// Literals that represent a weighted sum: linear constraints (weighted_encodings.hpp) compare them with their
// bound, and they are kept where a bound is lowered later. Both functions require at least one term, positive
// weights, and a total weight below 2^64.

struct SumTerm {
  Lit literal;
  std::uint64_t weight = 0;  // counts if the literal is true
};

// One possible value of the sum.
struct SumStep {
  std::uint64_t value = 0;
  Lit at_least;  // meaningless for the value 0, which is always reached
};
using UnarySum = std::vector<SumStep>;  // ascending, beginning with 0

// All values of the sum, where those above `cap` count as `cap` (generalised_totalizer.cpp). Equal weights
// should be adjacent. Throws BudgetExhausted before making a node of more than `most_clauses`.
UnarySum unary_sum(std::span<const SumTerm> terms, std::uint64_t cap, Implication implication,
                   std::int64_t most_clauses, ClauseSink& sink);

// The bits of the sum, lowest first, each a literal or, if it is always 0, empty (adder.cpp). There may be
// more than 64; those are always 0 as well, but the clauses do not show it.
using BinarySum = std::vector<std::vector<Lit>>;
BinarySum binary_sum(std::span<const SumTerm> terms, ClauseSink& sink);

}  // namespace bnnplan::encoding

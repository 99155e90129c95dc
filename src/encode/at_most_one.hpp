#pragma once

#include <span>

#include "bnnplan/encode/clause_sink.hpp"

namespace bnnplan::encoding {

// At most one of the literals is true. Propagation complete: a true literal makes all others false. n^2/2
// clauses and no variables for few literals, 2 n + 4 sqrt(n) and 2 sqrt(n) for many. Requires distinct
// variables.
void encode_at_most_one(std::span<const Lit> literals, ClauseSink& sink);

}  // namespace bnnplan::encoding

#pragma once

#include "bnnplan/encode/clause_sink.hpp"
#include "bnnplan/encode/implication.hpp"
#include "bnnplan/encode/weighted_at_least.hpp"

namespace bnnplan::encoding {

// The encodings of output <-> sum >= bound for a normalised non-constant constraint, each in the file of its
// name. All may be stopped by a sink that throws BudgetExhausted.

// Reduced ordered decision diagram. Propagation complete; its size depends on the coefficients and may be
// exponential.
void encode_decision_diagram(const WeightedAtLeast& constraint, Lit output, Implication implication,
                             ClauseSink& sink);

// Generalised totalizer. Propagation complete; good if there are few different sums. Throws BudgetExhausted
// before making a node of more than `most_clauses`. Requires at least two terms.
void encode_generalised_totalizer(const WeightedAtLeast& constraint, Lit output, Implication implication,
                                  std::int64_t most_clauses, ClauseSink& sink);

// Binary adders: always small, n log(coefficients). Not propagation complete. Always both implications.
void encode_adder_sum(const WeightedAtLeast& constraint, Lit output, ClauseSink& sink);

}  // namespace bnnplan::encoding

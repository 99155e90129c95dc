// Cardinality networks: merge sort built from comparators, reduced to what "at least k" needs.
//
// The pure one merges by odd-even recursion down to single comparators (Batcher 1968, Een and Soerensson
// 2006; cut at k: Asin, Nieuwenhuis, Oliveras and Rodriguez-Carbonell 2011). Sequences of any length are
// merged as they are, so neither k nor n is rounded up to a power of two, and no dummy inputs are made.
//
// The mixed one decides at every merge between the recursion and the direct merge of the totalizer, and
// splits the inputs where that is cheapest (Abio et al. 2013, "A parametric approach for smaller and better
// encodings of cardinality constraints"). One parameter, the price of a variable in clauses, moves it from
// few clauses to few variables. At its own price it is never larger than the totalizer or the network, and as
// strong: use it in their place.

#include "bnnplan/encode/cardinality_encodings.hpp"
#include "bnnplan/encode/sorting.hpp"

namespace bnnplan::encoding {

void encode_cardinality_network(const ReifiedAtLeast& neuron, Implication implication, ClauseSink& sink) {
  SortingPrices prices(MergeRule::odd_even, implication, 0);
  encode_by_sorting(neuron, prices, sink);
}

void encode_mixed_network(const ReifiedAtLeast& neuron, Implication implication, int variable_price,
                          ClauseSink& sink) {
  SortingPrices prices(MergeRule::cheapest, implication, variable_price);
  encode_by_sorting(neuron, prices, sink);
}

}  // namespace bnnplan::encoding

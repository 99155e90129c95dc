// The totalizer: a balanced tree in which every node sorts the inputs below it by merging its two halves
// directly (Bailleux and Boufkhad 2003). Here with both implications, with only the positions that can decide
// "at least k", and with no variables for the root. Fewer variables than any network that sorts, but a node
// over m inputs has m^2/2 clauses: n = 128, k = 64 takes 768 variables and 9,729 clauses. Propagation
// complete.

#include "bnnplan/encode/cardinality_encodings.hpp"
#include "bnnplan/encode/sorting.hpp"

namespace bnnplan::encoding {

void encode_totalizer(const ReifiedAtLeast& neuron, Implication implication, ClauseSink& sink) {
  SortingPrices prices(MergeRule::direct, implication, 0);
  encode_by_sorting(neuron, prices, sink);
}

}  // namespace bnnplan::encoding

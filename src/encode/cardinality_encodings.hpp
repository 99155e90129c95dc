#pragma once

#include <cstdint>
#include <span>

#include "bnnplan/base/linear_row.hpp"
#include "bnnplan/encode/clause_sink.hpp"
#include "bnnplan/encode/implication.hpp"

namespace bnnplan::encoding {

// The encodings of one neuron, each in the file of its name. All require 1 <= threshold <= n and n >= 2
// (encode_neuron in neuron_encoding.hpp handles the rest) and are correct for every such threshold; the
// orders of magnitude stated here are for both implications and threshold k <= n/2.

// C(n,k) + C(n,k-1) clauses, no variables. Propagation complete.
void encode_direct(const ReifiedAtLeast& neuron, Implication implication, ClauseSink& sink);
// The number of these clauses; for astronomic numbers any number above 2^40.
std::int64_t direct_clauses(int n, int threshold, Implication implication);
// The same for any literals; requires only 1 <= threshold <= n.
void add_direct(std::span<const Lit> inputs, int threshold, Lit output, Implication implication,
                ClauseSink& sink);

// k (n-k) variables, 4 clauses each. Propagation complete.
void encode_sequential_counter(const ReifiedAtLeast& neuron, Implication implication, ClauseSink& sink);

// n log n variables, n^2/2 clauses. Propagation complete.
void encode_totalizer(const ReifiedAtLeast& neuron, Implication implication, ClauseSink& sink);

// n/2 log^2 k variables, three times as many clauses. Propagation complete.
void encode_cardinality_network(const ReifiedAtLeast& neuron, Implication implication, ClauseSink& sink);

// A mix of these two, chosen by price. Propagation complete.
void encode_mixed_network(const ReifiedAtLeast& neuron, Implication implication, int variable_price,
                          ClauseSink& sink);

// The paper's network, for comparison. Propagation complete. Always both implications.
void encode_published_network(const ReifiedAtLeast& neuron, ClauseSink& sink);

// 2 n variables, 14 n clauses. Not propagation complete. Always both implications.
void encode_adder(const ReifiedAtLeast& neuron, ClauseSink& sink);

}  // namespace bnnplan::encoding

#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "bnnplan/encode/clause_sink.hpp"
#include "bnnplan/encode/neuron_encoding.hpp"
#include "bnnplan/encode/weighted_at_least.hpp"

namespace bnnplan::encoding {

// How linear constraints with different coefficients become clauses.
enum class LinearEncoding { automatic, decision_diagram, generalised_totalizer, adder };

struct LinearEncodingInfo {
  LinearEncoding encoding;
  std::string_view name;
  bool propagation_complete;  // see NeuronEncodingInfo; for an equation, of each half
  std::string_view help;
};

// All encodings, in the order of the enumeration.
std::span<const LinearEncodingInfo> linear_encodings();

struct LinearOptions {
  LinearEncoding encoding = LinearEncoding::automatic;
  // For constraints whose coefficients are all equal, which are neurons without an output.
  NeuronEncoding cardinality = NeuronEncoding::automatic;
  int variable_price = 3;
  // `automatic` uses propagation complete encodings up to this price, otherwise the adder.
  std::int64_t highest_price = 2'000'000;
};

// Writes a hard constraint. Regardless of the options, constants (false as the empty clause), clauses,
// conjunctions and at-most-one are written as such. Throws OverflowError if a sum of coefficients does not
// fit into 64 bits.
void encode_linear(const LinearRow& row, const LinearOptions& options, ClauseSink& sink);

}  // namespace bnnplan::encoding

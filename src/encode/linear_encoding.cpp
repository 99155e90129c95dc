// The choice between the encodings of linear constraints.
//
// After normalisation (weighted_at_least.cpp) most constraints of planning problems turn out to be clauses,
// at-most-one, or cardinality constraints, which are neurons with a fixed output. The rest have really
// different coefficients, and are priced: decision diagram and generalised totalizer in turn, each with the
// cost of the best so far as its budget, and the adder if both exceed the limit of the options.
//
// A hard constraint is a reified one whose output is true, of which only "from output" is needed: the
// encodings write to a FixedOutputSink, which removes the output. A half-reified constraint takes the same
// half of the clauses.

#include "bnnplan/encode/linear_encoding.hpp"

#include <array>
#include <limits>
#include <stdexcept>
#include <vector>

#include "bnnplan/encode/at_most_one.hpp"
#include "bnnplan/encode/weighted_encodings.hpp"

namespace bnnplan::encoding {

namespace {

constexpr std::array<LinearEncodingInfo, 4> linear_table{{
    {LinearEncoding::automatic, "auto", true,
     "the cheapest propagation complete one if it is not too large, else adder"},
    {LinearEncoding::decision_diagram, "diagram", true, "reduced ordered decision diagram"},
    {LinearEncoding::generalised_totalizer, "totalizer", true,
     "generalised totalizer; for few different sums"},
    {LinearEncoding::adder, "adder", false, "binary adders; smallest, but weak propagation"},
}};

void encode_with(LinearEncoding encoding, const WeightedAtLeast& constraint, Lit output,
                 Implication implication, std::int64_t most_clauses, ClauseSink& sink) {
  switch (encoding) {
    case LinearEncoding::decision_diagram:
      return encode_decision_diagram(constraint, output, implication, sink);
    case LinearEncoding::generalised_totalizer:
      return encode_generalised_totalizer(constraint, output, implication, most_clauses, sink);
    case LinearEncoding::adder:
      return encode_adder_sum(constraint, output, sink);
    case LinearEncoding::automatic:
      break;
  }
  throw std::logic_error("a linear encoding without its function");
}

LinearEncoding cheapest(const WeightedAtLeast& constraint, Implication implication,
                        const LinearOptions& options) {
  LinearEncoding best = LinearEncoding::adder;
  std::int64_t best_price = options.highest_price;
  for (const LinearEncoding encoding :
       {LinearEncoding::decision_diagram, LinearEncoding::generalised_totalizer}) {
    CountingSink counter(options.variable_price, best_price);
    try {
      encode_with(encoding, constraint, Lit{}, implication, best_price, counter);
    } catch (const BudgetExhausted&) {
      continue;
    }
    best = encoding;
    best_price = counter.size().price(options.variable_price) - 1;
  }
  return best;
}

std::vector<Lit> literals_of(const WeightedAtLeast& constraint) {
  std::vector<Lit> literals;
  for (const WeightedLit& term : constraint.terms) literals.push_back(term.literal);
  return literals;
}

// output <-> a normalised constraint, which may be constant.
void encode_reified(const WeightedAtLeast& constraint, Lit output, Implication implication,
                    const LinearOptions& options, ClauseSink& sink) {
  const bool is_constant = constraint.is_true() || constraint.is_false();
  if (is_constant || constraint.is_cardinality()) {
    // A bound above 2^31 does not occur here: it is at most the number of terms, and 1 for constant false.
    const ReifiedAtLeast neuron{output, literals_of(constraint), static_cast<int>(constraint.bound)};
    return encode_neuron(neuron, {options.cardinality, options.variable_price}, implication, sink);
  }
  LinearEncoding encoding = options.encoding;
  if (encoding == LinearEncoding::automatic) encoding = cheapest(constraint, implication, options);
  encode_with(encoding, constraint, output, implication, std::numeric_limits<std::int64_t>::max(), sink);
}

void encode_hard(const WeightedAtLeast& constraint, const LinearOptions& options, ClauseSink& sink) {
  const auto n = static_cast<std::int64_t>(constraint.terms.size());
  if (n > 2 && constraint.is_cardinality() && constraint.bound == n - 1) {
    std::vector<Lit> negated = literals_of(constraint);
    for (Lit& literal : negated) literal = ~literal;
    return encode_at_most_one(negated, sink);
  }
  FixedOutputSink fixed(sink);
  encode_reified(constraint, kTrueOutput, Implication::from_output, options, fixed);
}

}  // namespace

std::span<const LinearEncodingInfo> linear_encodings() { return linear_table; }

void encode_linear(const LinearRow& row, const LinearOptions& options, ClauseSink& sink) {
  for (const WeightedAtLeast& half : normalise(row)) encode_hard(half, options, sink);
}

}  // namespace bnnplan::encoding

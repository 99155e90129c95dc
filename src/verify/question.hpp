#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <gmpxx.h>

#include "bnnplan/base/bit_value.hpp"
#include "bnnplan/network/network.hpp"
#include "bnnplan/query/verify_query.hpp"
#include "bnnplan/verify/property.hpp"

namespace bnnplan::verification {

// A bit of the input that can be flipped, with the least change of its number that does so.
struct Flip {
  std::uint32_t input = 0;
  std::int64_t cost = 0;  // more than 0
  mpq_class value;        // the number afterwards
};

// A query in integers: which cheapest set of flips makes a property of the scores hold? Exact: there is a set
// of cost c if and only if there is an input at distance c * unit (l2: at this squared distance) that has the
// property, and no input with the same bits is nearer.
struct FlipQuestion {
  const Network* network = nullptr;
  std::vector<mpq_class> values;  // the given input
  BitValues bits;                 // its bits
  std::vector<Flip> flips;        // cheapest first, by input among equals
  bool largest = false;           // a set costs as much as its most expensive flip; otherwise the sum
  mpq_class unit = 1;
  std::optional<std::int64_t> budget = {};  // with an epsilon: sets that cost more do not count
  Property property;
  // Dependent bits of the input: if the first is 1, so is the second. Only the solver handles these.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> implications = {};
};

// The flips of a region; the property is still to be added. Keeps a pointer to the network. Without a centre
// every number is the least that it may be, and any set of flips costs 1 and is within the budget. Throws
// InputError if a number is not allowed for its input, TooFineError if costs do not fit into 64 bits.
FlipQuestion region_question(const Network& network, const Region& region);

// Keeps a pointer to the network. Throws InputError if the network is not a classifier, the label or the
// target is not one of its classes, both are the same, a number is not allowed for its input, or costs do not
// fit into 64 bits.
FlipQuestion make_question(const Network& network, const VerifyQuery& query);

// A set of flips, as indices into `flips`, ascending.
using FlipSet = std::vector<std::uint32_t>;

std::int64_t cost_of(const FlipQuestion& question, const FlipSet& set);

// The input with these flips.
std::vector<mpq_class> changed_values(const FlipQuestion& question, const FlipSet& set);

// Whether the changed input is classified differently, by the reference inference on the numbers themselves
// and the original scores, not by `property`. Shares nothing with the engines.
bool is_classified_otherwise(const Network& network, const VerifyQuery& query,
                             std::span<const mpq_class> values);

// Whether `winner` is the network's answer when it and `loser` have the same score.
bool wins_ties(const Network& network, std::size_t winner, std::size_t loser);

// The distance between two inputs in a norm (l2: its square), from the numbers themselves.
mpq_class distance(Norm norm, std::span<const mpq_class> from, std::span<const mpq_class> to);
mpq_class largest_distance(Norm norm, const mpq_class& epsilon);  // within epsilon, as `distance` gives it

}  // namespace bnnplan::verification

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <gmpxx.h>

#include "base/bit_value.hpp"
#include "network/network.hpp"

namespace bnnplan {

// How far two inputs are from each other, by the differences of their numbers; a bit is the number 0 or 1.
enum class Norm : std::uint8_t {
  l0,   // how many differ
  l1,   // the sum of the differences
  l2,   // the sum of their squares
  linf  // the largest
};
inline constexpr std::string_view norm_names[] = {"l0", "l1", "l2", "linf"};

// When an input is classified otherwise.
enum class TieRule : std::uint8_t {
  label_loses,  // another score is at least as large as the label's, as published instances have it
  network       // the network's own answer is another one
};
inline constexpr std::string_view tie_rule_names[] = {"label-loses", "network"};

// Is there an input near this one that is classified otherwise?
struct VerifyQuery {
  std::vector<mpq_class> values;           // one number per input
  std::size_t label = 0;                   // the class that the input should have
  std::optional<std::size_t> target = {};  // a class that it shall get; otherwise any but the label
  Norm norm = Norm::l0;
  std::optional<mpq_class> epsilon =
      {};  // is there one no farther than this? Otherwise: how far is the nearest?
  TieRule ties = TieRule::label_loses;
};

// A bit of the input that can be flipped, by what least change of its number.
struct Flip {
  std::uint32_t input = 0;
  std::int64_t cost = 0;  // more than 0
  mpq_class value;        // the number afterwards
};

// Score `winner` is above score `loser` (or level, where that is enough), in integers, by the numbers of inputs of
// both scores that agree with their weights:
//   winner_factor * agreeing(winner) - loser_factor * agreeing(loser) >= bound
struct ScoreComparison {
  std::uint32_t winner = 0, loser = 0;
  std::int64_t winner_factor = 1, loser_factor = 1, bound = 0;
};

// A query in integers: which cheapest set of flips makes the comparisons hold? Exact: there is a set of cost c
// exactly if there is an input at distance c * unit (l2: of that square) that is classified otherwise and none that
// has the same bits is nearer.
struct FlipQuestion {
  const Network* network = nullptr;
  BitValues bits;           // of the input as it is
  std::vector<Flip> flips;  // cheapest first, by input among equals
  bool largest = false;     // a set costs as much as its most expensive flip; otherwise the sum
  mpq_class unit = 1;
  std::optional<std::int64_t> budget;        // with an epsilon: sets that cost more do not count
  std::vector<ScoreComparison> comparisons;  // ordered by winner and loser
  bool all = false;                          // all comparisons have to hold; otherwise one of them
};

// Keeps a pointer to the network. Throws InputError if the network is no classifier, the label or the target is no
// class of it, both are the same, a number is not allowed for its input, or costs do not fit into 64 bits.
FlipQuestion make_question(const Network& network, const VerifyQuery& query);

// A set of flips, as indices into `flips`, ascending.
using FlipSet = std::vector<std::uint32_t>;

std::int64_t cost_of(const FlipQuestion& question, const FlipSet& set);

// By the reference inference on the numbers themselves and the scores as they are, not by `comparisons`: whether the
// changed input is classified otherwise. Shares nothing with the engines.
std::vector<mpq_class> changed_values(const FlipQuestion& question, const VerifyQuery& query,
                                      const FlipSet& set);
bool is_classified_otherwise(const Network& network, const VerifyQuery& query,
                             std::span<const mpq_class> values);

// The distance of two inputs by a norm (l2: its square), from the numbers themselves.
mpq_class distance(Norm norm, std::span<const mpq_class> from, std::span<const mpq_class> to);

}  // namespace bnnplan

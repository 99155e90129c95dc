// Formulas of questions about classes, about two networks, and about monotone outputs:
//
//   classified otherwise    some score beats that of the label, or the target's beats all others
//   different by class      for some c, the one gives c, and some d beats c in the other
//   different by scores     for some c, the scores of c differ
//   not rising in x         the score at x = 0 is above that at x = 1
//
// Constraints are in this order: inputs, neurons, the property, the distance. If two networks cut a number at
// different places, the second has bits of its own, of which the larger threshold implies the smaller.
#include "bnnplan/check/question_formula.hpp"

#include <algorithm>

#include "bnnplan/base/checked.hpp"
#include "bnnplan/check/question_flips.hpp"

namespace bnnplan::checking {

namespace {

using verification::Equality;
using verification::Norm;
using verification::Region;
using Property = verification::PropertyOf<SumRow>;
using Kind = Property::Kind;

constexpr const char* too_fine =
    "numbers are too fine: in their common unit a condition does not fit into 64 bits";

// Among equal scores the network's answer is the lowest or the highest class.
bool wins_ties(const Network& network, std::size_t winner, std::size_t loser) {
  return network.tie == ClassTie::lowest ? winner < loser : winner > loser;
}

void add(QuestionRows& rows, const Property& property) {
  rows.add_property<SumRow>(property, property.root(), [](const SumRow& row) { return row; });
}

// Class c is the answer of the one network, and not that of the other. Nothing if c beats each other class in
// both for the same inputs.
std::optional<std::uint32_t> add_lost_answer(Property& property, const Network& one,
                                             const std::vector<ScoreSum>& scores, const Network& other,
                                             const std::vector<ScoreSum>& other_scores, std::size_t c) {
  std::vector<std::uint32_t> wins, loses;
  for (std::size_t d = 0; d < scores.size(); ++d) {
    if (d == c) continue;
    const ScoreComparison here{scores[c], scores[d], !wins_ties(one, c, d)},
        there{other_scores[c], other_scores[d], !wins_ties(other, c, d)};
    wins.push_back(property.add(comparison_row(here)));
    if (scores[c].literals == other_scores[c].literals && scores[d].literals == other_scores[d].literals &&
        necessary_agreeing(here) == necessary_agreeing(there))
      continue;
    loses.push_back(
        property.add(comparison_row({other_scores[d], other_scores[c], !wins_ties(other, d, c)})));
  }
  if (loses.empty()) return std::nullopt;
  const std::uint32_t all = property.add(Kind::all, std::move(wins));
  const std::uint32_t any = property.add(Kind::any, std::move(loses));
  return property.add(Kind::all, {all, any});
}

// A bit of the second network of its own.
std::uint32_t add_second_bit(Flips& flips, std::uint32_t input, const NumericInput& range,
                             const mpq_class& value, const mpq_class& threshold, const Region& region) {
  const auto place = static_cast<std::uint32_t>(flips.bits.size());
  const bool bit = value >= threshold, above = threshold > range.threshold;
  flips.bits.push_back(bit);
  flips.implications.emplace_back(above ? place : input, above ? input : place);
  mpz_class k = first_reaching(range, threshold);
  if (bit) k = std::min(mpz_class(k - 1), last_of(range));
  const mpq_class changed = range.low + range.step * k;
  const bool far = region.values && region.epsilon && abs(changed - value) > *region.epsilon;
  if (k >= 0 && k <= last_of(range) && !far) flips.flips.push_back({place, 1});
  return place;
}

template <class Write>
QuestionFormula written(const Flips& flips, const Write& write) {
  try {
    QuestionRows rows;
    write(rows, add_flips(rows, flips));
    add_costs(rows, flips);
    return {std::move(rows.formula), flips.unit, 0};
  } catch (const OverflowError&) {
    throw verification::TooFineError(too_fine);
  }
}

}  // namespace

QuestionFormula formula_of(const Network& network, const verification::VerifyQuery& query) {
  const std::size_t classes = network.scores.size();
  if (query.label >= classes || query.target.value_or(0) >= classes || query.target == query.label)
    throw InputError("the question needs a label and another class of a classifier");
  const Flips flips = flips_of(network, {query.values, query.norm, query.epsilon});
  return written(flips, [&](QuestionRows& rows, const std::vector<Lit>& bits) {
    const std::vector<ScoreSum> scores = rows.add_network(network, bits);
    Property property;
    std::vector<std::uint32_t> comparisons;
    for (std::size_t other = 0; other < classes; ++other) {
      const std::size_t winner = query.target.value_or(other), loser = query.target ? other : query.label;
      if (winner == loser) continue;
      const bool strict = query.ties == verification::TieRule::network && !wins_ties(network, winner, loser);
      comparisons.push_back(property.add(comparison_row({scores[winner], scores[loser], strict})));
    }
    property.add(query.target ? Kind::all : Kind::any, std::move(comparisons));
    add(rows, property);
  });
}

QuestionFormula formula_of(const Network& first, const Network& second, const Region& region, Equality by) {
  if (is_classifier(first) != is_classifier(second) || first.inputs.size() != second.inputs.size() ||
      first.outputs.size() != second.outputs.size())
    throw InputError("the networks have different inputs or outputs");
  Flips flips = flips_of(first, region);
  std::vector<std::uint32_t> places;  // of the bits of the second network
  for (std::uint32_t i = 0; i < first.inputs.size(); ++i) {
    const NumericInput range = range_of(first, i);
    const mpq_class threshold = range_of(second, i).threshold,
                    value = region.values ? (*region.values)[i] : range.low;
    const bool same_cut = first_reaching(range, threshold) == first_reaching(range, range.threshold) &&
                          (value >= threshold) == (value >= range.threshold);
    if (!same_cut && region.values && (region.norm != Norm::linf || !region.epsilon))
      throw InputError("the networks cut an input at different places: expected an epsilon in linf");
    places.push_back(same_cut ? i : add_second_bit(flips, i, range, value, threshold, region));
  }
  if (!flips.implications.empty()) {  // no flip is too far, and there is nothing to minimise
    flips.budget = 1;
    flips.largest = true;
  }
  return written(flips, [&](QuestionRows& rows, const std::vector<Lit>& bits) {
    std::vector<ReadBit> inputs, other_inputs;
    for (std::size_t i = 0; i < places.size(); ++i) {
      inputs.push_back({bits[i]});
      other_inputs.push_back({bits[places[i]]});
    }
    const auto [scores, others] = rows.add_networks(first, inputs, second, other_inputs);
    Property property;
    std::vector<std::uint32_t> parts;
    for (std::size_t c = 0; c < scores.size(); ++c) {
      if (is_classifier(first) && by == Equality::classes) {
        if (const auto lost = add_lost_answer(property, first, scores, second, others, c))
          parts.push_back(*lost);
      } else if (!(scores[c] == others[c])) {
        parts.push_back(property.add(comparison_row({scores[c], others[c], true})));
        parts.push_back(property.add(comparison_row({others[c], scores[c], true})));
      }
    }
    property.add(Kind::any, std::move(parts));
    add(rows, property);
  });
}

QuestionFormula formula_of(const Network& network, const verification::MonotoneQuery& query) {
  if (query.input >= network.inputs.size() || query.output >= network.outputs.size())
    throw InputError("there is no such input or output");
  Flips flips = flips_of(network, query.region);
  std::erase_if(flips.flips, [&](const Flips::Flip& flip) { return flip.input == query.input; });
  return written(flips, [&](QuestionRows& rows, const std::vector<Lit>& bits) {
    std::vector<ReadBit> low, high;
    for (const Lit bit : bits) low.push_back({bit});
    high = low;
    low[query.input] = {std::nullopt, false};
    high[query.input] = {std::nullopt, true};
    const auto [at_0, at_1] = rows.add_networks(network, low, network, high);
    const std::vector<ScoreSum>&from = query.increasing ? at_0 : at_1, &to = query.increasing ? at_1 : at_0;
    Property property;
    std::optional<std::uint32_t> found;
    const NumericInput range = range_of(network, query.input);
    const mpz_class cut = first_reaching(range, range.threshold);
    const std::size_t c = query.output;
    if (cut > 0 && cut <= last_of(range)) {  // otherwise the bit is always the same
      if (query.by_class && is_classifier(network)) {
        found = add_lost_answer(property, network, from, network, to, c);
      } else if (!(from[c] == to[c])) {
        found = property.add(comparison_row({from[c], to[c], true}));
      }
    }
    if (!found) property.add(Kind::any, {});
    add(rows, property);
  });
}

}  // namespace bnnplan::checking

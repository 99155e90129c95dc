// Questions about two networks: whether they are equal, and whether one is monotone, which is a question
// about the network with an input at 0 and the network with it at 1.
//
//   different by class:   for some c, the first gives c, and some d beats c in the second
//   different by scores:  for some c, the scores of c are not the same
//   not rising in x:      the score at x = 0 is above that at x = 1
//
// Both networks see the same bits, except where they cut the range of a number at different places: then
// there is a bit for each, and the one with the larger threshold implies the other.
#include "bnnplan/verify/two_networks.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include <fmt/format.h>

#include "bnnplan/base/exact_number.hpp"
#include "bnnplan/base/input_error.hpp"
#include "bnnplan/network/reference_inference.hpp"
#include "bnnplan/verify/asked_question.hpp"
#include "bnnplan/verify/joint_network.hpp"
#include "bnnplan/verify/score_comparison.hpp"

namespace bnnplan::verification {

namespace {

// A bit is treated as a number, too.
NumericInput range_of(const Network& network, std::size_t input) {
  if (has_numbers(network) && network.numbers[input]) return *network.numbers[input];
  return {1, 0, 1, 1};
}

// The index of the first of low, low + step, ... that reaches a threshold.
mpz_class first_reaching(const NumericInput& range, const mpq_class& threshold) {
  return std::max(ceiling_of((threshold - range.low) / range.step), mpz_class(0));
}

mpz_class last_of(const NumericInput& range) { return floor_of((range.high - range.low) / range.step); }

std::uint32_t add_comparison(FlipQuestion& question, std::size_t winner, std::size_t loser, bool strict) {
  return question.property.add(compare_scores(*question.network, static_cast<std::uint32_t>(winner),
                                              static_cast<std::uint32_t>(loser), strict));
}

// The positions of a network's scores in the joint network.
using ScorePlaces = std::vector<std::uint32_t>;

ScorePlaces first_places(std::size_t classes) {
  ScorePlaces places(classes);
  std::iota(places.begin(), places.end(), 0u);
  return places;
}

// Class c is the answer of the one network, and not that of the other. A class that c beats in both for the
// same inputs does not matter; returns nothing if that is so for all classes.
std::optional<std::uint32_t> add_lost_answer(FlipQuestion& question, const Network& one,
                                             const ScorePlaces& places, const Network& other,
                                             const ScorePlaces& other_places, std::size_t c) {
  std::vector<std::uint32_t> wins, loses;
  for (std::size_t d = 0; d < places.size(); ++d) {
    if (d == c ||
        are_the_same(
            *question.network, {.winner = places[c], .loser = places[d], .strict = !wins_ties(one, c, d)},
            {.winner = other_places[c], .loser = other_places[d], .strict = !wins_ties(other, c, d)}))
      continue;
    loses.push_back(add_comparison(question, other_places[d], other_places[c], !wins_ties(other, d, c)));
  }
  if (loses.empty()) return std::nullopt;
  const std::uint32_t there = question.property.add(Property::Kind::any, std::move(loses));
  for (std::size_t d = 0; d < places.size(); ++d) {
    if (d != c) wins.push_back(add_comparison(question, places[c], places[d], !wins_ties(one, c, d)));
  }
  const std::uint32_t here = question.property.add(Property::Kind::all, std::move(wins));
  return question.property.add(Property::Kind::all, {here, there});
}

void start_joint(JointQuestion& joint, const Network& domain, const Region& region) {
  joint.question = region_question(domain, region);
  joint.values = joint.question.values;
  for (std::uint32_t i = 0; i < domain.inputs.size(); ++i) {
    joint.numbers.push_back(range_of(domain, i));
    joint.sources.push_back({i, joint.numbers[i].threshold});
  }
}

// A second bit of a number, cut at `threshold`: it flips like the first one, to the nearest number beyond.
void add_second_bit(JointQuestion& joint, std::uint32_t input, const mpq_class& threshold,
                    const Region& region) {
  FlipQuestion& question = joint.question;
  const NumericInput& range = joint.numbers[input];
  const auto place = static_cast<std::uint32_t>(joint.sources.size());
  const mpq_class& value = joint.values[input];
  joint.sources.push_back({input, threshold});
  question.bits.push_back(value >= threshold ? 1 : 0);
  // The bit with the larger threshold implies the other one.
  if (threshold > range.threshold) {
    question.implications.emplace_back(place, input);
  } else {
    question.implications.emplace_back(input, place);
  }
  mpz_class k = first_reaching(range, threshold);
  if (value >= threshold) k = std::min(mpz_class(k - 1), last_of(range));
  if (k < 0 || k > last_of(range)) return;
  const mpq_class changed = range.low + range.step * k;
  if (region.values && region.epsilon && abs(changed - value) > *region.epsilon) return;
  question.flips.push_back({place, 1, changed});
}

JointOutcome ask(JointQuestion& joint, const Region& region, const VerifyRequest& request,
                 const std::function<bool(const std::vector<mpq_class>&)>& is_one) {
  const FlipQuestion& question = joint.question;
  QuestionRequest asked = question_request(request, question);
  asked.check = [&](const FlipSet& set) {
    const std::vector<mpq_class> values = values_of(joint, set);
    bool near = true;
    if (region.values) {
      const mpq_class far = distance(region.norm, *region.values, values);
      near = region.epsilon ? far <= largest_distance(region.norm, *region.epsilon)
                            : far == question.unit * cost_of(question, set);
    }
    if (!near || !is_one(values)) throw std::logic_error("an invalid input was found");
  };
  const QuestionAnswer answer = answer_question(question, asked);
  JointOutcome outcome;
  take_answer(answer, outcome);
  if (answer.best) {
    outcome.values = values_of(joint, *answer.best);
    if (region.values) outcome.distance = distance(region.norm, *region.values, outcome.values);
  }
  if (answer.lower_bound) outcome.lower_bound = question.unit * *answer.lower_bound;
  return outcome;
}

std::vector<mpq_class> scores_at(const Network& network, std::span<const mpq_class> values) {
  return reference_scores(network, binarize(network, values));
}

}  // namespace

std::vector<mpq_class> values_of(const JointQuestion& joint, const FlipSet& set) {
  BitValues bits = joint.question.bits;
  for (const std::uint32_t flip : set) {
    BitValue& bit = bits[joint.question.flips[flip].input];
    bit = bit != 0 ? 0 : 1;
  }
  std::vector<mpq_class> values = joint.values;
  std::vector<mpz_class> least(values.size(), 0), most;
  for (const NumericInput& range : joint.numbers) most.push_back(last_of(range));
  std::vector<bool> moves(values.size());
  for (std::size_t b = 0; b < bits.size(); ++b) {
    const auto& [input, threshold] = joint.sources[b];
    const mpz_class k = first_reaching(joint.numbers[input], threshold);
    if (bits[b] != 0) {
      least[input] = std::max(least[input], k);
    } else {
      most[input] = std::min(most[input], mpz_class(k - 1));
    }
    if ((values[input] >= threshold) != (bits[b] != 0)) moves[input] = true;
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!moves[i]) continue;
    const NumericInput& range = joint.numbers[i];
    const mpq_class low = range.low + range.step * least[i], high = range.low + range.step * most[i];
    values[i] = joint.values[i] < low ? low : high;
  }
  return values;
}

JointQuestion make_equal_question(const Network& first, const Network& second, const Region& region,
                                  Equality by) {
  if (is_classifier(first) != is_classifier(second))
    throw InputError("one of the networks is a classifier, the other outputs bits");
  if (first.inputs.size() != second.inputs.size())
    throw InputError(
        fmt::format("the networks take {} and {} inputs", first.inputs.size(), second.inputs.size()));
  if (first.outputs.size() != second.outputs.size())
    throw InputError(
        fmt::format("the networks have {} and {} outputs", first.outputs.size(), second.outputs.size()));
  JointQuestion joint;
  start_joint(joint, first, region);
  std::vector<std::uint32_t> places(second.inputs.size());
  std::iota(places.begin(), places.end(), 0u);
  for (std::uint32_t i = 0; i < places.size(); ++i) {
    const mpq_class threshold = range_of(second, i).threshold;
    const mpq_class& own = joint.numbers[i].threshold;
    const bool same_cut =
        first_reaching(joint.numbers[i], threshold) == first_reaching(joint.numbers[i], own);
    if (same_cut && (joint.values[i] >= threshold) == (joint.values[i] >= own)) continue;
    if (region.values && (region.norm != Norm::linf || !region.epsilon))
      throw InputError(
          fmt::format("the networks cut input {} ('{}') at {} and at {}: they can be compared only on all "
                      "inputs, or within an epsilon in linf",
                      i + 1, printable(first.inputs[i]), exact_text(own), exact_text(threshold)));
    places[i] = static_cast<std::uint32_t>(joint.sources.size());
    add_second_bit(joint, i, threshold, region);
  }
  const Network one = with_scores(first), other = with_scores(second);
  JointNetwork both = beside(one, other, places, joint.sources.size());
  joint.network = std::make_unique<const Network>(std::move(both.network));
  FlipQuestion& question = joint.question;
  question.network = joint.network.get();
  // With second bits, every flip costs 1, within any budget.
  if (!question.implications.empty()) {
    for (Flip& flip : question.flips) flip.cost = 1;
    question.budget = 1;
    question.largest = true;
    std::stable_sort(question.flips.begin(), question.flips.end(),
                     [](const Flip& a, const Flip& b) { return a.input < b.input; });
  }
  const std::size_t classes = one.scores.size();
  std::vector<std::uint32_t> parts;
  for (std::size_t c = 0; c < classes; ++c) {
    if (is_classifier(first) && by == Equality::classes) {
      const auto lost = add_lost_answer(question, one, first_places(classes), other, both.second_scores, c);
      if (lost) parts.push_back(*lost);
    } else if (both.second_scores[c] != c) {
      parts.push_back(add_comparison(question, c, both.second_scores[c], true));
      parts.push_back(add_comparison(question, both.second_scores[c], c, true));
    }
  }
  question.property.add(Property::Kind::any, std::move(parts));
  return joint;
}

bool are_different(const Network& first, const Network& second, Equality by,
                   std::span<const mpq_class> values) {
  const BitValues bits = binarize(first, values), other_bits = binarize(second, values);
  if (!is_classifier(first)) return evaluate_reference(first, bits) != evaluate_reference(second, other_bits);
  if (by == Equality::scores) return reference_scores(first, bits) != reference_scores(second, other_bits);
  return reference_class(first, bits) != reference_class(second, other_bits);
}

JointOutcome compare_networks(const Network& first, const Network& second, const Region& region, Equality by,
                              const VerifyRequest& request) {
  JointQuestion joint = make_equal_question(first, second, region, by);
  JointOutcome outcome = ask(joint, region, request, [&](const std::vector<mpq_class>& values) {
    return are_different(first, second, by, values);
  });
  if (!outcome.values.empty()) {
    outcome.scores = scores_at(with_scores(first), outcome.values);
    outcome.other_scores = scores_at(with_scores(second), outcome.values);
  }
  return outcome;
}

JointQuestion make_monotone_question(const Network& given, const MonotoneQuery& query) {
  if (query.input >= given.inputs.size() || query.output >= given.outputs.size())
    throw InputError("there is no such input or output");
  const Network network = with_scores(given);
  JointQuestion joint;
  start_joint(joint, network, query.region);
  FlipQuestion& question = joint.question;
  std::erase_if(question.flips, [&](const Flip& flip) { return flip.input == query.input; });
  std::vector<std::uint32_t> places(network.inputs.size());
  std::iota(places.begin(), places.end(), 0u);
  JointNetwork both = beside(with_fixed_bit(network, query.input, false),
                             with_fixed_bit(network, query.input, true), places, places.size());
  joint.network = std::make_unique<const Network>(std::move(both.network));
  question.network = joint.network.get();
  const ScorePlaces low = first_places(network.scores.size()), &high = both.second_scores;
  const ScorePlaces &from = query.increasing ? low : high, &to = query.increasing ? high : low;
  const NumericInput& range = joint.numbers[query.input];
  const mpz_class cut = first_reaching(range, range.threshold);
  std::optional<std::uint32_t> found;
  // Otherwise the input has only one possible bit, and does not matter.
  if (cut > 0 && cut <= last_of(range)) {
    if (query.by_class && is_classifier(given)) {
      found = add_lost_answer(question, network, from, network, to, query.output);
    } else if (from[query.output] != to[query.output]) {
      found = add_comparison(question, from[query.output], to[query.output], true);
    }
  }
  if (!found) question.property.add(Property::Kind::any, {});
  return joint;
}

bool goes_the_other_way(const Network& given, const MonotoneQuery& query, std::span<const mpq_class> lower,
                        std::span<const mpq_class> upper) {
  const Network network = with_scores(given);
  const std::vector<mpq_class> below = scores_at(network, query.increasing ? lower : upper),
                               above = scores_at(network, query.increasing ? upper : lower);
  if (query.by_class && is_classifier(given))
    return best_class(below, network.tie) == query.output && best_class(above, network.tie) != query.output;
  return below[query.output] > above[query.output];
}

JointOutcome check_monotone(const Network& network, const MonotoneQuery& query,
                            const VerifyRequest& request) {
  JointQuestion joint = make_monotone_question(network, query);
  const NumericInput& range = joint.numbers[query.input];
  const mpz_class cut = first_reaching(range, range.threshold);
  // The given input, with the number just below its threshold and just above it.
  const auto pair_of = [&](std::vector<mpq_class> values) {
    std::vector<mpq_class> upper = values;
    values[query.input] = range.low + range.step * (cut - 1);
    upper[query.input] = range.low + range.step * cut;
    return std::pair{std::move(values), std::move(upper)};
  };
  JointOutcome outcome = ask(joint, query.region, request, [&](const std::vector<mpq_class>& values) {
    const auto [lower, upper] = pair_of(values);
    return goes_the_other_way(network, query, lower, upper);
  });
  if (!outcome.values.empty()) {
    auto [lower, upper] = pair_of(outcome.values);
    const Network scored = with_scores(network);
    outcome.scores = scores_at(scored, lower);
    outcome.other_scores = scores_at(scored, upper);
    outcome.values = std::move(lower);
    outcome.other_values = std::move(upper);
  }
  return outcome;
}

}  // namespace bnnplan::verification

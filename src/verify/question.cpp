// A query in integers. A number enters the network as the bit x >= threshold, so of all changes of a number
// only those that flip its bit matter, and of these the least:
//
//   x >= threshold:  to the largest  low + k step  below the threshold
//   otherwise:       to the smallest one that reaches it
//
// An input that has no such number cannot flip. Distances are rational; divided by their common unit they are
// integers, once and for all.
#include "bnnplan/verify/question.hpp"

#include <algorithm>
#include <cassert>

#include <fmt/format.h>

#include "bnnplan/base/checked.hpp"
#include "bnnplan/base/exact_number.hpp"
#include "bnnplan/base/input_error.hpp"
#include "bnnplan/network/reference_inference.hpp"
#include "bnnplan/query/input_values.hpp"
#include "bnnplan/verify/score_comparison.hpp"

namespace bnnplan::verification {

namespace {

const NumericInput* number_of(const Network& network, std::size_t input) {
  return has_numbers(network) && network.numbers[input] ? &*network.numbers[input] : nullptr;
}

void check_values(const Network& network, std::span<const mpq_class> values) {
  const std::string refusal = refusal_of(network, values);
  if (!refusal.empty()) throw InputError(refusal);
}

// The nearest number with the other bit.
std::optional<mpq_class> flipped(const Network& network, std::size_t input, const mpq_class& value) {
  const NumericInput* number = number_of(network, input);
  if (number == nullptr) return 1 - value;
  const mpz_class last = floor_of((number->high - number->low) / number->step);
  // The first one that reaches the threshold.
  mpz_class k = -floor_of((number->low - number->threshold) / number->step);
  if (value >= number->threshold) {
    k = std::min(mpz_class(k - 1), last);
    if (k < 0) return std::nullopt;
  } else {
    k = std::max(k, mpz_class(0));
    if (k > last) return std::nullopt;
  }
  return mpq_class(number->low + number->step * k);
}

mpq_class cost_by(Norm norm, const mpq_class& difference) {
  switch (norm) {
    case Norm::l0:
      return 1;
    case Norm::l1:
    case Norm::linf:
      return abs(difference);
    case Norm::l2:
      return difference * difference;
  }
  __builtin_unreachable();
}

std::int64_t in_units(const mpq_class& cost, const mpq_class& unit) {
  const mpz_class result = floor_of(cost / unit);
  // Sums of all costs must fit as well.
  if (result > mpz_class(1) << 46)
    throw TooFineError("distances are too fine: in their common unit they do not fit into 46 bits");
  return result.get_si();
}

// The largest number of which all costs are multiples.
mpq_class common_unit(const std::vector<mpq_class>& costs) {
  mpz_class num = 0, den = 1;
  for (const mpq_class& cost : costs) {
    num = gcd(num, cost.get_num());
    den = lcm(den, cost.get_den());
  }
  if (num == 0) return 1;
  mpz_class all = 0;
  for (const mpq_class& cost : costs) all = gcd(all, mpz_class(cost * den));
  mpq_class unit(all, den);
  unit.canonicalize();
  return unit;
}

void add_flips(FlipQuestion& question, const Region& region) {
  const Network& network = *question.network;
  std::vector<mpq_class> costs;
  for (std::uint32_t i = 0; i < question.values.size(); ++i) {
    auto value = flipped(network, i, question.values[i]);
    if (!value) continue;
    costs.push_back(region.values ? cost_by(region.norm, *value - question.values[i]) : mpq_class(1));
    question.flips.push_back({i, 0, std::move(*value)});
  }
  question.unit = common_unit(costs);
  for (std::size_t i = 0; i < costs.size(); ++i) question.flips[i].cost = in_units(costs[i], question.unit);
  std::stable_sort(question.flips.begin(), question.flips.end(),
                   [](const Flip& a, const Flip& b) { return a.cost < b.cost; });
  if (!region.epsilon) return;
  if (*region.epsilon < 0) throw InputError("epsilon is negative");
  const mpq_class most = largest_distance(region.norm, *region.epsilon);
  mpz_class all = 0;  // nothing costs more than all flips together
  for (const Flip& flip : question.flips) all += flip.cost;
  question.budget = std::min(floor_of(most / question.unit), all).get_si();
  std::erase_if(question.flips, [&](const Flip& flip) { return flip.cost > *question.budget; });
}

// The input is classified differently: any other score beats the label's, or the target's beats all others.
void add_property(FlipQuestion& question, const VerifyQuery& query) {
  const Network& network = *question.network;
  std::vector<std::uint32_t> comparisons;
  for (std::size_t other = 0; other < network.scores.size(); ++other) {
    const std::size_t winner = query.target.value_or(other), loser = query.target ? other : query.label;
    if (winner == loser) continue;
    const bool strict = query.ties == TieRule::network && !wins_ties(network, winner, loser);
    comparisons.push_back(question.property.add(compare_scores(network, static_cast<std::uint32_t>(winner),
                                                               static_cast<std::uint32_t>(loser), strict)));
  }
  question.property.add(query.target ? Property::Kind::all : Property::Kind::any, std::move(comparisons));
}

}  // namespace

// Among equal scores the network's answer is the lowest or the highest class.
bool wins_ties(const Network& network, std::size_t winner, std::size_t loser) {
  return network.tie == ClassTie::lowest ? winner < loser : winner > loser;
}

FlipQuestion region_question(const Network& network, const Region& region) {
  FlipQuestion question;
  question.network = &network;
  if (region.values) {
    check_values(network, *region.values);
    question.values = *region.values;
    question.largest = region.norm == Norm::linf;
  } else {
    for (std::size_t i = 0; i < network.inputs.size(); ++i) {
      const NumericInput* number = number_of(network, i);
      question.values.push_back(number != nullptr ? number->low : mpq_class(0));
    }
    question.largest = true;
  }
  question.bits = binarize(network, question.values);
  add_flips(question, region.values ? region : Region{{}, Norm::linf, mpq_class(1)});
  return question;
}

FlipQuestion make_question(const Network& network, const VerifyQuery& query) {
  if (!is_classifier(network)) throw InputError("the network is not a classifier: it has no scores");
  const std::size_t classes = network.scores.size();
  if (query.label >= classes || query.target.value_or(0) >= classes)
    throw InputError(fmt::format("there is no such class: the network has {}", classes));
  if (query.target == query.label) throw InputError("the target is the label");
  FlipQuestion question = region_question(network, {query.values, query.norm, query.epsilon});
  add_property(question, query);
  return question;
}

std::int64_t cost_of(const FlipQuestion& question, const FlipSet& set) {
  std::int64_t cost = 0;
  for (const std::uint32_t flip : set) {
    const std::int64_t one = question.flips[flip].cost;
    cost = question.largest ? std::max(cost, one) : checked_add(cost, one);
  }
  return cost;
}

std::vector<mpq_class> changed_values(const FlipQuestion& question, const FlipSet& set) {
  std::vector<mpq_class> values = question.values;
  for (const std::uint32_t flip : set) values[question.flips[flip].input] = question.flips[flip].value;
  return values;
}

bool is_classified_otherwise(const Network& network, const VerifyQuery& query,
                             std::span<const mpq_class> values) {
  const std::vector<mpq_class> scores = reference_scores(network, binarize(network, values));
  if (query.ties == TieRule::network) {
    const std::size_t best = best_class(scores, network.tie);
    return query.target ? best == *query.target : best != query.label;
  }
  if (query.target) return *std::max_element(scores.begin(), scores.end()) == scores[*query.target];
  for (std::size_t c = 0; c < scores.size(); ++c) {
    if (c != query.label && scores[c] >= scores[query.label]) return true;
  }
  return false;
}

mpq_class distance(Norm norm, std::span<const mpq_class> from, std::span<const mpq_class> to) {
  assert(from.size() == to.size());
  mpq_class total = 0;
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (from[i] == to[i]) continue;
    const mpq_class cost = cost_by(norm, to[i] - from[i]);
    total = norm == Norm::linf ? std::max(total, cost) : mpq_class(total + cost);
  }
  return total;
}

mpq_class largest_distance(Norm norm, const mpq_class& epsilon) {
  return norm == Norm::l2 ? mpq_class(epsilon * epsilon) : epsilon;
}

}  // namespace bnnplan::verification

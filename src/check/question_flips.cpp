// Inputs near a given one. x1, x2, ... say which bits of the input are flipped; a bit is x_i, or ~x_i if it
// is 1 in the given input. If the largest flip counts, there is a variable for each different cost, which
// says that a flip of this cost or more is used:
//
//   minimise  sum over k of (cost k - cost k-1) reached_k
//   reached_k -> reached_k-1,  x_i -> reached_(cost of i)
#include "bnnplan/check/question_flips.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "bnnplan/base/exact_number.hpp"

namespace bnnplan::checking {

using verification::Norm;
using verification::Region;

NumericInput range_of(const Network& network, std::size_t input) {
  if (has_numbers(network) && network.numbers[input]) return *network.numbers[input];
  return {1, 0, 1, 1};
}

mpz_class first_reaching(const NumericInput& range, const mpq_class& threshold) {
  return std::max(ceiling_of((threshold - range.low) / range.step), mpz_class(0));
}

mpz_class last_of(const NumericInput& range) { return floor_of((range.high - range.low) / range.step); }

Flips flips_of(const Network& network, const Region& region) {
  Flips result;
  result.largest = !region.values || region.norm == Norm::linf;
  if (region.values && region.values->size() != network.inputs.size())
    throw InputError("the network takes another number of inputs");
  if (region.epsilon && *region.epsilon < 0) throw InputError("epsilon is negative");
  std::vector<mpq_class> costs;
  for (std::uint32_t i = 0; i < network.inputs.size(); ++i) {
    const NumericInput range = range_of(network, i);
    const mpq_class value = region.values ? (*region.values)[i] : range.low;
    const bool is_bit = !has_numbers(network) || !network.numbers[i];
    if (value < range.low || value > range.high || (is_bit && value != 0 && value != 1))
      throw InputError(fmt::format("the network does not allow input {} to be {}", i + 1, exact_text(value)));
    const bool bit = value >= range.threshold;
    result.bits.push_back(bit);
    mpz_class k = first_reaching(range, range.threshold);
    if (bit) k = std::min(mpz_class(k - 1), last_of(range));
    if (k < 0 || k > last_of(range)) continue;
    const mpq_class change = range.low + range.step * k - value;
    costs.push_back(!region.values || region.norm == Norm::l0 ? mpq_class(1)
                    : region.norm == Norm::l2                 ? mpq_class(change * change)
                                                              : mpq_class(abs(change)));
    result.flips.push_back({i, 0});
  }
  result.unit = common_unit(costs);
  mpz_class all = 0;
  for (std::size_t i = 0; i < costs.size(); ++i) {
    const mpz_class cost(costs[i] / result.unit);
    if (cost > mpz_class(1) << 46)
      throw verification::TooFineError(
          "distances are too fine: in their common unit they do not fit into 46 bits");
    all += cost;
    result.flips[i].cost = cost.get_si();
  }
  std::stable_sort(result.flips.begin(), result.flips.end(),
                   [](const Flips::Flip& a, const Flips::Flip& b) { return a.cost < b.cost; });
  if (region.values && !region.epsilon) return result;
  const mpq_class epsilon = region.values ? *region.epsilon : mpq_class(1);
  const mpq_class most = region.values && region.norm == Norm::l2 ? mpq_class(epsilon * epsilon) : epsilon;
  result.budget = std::min(floor_of(most / result.unit), all).get_si();
  std::erase_if(result.flips, [&](const Flips::Flip& flip) { return flip.cost > *result.budget; });
  return result;
}

std::vector<Lit> add_flips(QuestionRows& rows, const Flips& flips) {
  std::vector<bool> can_flip(flips.bits.size());
  for (const Flips::Flip& flip : flips.flips) can_flip[flip.input] = true;
  std::vector<Lit> bits;
  for (std::size_t i = 0; i < flips.bits.size(); ++i) {
    const Lit flipped = rows.new_variable();
    bits.push_back(flips.bits[i] ? ~flipped : flipped);
    if (!can_flip[i]) rows.add({{1, ~flipped}}, 1);
  }
  for (const auto& [one, other] : flips.implications) rows.add({{1, ~bits[one]}, {1, bits[other]}}, 1);
  return bits;
}

void add_costs(QuestionRows& rows, const Flips& flips) {
  rows.formula.has_objective = !flips.budget;
  Terms terms;
  for (const auto& [input, cost] : flips.flips) terms.push_back({cost, Lit::positive({input})});
  if (flips.budget) {
    if (!flips.largest) rows.add(negated(terms), -*flips.budget);
    return;
  }
  if (!flips.largest) {
    rows.formula.objective = std::move(terms);
    return;
  }
  std::vector<std::pair<std::int64_t, Lit>> reached;  // costs, ascending
  for (const auto& [cost, flipped] : terms) {
    if (!reached.empty() && reached.back().first == cost) continue;
    const std::int64_t before = reached.empty() ? 0 : reached.back().first;
    const Lit level = rows.new_variable();
    rows.formula.objective.push_back({cost - before, level});
    if (!reached.empty()) rows.add({{1, ~level}, {1, reached.back().second}}, 1);
    reached.emplace_back(cost, level);
  }
  auto level = reached.begin();
  for (const auto& [cost, flipped] : terms) {
    while (level->first < cost) ++level;
    rows.add({{1, ~flipped}, {1, level->second}}, 1);
  }
}

}  // namespace bnnplan::checking

// The exact order of scores, which are rational numbers, in 64-bit integers: the scores times their common
// denominator if that fits, otherwise the rank of each. A score of n inputs has n + 1 values, so there is a
// rank for each value of each class: 10,010 of them for 10 classes over 1,000 neurons.
//
// Scales and biases with the same order, in few digits: if the scales are multiples of a unit that is not too
// small, a score is  unit * (M + f), M an integer, 0 <= f < 1, where f depends on the class only; so f may be
// any number with the same rank among the classes. Otherwise (scales with all the digits of doubles) they are
// rounded to the limit, and the resulting order of all values is compared with the exact one.
#include "bnnplan/network/score_order.hpp"

#include <algorithm>
#include <limits>
#include <set>

#include "bnnplan/base/exact_number.hpp"

namespace bnnplan {

namespace {

std::vector<std::vector<std::int64_t>> ranks(const Network& network) {
  struct Value {
    mpq_class score;
    std::int64_t* rank;
  };
  std::vector<std::vector<std::int64_t>> keys;
  std::vector<Value> values;
  for (const Score& score : network.scores) {
    const std::int32_t inputs = fan_in(score.weights);
    std::vector<std::int64_t>& row = keys.emplace_back(static_cast<std::size_t>(inputs) + 1);
    for (std::int32_t agreeing = 0; agreeing <= inputs; ++agreeing) {
      values.push_back(
          {score.scale * (2 * agreeing - inputs) + score.bias, &row[static_cast<std::size_t>(agreeing)]});
    }
  }
  std::sort(values.begin(), values.end(), [](const Value& a, const Value& b) { return a.score < b.score; });
  for (std::size_t i = 1; i < values.size(); ++i)
    *values[i].rank = *values[i - 1].rank + (values[i].score == values[i - 1].score ? 0 : 1);
  return keys;
}

struct Line {
  mpz_class scale, bias;
};

std::optional<IntegerScores> within(const Network& network, const std::vector<Line>& lines,
                                    std::int64_t limit) {
  IntegerScores integers;
  for (std::size_t c = 0; c < lines.size(); ++c) {
    if (lines[c].scale * std::max(fan_in(network.scores[c].weights), 1) + abs(lines[c].bias) > limit)
      return std::nullopt;
    integers.scales.push_back(lines[c].scale.get_si());
    integers.biases.push_back(lines[c].bias.get_si());
  }
  return integers;
}

std::vector<std::vector<std::int64_t>> keys_of(const Network& network, const IntegerScores& integers) {
  std::vector<std::vector<std::int64_t>> keys;
  for (std::size_t c = 0; c < network.scores.size(); ++c) {
    const std::int32_t inputs = fan_in(network.scores[c].weights);
    std::vector<std::int64_t>& row = keys.emplace_back();
    for (std::int32_t agreeing = 0; agreeing <= inputs; ++agreeing)
      row.push_back(integers.scales[c] * (2 * agreeing - inputs) + integers.biases[c]);
  }
  return keys;
}

std::vector<Line> multiples_of_a_unit(const Network& network) {
  mpz_class above = 0, below = 1;
  for (const Score& score : network.scores) {
    mpz_gcd(above.get_mpz_t(), above.get_mpz_t(), score.scale.get_num_mpz_t());
    mpz_lcm(below.get_mpz_t(), below.get_mpz_t(), score.scale.get_den_mpz_t());
  }
  const mpq_class unit(above, below);  // in lowest terms, as both come from reduced fractions
  const auto rest_of = [&](const Score& score) {
    const mpq_class multiple = score.bias / unit;
    return mpq_class(multiple - floor_of(multiple));
  };
  std::set<mpq_class> rests;
  for (const Score& score : network.scores) rests.insert(rest_of(score));
  std::vector<Line> lines;
  for (const Score& score : network.scores) {
    const auto rank = std::distance(rests.begin(), rests.find(rest_of(score)));
    lines.push_back(
        {floor_of(score.scale / unit) * rests.size(), floor_of(score.bias / unit) * rests.size() + rank});
  }
  return lines;
}

bool have_the_same_order(const std::vector<std::vector<std::int64_t>>& keys,
                         const std::vector<std::vector<std::int64_t>>& others) {
  std::vector<std::pair<std::int64_t, std::int64_t>> both;
  for (std::size_t c = 0; c < keys.size(); ++c)
    for (std::size_t i = 0; i < keys[c].size(); ++i) both.emplace_back(keys[c][i], others[c][i]);
  std::sort(both.begin(), both.end());
  return std::adjacent_find(both.begin(), both.end(), [](const auto& a, const auto& b) {
           return (a.first == b.first) != (a.second == b.second) || a.second > b.second;
         }) == both.end();
}

}  // namespace

std::optional<IntegerScores> integer_scores(const Network& network, std::int64_t limit) {
  mpz_class factor = 1;
  for (const Score& score : network.scores) {
    mpz_lcm(factor.get_mpz_t(), factor.get_mpz_t(), score.scale.get_den_mpz_t());
    mpz_lcm(factor.get_mpz_t(), factor.get_mpz_t(), score.bias.get_den_mpz_t());
    if (!factor.fits_slong_p()) return std::nullopt;
  }
  std::vector<Line> lines;
  for (const Score& score : network.scores)
    lines.push_back({score.scale.get_num() * (factor / score.scale.get_den()),
                     score.bias.get_num() * (factor / score.bias.get_den())});
  std::optional<IntegerScores> integers = within(network, lines, limit);
  if (integers) integers->factor = factor.get_si();
  return integers;
}

std::optional<IntegerScores> ordered_scores(const Network& network, std::int64_t limit) {
  if (auto integers = within(network, multiples_of_a_unit(network), limit)) return integers;
  mpq_class most = 0;
  for (const Score& score : network.scores)
    most = std::max(most, mpq_class(score.scale * std::max(fan_in(score.weights), 1) + abs(score.bias)));
  // The largest power of two, so that scores can be divided by it again; half the limit leaves room for
  // rounding.
  const mpq_class room = mpq_class(limit / 2) / most;
  mpq_class factor = 1;
  while (factor > room) factor /= 2;
  while (factor * 2 <= room) factor *= 2;
  std::vector<Line> lines;
  for (const Score& score : network.scores)
    lines.push_back(
        {floor_of(score.scale * factor + mpq_class(1, 2)), floor_of(score.bias * factor + mpq_class(1, 2))});
  std::optional<IntegerScores> integers = within(network, lines, limit);
  if (!integers || !have_the_same_order(score_keys(network), keys_of(network, *integers)))
    return std::nullopt;
  if (factor.get_den() == 1 && factor.get_num().fits_slong_p()) integers->factor = factor.get_num().get_si();
  return integers;
}

std::vector<std::vector<std::int64_t>> score_keys(const Network& network) {
  const auto integers = integer_scores(network, std::numeric_limits<std::int64_t>::max());
  return integers ? keys_of(network, *integers) : ranks(network);
}

}  // namespace bnnplan

// The exact order of scores, which are rational numbers, in 64-bit integers: the scores times their common
// denominator where that fits, and otherwise the rank of each of them. A score of n inputs has n + 1 values, so
// that there is a rank for each value of each class: 10 classes over 1,000 neurons are 10,010 of them.
#include "network/score_order.hpp"

#include <algorithm>
#include <limits>

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

}  // namespace

std::optional<IntegerScores> integer_scores(const Network& network, std::int64_t limit) {
  mpz_class factor = 1;
  for (const Score& score : network.scores) {
    mpz_lcm(factor.get_mpz_t(), factor.get_mpz_t(), score.scale.get_den_mpz_t());
    mpz_lcm(factor.get_mpz_t(), factor.get_mpz_t(), score.bias.get_den_mpz_t());
    if (!factor.fits_slong_p()) return std::nullopt;
  }
  IntegerScores integers;
  for (const Score& score : network.scores) {
    const mpz_class scale = score.scale.get_num() * (factor / score.scale.get_den());
    const mpz_class bias = score.bias.get_num() * (factor / score.bias.get_den());
    const mpz_class most = scale * std::max(fan_in(score.weights), 1) + abs(bias);
    if (most > limit) return std::nullopt;
    integers.scales.push_back(scale.get_si());
    integers.biases.push_back(bias.get_si());
  }
  integers.factor = factor.get_si();
  return integers;
}

std::vector<std::vector<std::int64_t>> score_keys(const Network& network) {
  const auto integers = integer_scores(network, std::numeric_limits<std::int64_t>::max());
  if (!integers) return ranks(network);
  std::vector<std::vector<std::int64_t>> keys;
  for (std::size_t c = 0; c < network.scores.size(); ++c) {
    const std::int32_t inputs = fan_in(network.scores[c].weights);
    std::vector<std::int64_t>& row = keys.emplace_back();
    for (std::int32_t agreeing = 0; agreeing <= inputs; ++agreeing)
      row.push_back(integers->scales[c] * (2 * agreeing - inputs) + integers->biases[c]);
  }
  return keys;
}

}  // namespace bnnplan

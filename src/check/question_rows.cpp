// Networks and comparisons of scores as constraints, for the checker, which shares nothing with verify/. A
// neuron y <-> at least k of n literals is two of them:
//
//   k ~y + l_1 + ... + l_n >= k        (n - k + 1) y + ~l_1 + ... + ~l_n >= n - k + 1
#include "bnnplan/check/question_rows.hpp"

#include <algorithm>

#include "bnnplan/base/checked.hpp"
#include "bnnplan/base/exact_number.hpp"

namespace bnnplan::checking {

namespace {

std::vector<Lit> opposites(std::vector<Lit> literals) {
  for (Lit& literal : literals) literal = ~literal;
  return literals;
}

// The literals that agree with the weights, sorted, and how many constants do.
std::pair<std::vector<Lit>, std::int64_t> agreeing(const std::vector<std::int8_t>& weights,
                                                   const std::vector<ReadBit>& bits) {
  std::vector<Lit> literals;
  std::int64_t constants = 0;
  for (std::size_t i = 0; i < bits.size(); ++i) {
    if (weights[i] == 0) continue;
    if (bits[i].literal) {
      literals.push_back(weights[i] > 0 ? *bits[i].literal : ~*bits[i].literal);
    } else if (bits[i].value == (weights[i] > 0)) {
      ++constants;
    }
  }
  std::sort(literals.begin(), literals.end());
  return {literals, constants};
}

std::vector<ScoreSum> scores_above(const Network& network, const std::vector<ReadBit>& bits) {
  std::vector<ScoreSum> scores;
  for (const Score& score : network.scores) {
    auto [literals, constants] = agreeing(score.weights, bits);
    const std::int64_t missing =
        fan_in(score.weights) - constants - static_cast<std::int64_t>(literals.size());
    scores.push_back({std::move(literals), score.scale, score.bias + score.scale * (constants - missing)});
  }
  if (!is_classifier(network)) {
    for (const ReadBit& bit : bits) {  // a literal l is 1/2 (l - ~l) + 1/2
      const mpq_class half(1, 2);
      scores.push_back(bit.literal ? ScoreSum{{*bit.literal}, half, half}
                                   : ScoreSum{{}, half, bit.value ? 1 : 0});
    }
  }
  return scores;
}

std::vector<ReadBit> read_bits(const std::vector<Lit>& literals) {
  std::vector<ReadBit> bits;
  for (const Lit literal : literals) bits.push_back({literal});
  return bits;
}

// One neuron for each bit, which has its value.
Layer handing_on(std::size_t bits) {
  Layer layer;
  for (std::size_t i = 0; i < bits; ++i) {
    layer.neurons.push_back({std::vector<std::int8_t>(bits), 1});
    layer.neurons.back().weights[i] = 1;
  }
  return layer;
}

}  // namespace

void QuestionRows::add_unless(SumRow row, std::optional<Lit> unless) {
  // In normal form the least value of the sum is 0.
  const std::int64_t lacking = normal_constraint(row.terms, row.bound).bound;
  if (unless && lacking > 0) row.terms.push_back({lacking, *unless});
  add(row.terms, row.bound);
}

Lit QuestionRows::add_neuron(const std::vector<Lit>& literals, std::int64_t threshold) {
  const Lit output = new_variable();
  const auto n = static_cast<std::int64_t>(literals.size());
  if (threshold <= 0 || threshold > n) {
    add({{1, threshold <= 0 ? output : ~output}}, 1);
    return output;
  }
  Terms enough{{threshold, ~output}}, too_few{{n - threshold + 1, output}};
  for (const Lit literal : literals) {
    enough.push_back({1, literal});
    too_few.push_back({1, ~literal});
  }
  add(enough, threshold);
  add(too_few, n - threshold + 1);
  return output;
}

std::vector<ScoreSum> QuestionRows::add_network(const Network& network, const std::vector<Lit>& inputs) {
  std::vector<ReadBit> bits = read_bits(inputs);
  for (const Layer& layer : network.layers) {
    std::vector<Lit> outputs;
    for (const Neuron& neuron : layer.neurons)
      outputs.push_back(add_neuron(agreeing(neuron.weights, bits).first, neuron.threshold));
    bits = read_bits(outputs);
  }
  return scores_above(network, bits);
}

std::vector<ReadBit> QuestionRows::add_layer(const Layer& layer, const std::vector<ReadBit>& bits,
                                             bool is_second) {
  std::vector<ReadBit> outputs;
  for (const Neuron& neuron : layer.neurons) {
    auto [literals, constants] = agreeing(neuron.weights, bits);
    const auto n = static_cast<std::int64_t>(literals.size());
    const std::int64_t threshold = neuron.threshold - constants;
    if (threshold <= 0 || threshold > n) {
      outputs.push_back({std::nullopt, threshold <= 0});
      continue;
    }
    const auto same = is_second ? unpaired_.find({literals, threshold}) : unpaired_.end();
    const auto opposite =
        is_second ? unpaired_.find({opposites(literals), n - threshold + 1}) : unpaired_.end();
    if (same != unpaired_.end()) {
      outputs.push_back({same->second});
      unpaired_.erase(same);
    } else if (opposite != unpaired_.end()) {
      outputs.push_back({~opposite->second});
      unpaired_.erase(opposite);
    } else {
      outputs.push_back({add_neuron(literals, threshold)});
      if (!is_second) unpaired_.emplace(Definition{literals, threshold}, *outputs.back().literal);
    }
  }
  return outputs;
}

std::pair<std::vector<ScoreSum>, std::vector<ScoreSum>> QuestionRows::add_networks(
    const Network& first, std::vector<ReadBit> first_bits, const Network& second,
    std::vector<ReadBit> second_bits) {
  const auto layer_of = [](const Network& network, std::size_t l, std::size_t bits) {
    return l < network.layers.size() ? network.layers[l] : handing_on(bits);
  };
  for (std::size_t l = 0; l < std::max(first.layers.size(), second.layers.size()); ++l) {
    unpaired_.clear();
    first_bits = add_layer(layer_of(first, l, first_bits.size()), first_bits, false);
    second_bits = add_layer(layer_of(second, l, second_bits.size()), second_bits, true);
  }
  return {scores_above(first, first_bits), scores_above(second, second_bits)};
}

std::vector<std::int64_t> necessary_agreeing(const ScoreComparison& comparison) {
  const auto& [winner, loser, strict, factor, loser_factor, bound] = comparison;
  const auto n = static_cast<std::int64_t>(winner.literals.size()),
             m = static_cast<std::int64_t>(loser.literals.size());
  std::vector<std::int64_t> necessary;
  for (std::int64_t c = 0; c <= m; ++c) {
    // factor (scale (2 a - n) + bias) >= loser_factor (...) + bound, solved for a
    const mpq_class needed = loser_factor * (loser.scale * (2 * c - m) + loser.bias) + bound;
    const mpq_class least = ((needed / factor - winner.bias) / winner.scale + n) / 2;
    mpz_class a = ceiling_of(least);
    if (strict && a == least) ++a;
    necessary.push_back(a < 0 ? 0 : a > n ? n + 1 : a.get_si());
  }
  return necessary;
}

SumRow comparison_row(const ScoreComparison& comparison) {
  const std::vector<std::int64_t> necessary = necessary_agreeing(comparison);
  const auto n = static_cast<std::int64_t>(comparison.winner.literals.size());
  // The largest r that all pairs reach for which it is true, if all others stay below.
  const auto bound_for = [&](const mpz_class& p, const mpz_class& q) -> std::optional<mpz_class> {
    std::optional<mpz_class> reached, missed;
    for (std::size_t c = 0; c < necessary.size(); ++c) {
      const mpz_class at = p * necessary[c] - q * static_cast<unsigned long>(c);
      if (necessary[c] <= n && (!reached || at < *reached)) reached = at;
      if (necessary[c] > 0 && (!missed || at - p > *missed)) missed = at - p;
    }
    if (!reached) return mpz_class(*missed + 1);
    if (missed && *missed >= *reached) return std::nullopt;
    return reached;
  };
  const mpq_class ratio =
      comparison.factor * comparison.winner.scale / (comparison.loser_factor * comparison.loser.scale);
  mpz_class p = 1, q = 0, last_p = 0, last_q = 1, num = ratio.get_num(), den = ratio.get_den();
  std::optional<mpz_class> bound;
  do {
    const mpz_class digit = num / den;
    last_p += digit * p;
    last_q += digit * q;
    swap(p, last_p);
    swap(q, last_q);
    num -= digit * den;
    swap(num, den);
    if (p > 0) bound = bound_for(p, q);
  } while (!bound);  // the last convergent is the ratio itself, which has a bound
  SumRow row{{}, small_integer(*bound)};
  for (const Lit literal : comparison.winner.literals) row.terms.push_back({small_integer(p), literal});
  for (const Lit literal : comparison.loser.literals) row.terms.push_back({-small_integer(q), literal});
  return row;
}

mpq_class common_unit(const std::vector<mpq_class>& numbers) {
  mpz_class den = 1, all = 0;
  for (const mpq_class& number : numbers) den = lcm(den, number.get_den());
  for (const mpq_class& number : numbers) all = gcd(all, mpz_class(number * den));
  if (all == 0) return 1;
  mpq_class unit(all, den);
  unit.canonicalize();
  return unit;
}

std::int64_t small_integer(const mpz_class& number) {
  if (!number.fits_slong_p()) throw OverflowError();
  return number.get_si();
}

}  // namespace bnnplan::checking

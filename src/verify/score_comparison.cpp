// Comparing two scores in small integers. With a of n inputs agreeing a score is s (2a - n) + b, so
//
//   s_w (2a - n) + b_w >= s_l (2c - m) + b_l        <=>        a >= f(c)
//
// where f rises with c: a staircase over 0..m, found exactly in rational numbers. Any p a - q c >= r with the
// same staircase will do. The ratio p/q only has to be near s_w/s_l, so its convergents are tried one after
// the other; for given p and q,
//
//   max over c of p (f(c) - 1) - q c   <   r   <=   min over c of p f(c) - q c
//
// (steps outside of 0..n bound r on one side only), and the last convergent, which is the ratio itself,
// always has such an r. Equal scales give p = q = 1; scales that are doubles with all their digits give
// numbers in the order of n m instead of 2^53.
#include "bnnplan/verify/score_comparison.hpp"

#include <optional>

#include "bnnplan/base/checked.hpp"
#include "bnnplan/base/exact_number.hpp"

namespace bnnplan::verification {

namespace {

std::int64_t small_integer(const mpz_class& x) {
  if (!x.fits_slong_p()) throw OverflowError();
  return x.get_si();
}

class Staircase {
 public:
  Staircase(const Score& winner, const Score& loser, bool strict)
      : most_(fan_in(winner.weights)), ratio_(winner.scale / loser.scale) {
    for (std::int32_t c = 0; c <= fan_in(loser.weights); ++c) {
      const mpq_class other = loser.scale * (2 * c - fan_in(loser.weights)) + loser.bias;
      const mpq_class least = ((other - winner.bias) / winner.scale + most_) / 2;  // of a
      mpz_class step = ceiling_of(least);
      if (strict && step == least) ++step;
      steps_.push_back(step < 0 ? 0 : step > most_ ? most_ + 1 : small_integer(step));
    }
  }

  // The bound r for these factors, if there is one.
  std::optional<mpz_class> bound(const mpz_class& p, const mpz_class& q) const {
    std::optional<mpz_class> below, at_most;
    for (std::size_t c = 0; c < steps_.size(); ++c) {
      const mpz_class shift = q * static_cast<unsigned long>(c);
      const mpz_class fails = p * (steps_[c] - 1) - shift, holds = p * steps_[c] - shift;
      if (steps_[c] > 0 && (!below || fails > *below)) below = fails;
      if (steps_[c] <= most_ && (!at_most || holds < *at_most)) at_most = holds;
    }
    if (!at_most) return *below + 1;
    if (below && *below >= *at_most) return std::nullopt;
    return at_most;
  }

  const mpq_class& ratio() const { return ratio_; }
  const std::vector<std::int64_t>& steps() const { return steps_; }

 private:
  std::int64_t most_;
  mpq_class ratio_;
  std::vector<std::int64_t> steps_;
};

Staircase stairs_of(const Network& network, const ScoreDifference& difference) {
  Score winner = network.scores[difference.winner], loser = network.scores[difference.loser];
  winner.scale *= difference.factor;
  winner.bias = winner.bias * difference.factor - difference.bound;
  loser.scale *= difference.loser_factor;
  loser.bias *= difference.loser_factor;
  return {winner, loser, difference.strict};
}

}  // namespace

ScoreCondition compare_scores(const Network& network, const ScoreDifference& difference) {
  const Staircase stairs = stairs_of(network, difference);
  // Convergents p/q of the continued fraction of the ratio.
  mpz_class p = 1, q = 0, last_p = 0, last_q = 1, num = stairs.ratio().get_num(),
            den = stairs.ratio().get_den();
  while (true) {
    const mpz_class digit = num / den;
    const mpz_class next_p = digit * p + last_p, next_q = digit * q + last_q;
    last_p = p, last_q = q, p = next_p, q = next_q;
    if (p > 0) {
      if (const auto bound = stairs.bound(p, q))
        return {{{difference.winner, small_integer(p)}, {difference.loser, -small_integer(q)}},
                small_integer(*bound)};
    }
    const mpz_class rest = num - digit * den;
    num = den, den = rest;
  }
}

bool are_the_same(const Network& network, const ScoreDifference& one, const ScoreDifference& other) {
  return network.scores[one.winner].weights == network.scores[other.winner].weights &&
         network.scores[one.loser].weights == network.scores[other.loser].weights &&
         stairs_of(network, one).steps() == stairs_of(network, other).steps();
}

ScoreCondition compare_scores(const Network& network, std::uint32_t winner, std::uint32_t loser,
                              bool strict) {
  return compare_scores(network, {.winner = winner, .loser = loser, .strict = strict});
}

}  // namespace bnnplan::verification

// Counting by enumeration: all sets of flips within the budget, depth first, one incremental evaluation each.
//
// A pattern of bits counts as one, or as the number of inputs that have it. For linf the numbers are
// independent, so this is a product. For the other norms changes share a budget, and the counts are the
// coefficients of a product of polynomials,
//
//   z^cost summed over the values of a number that leave its bit, g_i(z), or flip it, f_i(z)
//   inputs of a pattern within budget B  =
//     coefficients up to B of  prod over flipped f_i * prod over the others g_i
//
// g_i(0) = 1, the number as it is, so f_i / g_i is a power series with integer coefficients: a flip
// multiplies by it.
//
// If there are too many sets, those enumerated give the lower bound, and all others might count.
#include "bnnplan/verify/count.hpp"

#include <algorithm>
#include <cassert>

#include <fmt/format.h>

#include "bnnplan/base/input_error.hpp"
#include "bnnplan/network/reference_inference.hpp"
#include "bnnplan/verify/answer_question.hpp"
#include "bnnplan/verify/flip_network.hpp"

namespace bnnplan::verification {

namespace {

constexpr std::int64_t most_degrees = 4096;
constexpr std::int64_t most_values = 1 << 20;  // of one number
// Of the time left, if there is too much to enumerate.
constexpr double share_of_solver = 0.5;

using Series = std::vector<mpz_class>;  // coefficients up to a degree

Series product(const Series& a, const Series& b) {
  Series result(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] == 0) continue;
    for (std::size_t j = 0; i + j < b.size(); ++j) {
      if (b[j] != 0) result[i + j] += a[i] * b[j];
    }
  }
  return result;
}

Series quotient(Series a, const Series& b) {
  assert(b[0] == 1);
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 1; i + j < b.size(); ++j) {
      if (b[j] != 0 && a[i] != 0) a[i + j] -= a[i] * b[j];
    }
  }
  return a;
}

mpz_class sum_of(const Series& series) {
  mpz_class sum = 0;
  for (const mpz_class& coefficient : series) sum += coefficient;
  return sum;
}

// The number of inputs that a pattern stands for, as a series that flips multiply; when counting patterns, 1.
struct Weights {
  Series start;                // no flips
  std::vector<Series> factor;  // by flip of the question
  mpz_class total = 0;
  bool trivial = false;  // every pattern counts for one
};

// The values of one number: the cost of each, and whether its bit differs from that of the given number.
struct ValueCost {
  mpq_class cost;
  bool flips = false;
};

std::vector<ValueCost> values_of_input(const FlipQuestion& question, const VerifyQuery& query,
                                       std::size_t i) {
  const Network& network = *question.network;
  NumericInput range{1, 0, 1, 1};
  if (has_numbers(network) && network.numbers[i]) range = *network.numbers[i];
  if ((range.high - range.low) / range.step > most_values)
    throw InputError(
        fmt::format("input {} ('{}') has too many values to count", i + 1, printable(network.inputs[i])));
  std::vector<ValueCost> values;
  bool has_own = false;
  for (mpq_class x = range.low; x <= range.high; x += range.step) {
    const std::vector<mpq_class> from{question.values[i]}, to{x};
    values.push_back({distance(query.norm, from, to), (x >= range.threshold) != (question.bits[i] != 0)});
    if (x == question.values[i]) has_own = true;
  }
  if (!has_own)
    throw InputError(
        fmt::format("input {} ('{}') is not one of its allowed numbers, so values cannot be counted", i + 1,
                    printable(network.inputs[i])));
  return values;
}

// A single coefficient, with all costs 0, if the largest change counts: each number is within the budget or
// not.
Weights value_weights(const FlipQuestion& question, const VerifyQuery& query) {
  const mpq_class most = largest_distance(query.norm, *query.epsilon);
  std::vector<std::vector<ValueCost>> values;
  mpz_class den = most.get_den();
  for (std::size_t i = 0; i < question.values.size(); ++i) {
    values.push_back(values_of_input(question, query, i));
    for (const ValueCost& value : values.back()) den = lcm(den, value.cost.get_den());
  }
  mpz_class unit = 0;
  for (const auto& of_input : values) {
    for (const ValueCost& value : of_input) unit = gcd(unit, mpz_class(value.cost * den));
  }
  if (unit == 0) unit = 1;
  mpz_class degrees = query.norm == Norm::linf ? mpz_class(0) : mpz_class(mpz_class(most * den) / unit);
  if (query.norm == Norm::l0)
    degrees = std::min(degrees, mpz_class(static_cast<unsigned long>(values.size())));
  if (degrees > most_degrees)
    throw TooFineError("distances are too fine to count values in this norm; patterns can be counted");
  Weights weights;
  weights.start.assign(degrees.get_ui() + 1, 0);
  weights.start[0] = 1;
  Series all = weights.start;
  std::vector<Series> factors;
  for (const auto& of_input : values) {
    Series stays(weights.start.size()), flips(weights.start.size());
    for (const ValueCost& value : of_input) {
      if (value.cost > most) continue;
      const mpz_class cost =
          query.norm == Norm::linf ? mpz_class(0) : mpz_class(mpz_class(value.cost * den) / unit);
      (value.flips ? flips : stays)[cost.get_ui()] += 1;
    }
    Series both = stays;
    for (std::size_t k = 0; k < both.size(); ++k) both[k] += flips[k];
    all = product(all, both);
    weights.start = product(weights.start, stays);
    if (query.norm == Norm::linf) {
      // stays[0] divides the product so far, which is all that a flip is applied to.
      factors.push_back({flips[0], stays[0]});
    } else {
      factors.push_back(quotient(flips, stays));
    }
  }
  for (const Flip& flip : question.flips) weights.factor.push_back(factors[flip.input]);
  weights.total = sum_of(all);
  return weights;
}

// The number of sets of flips within the budget.
mpz_class all_patterns(const FlipQuestion& question) {
  const auto most = static_cast<mp_bitcnt_t>(question.flips.size());
  if (question.largest) return mpz_class(1) << most;
  std::int64_t sum = 0;
  for (const Flip& flip : question.flips) sum += flip.cost;
  const std::int64_t budget = std::min(*question.budget, sum);
  if (budget == sum) return mpz_class(1) << most;
  if (budget > 1'000'000) return mpz_class(1) << most;  // a bound is enough
  Series sets(static_cast<std::size_t>(budget) + 1);
  sets[0] = 1;
  for (const Flip& flip : question.flips) {
    for (std::int64_t c = budget; c >= flip.cost; --c)
      sets[static_cast<std::size_t>(c)] += sets[static_cast<std::size_t>(c - flip.cost)];
  }
  return sum_of(sets);
}

class Counting {
 public:
  Counting(const FlipQuestion& question, const Weights& weights, LimitWatch& watch, std::uint64_t most)
      : question_(question),
        weights_(weights),
        watch_(watch),
        network_(question),
        scratch_(network_.scratch()),
        most_(most) {}

  void run() {
    states_.push_back(network_.start());
    series_.push_back(weights_.start);
    meet(0, network_.start_margin());
    visit(0, 0, 0, network_.start_margin());
  }

  mpz_class found = 0, seen = 0;
  std::uint64_t evaluations = 0;
  bool complete = true;

 private:
  std::int64_t grown(std::int64_t cost, std::size_t flip) const {
    return question_.largest ? question_.flips[flip].cost : cost + question_.flips[flip].cost;
  }

  // Counts a pattern, whose series is at this depth.
  void meet(std::size_t depth, Margin margin) {
    if (weights_.trivial) {
      ++seen;
      if (margin >= 0) ++found;
      return;
    }
    const mpz_class inputs = sum_of(series_[depth]);
    seen += inputs;
    if (margin >= 0) found += inputs;
  }

  void flip_series(std::size_t depth, std::size_t flip) {
    if (weights_.trivial) return;
    if (series_.size() == depth + 1) series_.emplace_back();
    const Series& factor = weights_.factor[flip];
    if (question_.largest) {
      series_[depth + 1] = {mpz_class(series_[depth][0] / factor[1] * factor[0])};
    } else {
      series_[depth + 1] = product(series_[depth], factor);
    }
  }

  void visit(std::size_t depth, std::size_t first, std::int64_t cost, Margin margin) {
    if (states_.size() == depth + 1) states_.push_back(std::vector<std::int16_t>(network_.state_size()));
    for (std::size_t flip = first; flip < question_.flips.size(); ++flip) {
      const std::int64_t next_cost = grown(cost, flip);
      if (next_cost > *question_.budget) break;
      if (++evaluations > most_ || ((evaluations & 0xfff) == 0 && watch_.should_stop())) complete = false;
      if (!complete) return;
      const std::uint32_t input = question_.flips[flip].input;
      const Margin next = network_.flip(input, question_.bits[input] == 0, states_[depth].data(), margin,
                                        states_[depth + 1].data(), scratch_);
      flip_series(depth, flip);
      meet(depth + 1, next);
      visit(depth + 1, flip + 1, next_cost, next);
      if (!complete) return;
    }
  }

  const FlipQuestion& question_;
  const Weights& weights_;
  LimitWatch& watch_;
  FlipNetwork network_;
  FlipNetwork::Scratch scratch_;
  std::uint64_t most_;
  std::vector<FlipState> states_;
  std::vector<Series> series_;
};

}  // namespace

CountOutcome count_misclassified(const Network& network, const VerifyQuery& query, CountOf what,
                                 const Limits& limits, std::uint64_t most) {
  if (!query.epsilon) throw InputError("counting needs a region: an epsilon and a norm");
  const FlipQuestion question = make_question(network, query);
  if (!FlipNetwork::is_possible(network)) throw InputError("the network is too wide for counting");
  LimitWatch watch(limits);
  CountOutcome outcome;
  Weights weights;
  if (what == CountOf::values) {
    weights = value_weights(question, query);
  } else {
    weights.trivial = true;
    weights.total = all_patterns(question);
  }
  outcome.total = weights.total;
  const mpz_class patterns = all_patterns(question);
  if (patterns > mpz_class(static_cast<unsigned long>(most))) {
    QuestionRequest request;
    request.limits = limits;
    if (limits.seconds) request.limits.seconds = *limits.seconds * share_of_solver;
    const QuestionAnswer answer = answer_question(question, request);
    outcome.evaluations = answer.evaluations;
    outcome.conflicts = answer.conflicts;
    if (answer.decided && !answer.best) {
      outcome.exact = true;
      outcome.decided_by = answer.decided_by;
      return outcome;
    }
  }
  Counting counting(question, weights, watch, most);
  counting.run();
  outcome.evaluations += counting.evaluations;
  outcome.lower = counting.found;
  outcome.exact = counting.complete;
  outcome.upper =
      counting.complete ? counting.found : mpz_class(counting.found + outcome.total - counting.seen);
  if (counting.complete) {
    outcome.decided_by = "enumeration";
    outcome.total = counting.seen;  // it may have been only a bound
  }
  outcome.stopped =
      watch.reason() != StopReason::none || counting.complete ? watch.reason() : StopReason::too_large;
  return outcome;
}

}  // namespace bnnplan::verification

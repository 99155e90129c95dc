// Drawing from the distributions of RDDL. The standard library's distributions differ from one implementation
// to the next, so these are written out: by inversion if there is a formula,
//
//   x = F^-1(u)    (exponential, Weibull, Gumbel, Laplace, Cauchy, Pareto, Gompertz, Kumaraswamy, geometric)
//
// the normal distribution by Marsaglia's polar method, the gamma distribution by Marsaglia and Tsang (2000),
// and from these beta, chi-square and Student. Poisson and binomial counts are exact as well: the k-th of n
// points, or the k-th arrival, is itself gamma or beta distributed, which halves the problem (Ahrens and
// Dieter 1974) until it is small enough to count.
#include "bnnplan/rddl/ground/draw.hpp"

#include <cmath>
#include <numbers>

#include <fmt/format.h>

namespace bnnplan::rddl {

namespace {

// In [0, 1), and in (0, 1).
double unit(SimulationRandom& random) { return static_cast<double>(random() >> 11) * 0x1p-53; }
double open_unit(SimulationRandom& random) { return (static_cast<double>(random() >> 12) + 0.5) * 0x1p-52; }

double normal(SimulationRandom& random) {
  while (true) {
    const double x = 2 * unit(random) - 1, y = 2 * unit(random) - 1;
    const double square = x * x + y * y;
    if (square < 1 && square > 0) return x * std::sqrt(-2 * std::log(square) / square);
  }
}

double exponential(SimulationRandom& random) { return -std::log(open_unit(random)); }

double gamma(double shape, SimulationRandom& random) {
  if (shape < 1) return gamma(shape + 1, random) * std::pow(open_unit(random), 1 / shape);
  const double d = shape - 1.0 / 3, c = 1 / std::sqrt(9 * d);
  while (true) {
    const double x = normal(random), root = 1 + c * x;
    if (root <= 0) continue;
    const double v = root * root * root;
    if (std::log(open_unit(random)) < 0.5 * x * x + d - d * v + d * std::log(v)) return d * v;
  }
}

double beta(double a, double b, SimulationRandom& random) {
  const double x = gamma(a, random), y = gamma(b, random);
  return x / (x + y);
}

double binomial(double count, double probability, SimulationRandom& random) {
  constexpr double few = 32;
  double successes = 0;
  while (count > few && probability > 0 && probability < 1) {
    // The i-th smallest of `count` uniform points.
    const double i = std::floor((count + 1) / 2);
    const double point = beta(i, count - i + 1, random);
    if (point <= probability) {
      successes += i;
      count -= i;
      probability = (probability - point) / (1 - point);
    } else {
      count = i - 1;
      probability = probability / point;
    }
  }
  if (probability >= 1) return successes + count;
  for (double i = 0; i < count; ++i) successes += unit(random) < probability ? 1 : 0;
  return successes;
}

double poisson(double rate, SimulationRandom& random) {
  constexpr double small = 16;
  double arrivals = 0;
  while (rate > small) {
    const double k = std::floor(rate * 7 / 8);
    const double time = gamma(k, random);  // of the k-th arrival
    if (time > rate) return arrivals + binomial(k - 1, rate / time, random);
    arrivals += k;
    rate -= time;
  }
  for (double time = exponential(random); time <= rate; time += exponential(random)) ++arrivals;
  return arrivals;
}

void need(bool holds, Distribution distribution, std::string_view what, double value) {
  if (!holds)
    throw DistributionError(fmt::format("{} of {} is {}", what, entry_of(distribution).name, value));
}

void need_positive(Distribution distribution, double a) {
  need(a > 0, distribution, "a parameter that must be positive", a);
}

void need_probability(Distribution distribution, double p) {
  need(p >= 0 && p <= 1, distribution, "the probability", p);
}

}  // namespace

double draw(Distribution distribution, double a, double b, SimulationRandom& random) {
  switch (distribution) {
    case Distribution::bernoulli:
      need_probability(distribution, a);
      return unit(random) < a ? 1 : 0;
    case Distribution::uniform:
      need(a <= b, distribution, "the upper bound, below the lower one,", b);
      return a + (b - a) * unit(random);
    case Distribution::normal:
      need(b >= 0, distribution, "the variance", b);
      return a + std::sqrt(b) * normal(random);
    case Distribution::binomial:
      need(a >= 0 && a == std::floor(a), distribution, "the count", a);
      need_probability(distribution, b);
      return binomial(a, b, random);
    case Distribution::negative_binomial:
      need_positive(distribution, a);
      need(b > 0 && b <= 1, distribution, "the probability", b);
      return b == 1 ? 0 : poisson(gamma(a, random) * (1 - b) / b, random);
    case Distribution::poisson:
      need(a >= 0, distribution, "the rate", a);
      return poisson(a, random);
    case Distribution::geometric:
      need(a > 0 && a <= 1, distribution, "the probability", a);
      return a == 1 ? 1 : std::floor(exponential(random) / -std::log1p(-a)) + 1;
    case Distribution::laplace:
    case Distribution::gumbel:
    case Distribution::cauchy:
      need_positive(distribution, b);
      break;
    default:
      need_positive(distribution, a);
      if (entry_of(distribution).parameters == 2) need_positive(distribution, b);
      break;
  }
  const double u = open_unit(random);
  switch (distribution) {
    case Distribution::exponential:
      return -a * std::log(u);
    case Distribution::weibull:
      return b * std::pow(-std::log(u), 1 / a);
    case Distribution::gumbel:
      return a - b * std::log(-std::log(u));
    case Distribution::laplace:
      return u < 0.5 ? a + b * std::log(2 * u) : a - b * std::log(2 * (1 - u));
    case Distribution::cauchy:
      return a + b * std::tan(std::numbers::pi * (u - 0.5));
    case Distribution::pareto:
      return b * (std::pow(u, -1 / a) - 1);
    case Distribution::gompertz:
      return std::log(1 - std::log(u) / a) / b;
    case Distribution::kumaraswamy:
      return std::pow(1 - std::pow(u, 1 / b), 1 / a);
    case Distribution::gamma:
      return b * gamma(a, random);
    case Distribution::beta:
      return beta(a, b, random);
    case Distribution::chi_square:
      return 2 * gamma(a / 2, random);
    case Distribution::student:
      return normal(random) / std::sqrt(2 * gamma(a / 2, random) / a);
    default:
      throw std::logic_error("a distribution that is not drawn here");
  }
}

std::size_t draw_index(std::span<const double> weights, bool unnormalized, SimulationRandom& random) {
  double sum = 0;
  for (const double weight : weights) {
    if (!(weight >= 0)) throw DistributionError(fmt::format("a probability is {}", weight));
    sum += weight;
  }
  constexpr double tolerance = 1e-5;
  if (!(sum > 0) || (!unnormalized && std::abs(sum - 1) > tolerance))
    throw DistributionError(fmt::format("the probabilities sum to {}, expected 1", sum));
  double left = unit(random) * sum;
  std::size_t last = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] == 0) continue;
    last = i;
    if (left < weights[i]) return i;
    left -= weights[i];
  }
  return last;
}

}  // namespace bnnplan::rddl

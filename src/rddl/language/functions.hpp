#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace bnnplan::rddl {

// The functions of RDDL whose results are not exact: ln[x], sin[x], ...
enum class MathFunction : std::uint8_t {
  cos,
  sin,
  tan,
  acos,
  asin,
  atan,
  cosh,
  sinh,
  tanh,
  exp,
  ln,
  sqrt,
  lngamma,
  gamma,
  fmod,
  log,
  hypot
};

// The scalar distributions of RDDL. Parameters as in pyRDDLGym: Normal has a variance, Exponential
// and Weibull have a scale, Geometric begins at 1.
enum class Distribution : std::uint8_t {
  bernoulli,
  beta,
  binomial,
  cauchy,
  chi_square,
  exponential,
  gamma,
  geometric,
  gompertz,
  gumbel,
  kumaraswamy,
  laplace,
  negative_binomial,
  normal,
  pareto,
  poisson,
  student,
  uniform,
  weibull,
  discrete,              // a probability for each object of a type
  unnormalized_discrete  // a weight for each
};

// What a distribution draws: 0 or 1, an integer, a real, or the number of an object.
enum class DrawnKind : std::uint8_t { boolean, integer, real, object };

struct MathFunctionEntry {
  std::string_view name;
  MathFunction function;
  std::size_t operands;             // 1 or 2
  double (*value)(double, double);  // ignores the second of one operand
};

struct DistributionEntry {
  std::string_view name;
  Distribution distribution;
  std::size_t parameters;  // 0 for discrete distributions
  DrawnKind gives;
};

// nullptr if there is no entry with this name.
const MathFunctionEntry* math_function_named(std::string_view name);
const DistributionEntry* distribution_named(std::string_view name);

const MathFunctionEntry& entry_of(MathFunction function);
const DistributionEntry& entry_of(Distribution distribution);

}  // namespace bnnplan::rddl

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace bnnplan::rddl {

// A function of RDDL whose results are not exact (ln[x], sin[x], ...), by its position in the table.
enum class MathFunction : std::uint8_t {};

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

// What kind of value an expression has, or a distribution draws: 0 or 1, an integer, a real, an object.
enum class ValueKind : std::uint8_t { boolean, integer, real, object };

struct MathFunctionEntry {
  std::string_view name;
  std::size_t operands;             // 1 or 2
  double (*value)(double, double);  // ignores the second of one operand
};

struct DistributionEntry {
  std::string_view name;
  Distribution distribution;
  std::size_t parameters;  // 0 for discrete distributions
  ValueKind gives;
};

// Nothing if there is none with this name.
std::optional<MathFunction> math_function_named(std::string_view name);
const DistributionEntry* distribution_named(std::string_view name);

const MathFunctionEntry& entry_of(MathFunction function);
const DistributionEntry& entry_of(Distribution distribution);

}  // namespace bnnplan::rddl

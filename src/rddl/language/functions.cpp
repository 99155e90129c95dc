// The functions and distributions, with what is known of each.
#include "bnnplan/rddl/language/functions.hpp"

#include <algorithm>
#include <cmath>

namespace bnnplan::rddl {

namespace {

// As in pyRDDLGym, with the sign of the second operand.
double floored_fmod(double a, double b) {
  const double rest = std::fmod(a, b);
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

// log[x, b] is to the base b, as in pyRDDLGym.
constexpr MathFunctionEntry functions[] = {
    {"cos", 1, [](double a, double) { return std::cos(a); }},
    {"sin", 1, [](double a, double) { return std::sin(a); }},
    {"tan", 1, [](double a, double) { return std::tan(a); }},
    {"acos", 1, [](double a, double) { return std::acos(a); }},
    {"asin", 1, [](double a, double) { return std::asin(a); }},
    {"atan", 1, [](double a, double) { return std::atan(a); }},
    {"cosh", 1, [](double a, double) { return std::cosh(a); }},
    {"sinh", 1, [](double a, double) { return std::sinh(a); }},
    {"tanh", 1, [](double a, double) { return std::tanh(a); }},
    {"exp", 1, [](double a, double) { return std::exp(a); }},
    {"ln", 1, [](double a, double) { return std::log(a); }},
    {"sqrt", 1, [](double a, double) { return std::sqrt(a); }},
    {"lngamma", 1, [](double a, double) { return std::lgamma(a); }},
    {"gamma", 1, [](double a, double) { return std::exp(std::lgamma(a)); }},
    {"fmod", 2, floored_fmod},
    {"log", 2, [](double a, double b) { return std::log(a) / std::log(b); }},
    {"hypot", 2, [](double a, double b) { return std::hypot(a, b); }}};

// In the order of the enumeration.
constexpr DistributionEntry distributions[] = {
    {"Bernoulli", Distribution::bernoulli, 1, ValueKind::boolean},
    {"Beta", Distribution::beta, 2, ValueKind::real},
    {"Binomial", Distribution::binomial, 2, ValueKind::integer},
    {"Cauchy", Distribution::cauchy, 2, ValueKind::real},
    {"ChiSquare", Distribution::chi_square, 1, ValueKind::real},
    {"Exponential", Distribution::exponential, 1, ValueKind::real},
    {"Gamma", Distribution::gamma, 2, ValueKind::real},
    {"Geometric", Distribution::geometric, 1, ValueKind::integer},
    {"Gompertz", Distribution::gompertz, 2, ValueKind::real},
    {"Gumbel", Distribution::gumbel, 2, ValueKind::real},
    {"Kumaraswamy", Distribution::kumaraswamy, 2, ValueKind::real},
    {"Laplace", Distribution::laplace, 2, ValueKind::real},
    {"NegativeBinomial", Distribution::negative_binomial, 2, ValueKind::integer},
    {"Normal", Distribution::normal, 2, ValueKind::real},
    {"Pareto", Distribution::pareto, 2, ValueKind::real},
    {"Poisson", Distribution::poisson, 1, ValueKind::integer},
    {"Student", Distribution::student, 1, ValueKind::real},
    {"Uniform", Distribution::uniform, 2, ValueKind::real},
    {"Weibull", Distribution::weibull, 2, ValueKind::real},
    {"Discrete", Distribution::discrete, 0, ValueKind::object},
    {"UnnormDiscrete", Distribution::unnormalized_discrete, 0, ValueKind::object}};

}  // namespace

std::optional<MathFunction> math_function_named(std::string_view name) {
  for (const MathFunctionEntry& entry : functions) {
    if (entry.name == name) return static_cast<MathFunction>(&entry - functions);
  }
  return std::nullopt;
}

const DistributionEntry* distribution_named(std::string_view name) {
  const auto found = std::find_if(std::begin(distributions), std::end(distributions),
                                  [&](const DistributionEntry& entry) { return entry.name == name; });
  return found == std::end(distributions) ? nullptr : found;
}

const MathFunctionEntry& entry_of(MathFunction function) {
  return functions[static_cast<std::size_t>(function)];
}

const DistributionEntry& entry_of(Distribution distribution) {
  return distributions[static_cast<std::size_t>(distribution)];
}

}  // namespace bnnplan::rddl

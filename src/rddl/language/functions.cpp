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

// Both in the order of their enumerations. log[x, b] is to the base b, as in pyRDDLGym.
constexpr MathFunctionEntry functions[] = {
    {"cos", MathFunction::cos, 1, [](double a, double) { return std::cos(a); }},
    {"sin", MathFunction::sin, 1, [](double a, double) { return std::sin(a); }},
    {"tan", MathFunction::tan, 1, [](double a, double) { return std::tan(a); }},
    {"acos", MathFunction::acos, 1, [](double a, double) { return std::acos(a); }},
    {"asin", MathFunction::asin, 1, [](double a, double) { return std::asin(a); }},
    {"atan", MathFunction::atan, 1, [](double a, double) { return std::atan(a); }},
    {"cosh", MathFunction::cosh, 1, [](double a, double) { return std::cosh(a); }},
    {"sinh", MathFunction::sinh, 1, [](double a, double) { return std::sinh(a); }},
    {"tanh", MathFunction::tanh, 1, [](double a, double) { return std::tanh(a); }},
    {"exp", MathFunction::exp, 1, [](double a, double) { return std::exp(a); }},
    {"ln", MathFunction::ln, 1, [](double a, double) { return std::log(a); }},
    {"sqrt", MathFunction::sqrt, 1, [](double a, double) { return std::sqrt(a); }},
    {"lngamma", MathFunction::lngamma, 1, [](double a, double) { return std::lgamma(a); }},
    {"gamma", MathFunction::gamma, 1, [](double a, double) { return std::exp(std::lgamma(a)); }},
    {"fmod", MathFunction::fmod, 2, floored_fmod},
    {"log", MathFunction::log, 2, [](double a, double b) { return std::log(a) / std::log(b); }},
    {"hypot", MathFunction::hypot, 2, [](double a, double b) { return std::hypot(a, b); }}};

constexpr DistributionEntry distributions[] = {
    {"Bernoulli", Distribution::bernoulli, 1, DrawnKind::boolean},
    {"Beta", Distribution::beta, 2, DrawnKind::real},
    {"Binomial", Distribution::binomial, 2, DrawnKind::integer},
    {"Cauchy", Distribution::cauchy, 2, DrawnKind::real},
    {"ChiSquare", Distribution::chi_square, 1, DrawnKind::real},
    {"Exponential", Distribution::exponential, 1, DrawnKind::real},
    {"Gamma", Distribution::gamma, 2, DrawnKind::real},
    {"Geometric", Distribution::geometric, 1, DrawnKind::integer},
    {"Gompertz", Distribution::gompertz, 2, DrawnKind::real},
    {"Gumbel", Distribution::gumbel, 2, DrawnKind::real},
    {"Kumaraswamy", Distribution::kumaraswamy, 2, DrawnKind::real},
    {"Laplace", Distribution::laplace, 2, DrawnKind::real},
    {"NegativeBinomial", Distribution::negative_binomial, 2, DrawnKind::integer},
    {"Normal", Distribution::normal, 2, DrawnKind::real},
    {"Pareto", Distribution::pareto, 2, DrawnKind::real},
    {"Poisson", Distribution::poisson, 1, DrawnKind::integer},
    {"Student", Distribution::student, 1, DrawnKind::real},
    {"Uniform", Distribution::uniform, 2, DrawnKind::real},
    {"Weibull", Distribution::weibull, 2, DrawnKind::real},
    {"Discrete", Distribution::discrete, 0, DrawnKind::object},
    {"UnnormDiscrete", Distribution::unnormalized_discrete, 0, DrawnKind::object}};

template <class Entries>
auto find_name(const Entries& entries, std::string_view name) -> decltype(std::begin(entries)) {
  const auto found = std::find_if(std::begin(entries), std::end(entries),
                                  [&](const auto& entry) { return entry.name == name; });
  return found == std::end(entries) ? nullptr : found;
}

}  // namespace

const MathFunctionEntry* math_function_named(std::string_view name) { return find_name(functions, name); }

const DistributionEntry* distribution_named(std::string_view name) { return find_name(distributions, name); }

const MathFunctionEntry& entry_of(MathFunction function) {
  return functions[static_cast<std::size_t>(function)];
}

const DistributionEntry& entry_of(Distribution distribution) {
  return distributions[static_cast<std::size_t>(distribution)];
}

}  // namespace bnnplan::rddl

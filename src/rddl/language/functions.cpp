// The names of functions and distributions.
#include "rddl/language/functions.hpp"

#include <algorithm>

namespace bnnplan::rddl {

namespace {

// Both in the order of their enumerations.
constexpr MathFunctionEntry functions[] = {
    {"cos", MathFunction::cos, 1},         {"sin", MathFunction::sin, 1},     {"tan", MathFunction::tan, 1},
    {"acos", MathFunction::acos, 1},       {"asin", MathFunction::asin, 1},   {"atan", MathFunction::atan, 1},
    {"cosh", MathFunction::cosh, 1},       {"sinh", MathFunction::sinh, 1},   {"tanh", MathFunction::tanh, 1},
    {"exp", MathFunction::exp, 1},         {"ln", MathFunction::ln, 1},       {"sqrt", MathFunction::sqrt, 1},
    {"lngamma", MathFunction::lngamma, 1}, {"gamma", MathFunction::gamma, 1}, {"fmod", MathFunction::fmod, 2},
    {"log", MathFunction::log, 2},         {"hypot", MathFunction::hypot, 2}};

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

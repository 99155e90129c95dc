// Determinization: each distribution is replaced by an expression of its parameters, and so remains a
// function of state and action. With u the random number of a sample,
//
//   Bernoulli(p)              most likely: p > 1/2      threshold: p >= P      sample: p > u
//   Bernoulli as a mean: p >= 1/2, the nearest truth; other numbers have a formula each
//   Discrete(p_0, p_1, ...)   the first i with the largest p_i; p_i >= P; or u < p_0 + ... + p_i
#include "bnnplan/rddl/compile/planning_model.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "bnnplan/base/checked.hpp"
#include "bnnplan/base/decimal.hpp"
#include "bnnplan/rddl/compile/futures.hpp"
#include "bnnplan/rddl/ground/draw.hpp"

namespace bnnplan::rddl {

namespace {

class Rewriter {
 public:
  Rewriter(const GroundModel& from, const Determinization& how, const FixedPoint& precision)
      : from_(from),
        how_(how),
        random_(how.seed),
        to_(from),
        known_(from.nodes.size()),
        exact_(!precision.empty()) {
    to_.nodes = NodePool(from.nodes.limit());
    for (auto* list : {&to_.state, &to_.action}) {
      for (GroundVariable& variable : *list) {
        const std::optional<int> decimals = decimals_of(precision, variable);
        if (!decimals) continue;
        const double value = real_of_value(variable.initial) * std::pow(10.0, *decimals);
        if (!(std::abs(value) < 1e15))
          throw RddlError(variable.place,
                          fmt::format("the initial value of '{}' is too large", variable.name));
        variable.kind = ValueKind::integer;
        variable.decimals = *decimals;
        variable.initial = static_cast<std::int64_t>(std::floor(value + 0.5));
      }
    }
  }

  GroundModel run() {
    for (GroundVariable& variable : to_.intermediate)
      variable.definition =
          variable.observed && !how_.observations ? to_.nodes.truth(false) : rewritten(variable.definition);
    for (GroundVariable& variable : to_.state) {
      const bool fixed =
          from_.state[static_cast<std::size_t>(&variable - to_.state.data())].kind != variable.kind;
      variable.definition = rewritten(variable.definition);
      if (fixed) variable.definition = in_units(variable.definition, variable);
    }
    for (GroundDefinition& definition : to_.order) definition.node = to_.variable(definition.slot).definition;
    if (from_.reward) to_.reward = rewritten(*from_.reward);
    for (auto* conditions : {&to_.constraints, &to_.invariants, &to_.goals}) {
      for (GroundCondition& condition : *conditions) condition.node = rewritten(condition.node);
    }
    if (to_.termination) to_.termination->node = rewritten(to_.termination->node);
    return std::move(to_);
  }

 private:
  NodeId rewritten(NodeId id) {
    if (known_[id]) return *known_[id];
    const NodeId result = rewrite(id);
    known_[id] = result;
    return result;
  }

  NodeId rewrite(NodeId id) {
    const Node& node = from_.nodes[id];
    const SourcePlace& place = from_.nodes.place(id);
    if (node.operation == Operation::constant) {
      const Number number = from_.nodes.number(id);
      if (exact_ && node.kind == NodeKind::floating) return fraction(nearest_fraction(number, place));
      return to_.nodes.constant(number, node.kind);
    }
    if (node.operation == Operation::variable) {
      const bool inner = node.first >= from_.first_intermediate() && node.first < from_.first_next();
      const GroundVariable& variable = from_.variable(node.first);
      if (inner && (variable.kind == ValueKind::real || variable.observed))
        return rewritten(variable.definition);
      const bool next = node.first >= from_.first_next();
      const GroundVariable& fixed = inner  ? variable
                                    : next ? to_.state[node.first - from_.first_next()]
                                           : to_.variable(node.first);
      if (fixed.kind == variable.kind) return to_.nodes.variable(node.first, node.kind, place);
      return to_.nodes.make(Operation::multiply,
                            {to_.nodes.variable(node.first, NodeKind::integer, place),
                             fraction(make_rational(1, checked_power_of_ten(fixed.decimals)))},
                            place);
    }
    std::vector<NodeId> operands;
    for (const NodeId operand : from_.nodes.operands(id)) operands.push_back(rewritten(operand));
    if (node.operation == Operation::random) return outcome(node.distribution, operands, place);
    if (exact_ && node.operation == Operation::power && to_.nodes[operands[0]].kind == NodeKind::real &&
        to_.nodes.is_constant(operands[1])) {
      const Number exponent = to_.nodes.number(operands[1]);
      constexpr std::int64_t most = 4;
      if (is_integer(exponent) && exponent.fraction.numerator >= 1 && exponent.fraction.numerator <= most) {
        const std::vector<NodeId> factors(static_cast<std::size_t>(exponent.fraction.numerator), operands[0]);
        return to_.nodes.make(Operation::multiply, factors, place);
      }
    }
    return to_.nodes.like(node, std::move(operands), place);
  }

  // The nearest multiple of the variable's unit, halves up.
  NodeId in_units(NodeId node, const GroundVariable& variable) {
    place_ = variable.place;
    const NodeId units = fraction(make_rational(checked_power_of_ten(variable.decimals)));
    return nearest(make(Operation::multiply, {node, units}));
  }

  // A number with too many digits is rounded to nine of them.
  static Rational nearest_fraction(const Number& number, const SourcePlace& place) {
    if (number.exact) return number.fraction;
    try {
      if (const auto decimal = parse_decimal(fmt::format("{:.9g}", number.real)))
        return rational_of(*decimal);
    } catch (const OverflowError&) {  // reported below
    }
    throw RddlError(place, fmt::format("the number {} is too large or too small to plan with", number.real));
  }

  NodeId number(std::int64_t value) { return to_.nodes.constant(make_rational(value), NodeKind::integer); }
  NodeId fraction(const Rational& value) { return to_.nodes.constant(value, NodeKind::real); }

  // In steps of a thousandth, so that the numbers of the problem stay small. In hindsight planning it depends
  // on the step.
  NodeId luck() {
    const auto draw = [&] {
      return fraction(make_rational(2 * static_cast<std::int64_t>(random_below(random_, 1000)) + 1, 2000));
    };
    if (how_.method != Determinization::Method::hindsight) return draw();
    const GroundVariable& step = from_.state.back();
    std::vector<NodeId> operands = {to_.nodes.variable(step_slot(from_), NodeKind::integer, step.place)};
    for (std::int64_t t = 0; t < step.object_count; ++t) operands.push_back(draw());
    return to_.nodes.make(Operation::select, operands, step.place);
  }

  NodeId make(Operation operation, std::vector<NodeId> operands) {
    return to_.nodes.make(operation, std::move(operands), place_);
  }

  // The nearest whole number, halves up.
  NodeId nearest(NodeId value) {
    return make(Operation::floor, {make(Operation::add, {value, fraction(make_rational(1, 2))})});
  }

  NodeId outcome(Distribution distribution, const std::vector<NodeId>& p, const SourcePlace& place) {
    place_ = place;
    const bool sample = is_sample();
    const bool threshold = how_.method == Determinization::Method::threshold;
    const bool mean = how_.method == Determinization::Method::mean;
    if (how_.method == Determinization::Method::refuse) {
      throw RddlError(place, fmt::format("{} is random: planning needs {} to choose an outcome",
                                         entry_of(distribution).name, option_name("determinize")));
    }
    switch (distribution) {
      case Distribution::bernoulli:
        if (threshold || mean)
          return make(Operation::at_most, {fraction(mean ? make_rational(1, 2) : how_.probability), p[0]});
        return make(Operation::less, {sample ? luck() : fraction(make_rational(1, 2)), p[0]});
      case Distribution::discrete:
      case Distribution::unnormalized_discrete:
        return object(distribution, p);
      case Distribution::normal:
      case Distribution::exponential:
      case Distribution::laplace:
      case Distribution::chi_square:
        return p[0];
      case Distribution::uniform: {
        const NodeId share = sample ? luck() : fraction(make_rational(1, 2));
        const NodeId rest = make(Operation::add, {number(1), negative(share)});
        return make(Operation::add,
                    {make(Operation::multiply, {p[0], rest}), make(Operation::multiply, {p[1], share})});
      }
      case Distribution::gamma:
        return make(Operation::multiply, {p[0], p[1]});
      case Distribution::weibull: {
        // Its mean, b Gamma(1 + 1/a).
        const NodeId shape = make(Operation::add, {number(1), make(Operation::divide, {number(1), p[0]})});
        return make(Operation::multiply,
                    {p[1], to_.nodes.math(*math_function_named("gamma"), {shape}, place)});
      }
      case Distribution::poisson:
        return mean ? nearest(p[0]) : make(Operation::floor, {p[0]});
      case Distribution::binomial:
        if (mean) return nearest(make(Operation::multiply, p));
        return make(Operation::floor,
                    {make(Operation::multiply, {make(Operation::add, {p[0], number(1)}), p[1]})});
      case Distribution::geometric:
        return mean ? nearest(make(Operation::divide, {number(1), p[0]})) : number(1);
      case Distribution::negative_binomial: {
        // (1 - p) n / p failures; the most likely number is that of n - 1.
        const NodeId failure = make(Operation::add, {number(1), negative(p[1])});
        const NodeId successes =
            mean ? p[0] : make(Operation::maximum, {number(0), make(Operation::add, {p[0], number(-1)})});
        const NodeId value = make(Operation::divide, {make(Operation::multiply, {successes, failure}), p[1]});
        return mean ? nearest(value) : make(Operation::floor, {value});
      }
      case Distribution::gumbel: {
        constexpr double euler = 0.57721566490153286;
        const NodeId factor = exact_ ? fraction(nearest_fraction(inexact_number(euler), place))
                                     : to_.nodes.constant(inexact_number(euler), NodeKind::floating);
        return make(Operation::add, {p[0], make(Operation::multiply, {p[1], factor})});
      }
      case Distribution::beta:
        return make(Operation::divide, {p[0], make(Operation::add, {p[0], p[1]})});
      case Distribution::student:
        return number(0);
      case Distribution::pareto:  // drawn from 0 on: b / (a - 1)
        return make(Operation::divide, {p[1], make(Operation::add, {p[0], number(-1)})});
      default:
        throw RddlError(place,
                        fmt::format("{} cannot be determinized: {}", entry_of(distribution).name,
                                    distribution == Distribution::cauchy ? "it has no mean"
                                                                         : "its mean has no simple formula"));
    }
  }

  // Probabilities are often weights divided by their sum: then the weights serve as well, and are simpler. If
  // the sum is 0 there is no distribution, and the domain cannot be in that state.
  std::optional<NodeId> take_common_divisor(std::vector<NodeId>& p) const {
    std::vector<NodeId> numerators;
    std::optional<NodeId> divisor;
    for (const NodeId probability : p) {
      const auto operands = to_.nodes.operands(probability);
      if (to_.nodes[probability].operation != Operation::divide) return std::nullopt;
      if (divisor && !same_expression(to_.nodes, *divisor, operands[1])) return std::nullopt;
      divisor = operands[1];
      numerators.push_back(operands[0]);
    }
    p = std::move(numerators);
    return divisor;
  }

  NodeId object(Distribution distribution, std::vector<NodeId> p) {
    const std::optional<NodeId> divisor = take_common_divisor(p);
    const NodeId largest = make(Operation::argument_of_maximum, p);
    if (how_.method == Determinization::Method::most_likely || how_.method == Determinization::Method::mean)
      return largest;
    const NodeId total = distribution == Distribution::unnormalized_discrete ? make(Operation::add, p)
                                                                             : divisor.value_or(number(1));
    const bool sample = is_sample();
    const NodeId limit = make(Operation::multiply, {total, sample ? luck() : fraction(how_.probability)});
    std::vector<NodeId> cases;
    for (std::size_t i = 0; i < p.size(); ++i) {
      const NodeId up_to = make(Operation::add, {p.begin(), p.begin() + static_cast<std::ptrdiff_t>(i) + 1});
      if (!sample || i + 1 < p.size()) {
        cases.push_back(sample ? make(Operation::less, {limit, up_to})
                               : make(Operation::at_most, {limit, p[i]}));
      }
      cases.push_back(number(static_cast<std::int64_t>(i)));
    }
    if (!sample) cases.push_back(largest);
    return make(Operation::choose, std::move(cases));
  }

  bool is_sample() const {
    return how_.method == Determinization::Method::sample ||
           how_.method == Determinization::Method::hindsight;
  }

  NodeId negative(NodeId node) { return make(Operation::multiply, {number(-1), node}); }

  const GroundModel& from_;
  const Determinization& how_;
  SimulationRandom random_;
  GroundModel to_;
  std::vector<std::optional<NodeId>> known_;
  SourcePlace place_;  // of the distribution being determinized
  bool exact_;         // floating-point constants become fractions: reals are fixed point
};

constexpr int most_futures = 1000;

}  // namespace

Determinization parse_determinization(std::string_view text) {
  Determinization result;
  const auto equals = text.find('=');
  const std::string_view method = text.substr(0, equals);
  const std::string_view value = equals == std::string_view::npos ? "" : text.substr(equals + 1);
  if (text == "most-likely" || text == "mean") {
    result.method = text == "mean" ? Determinization::Method::mean : Determinization::Method::most_likely;
    return result;
  }
  if (method == "threshold") {
    result.method = Determinization::Method::threshold;
    try {
      if (const auto decimal = parse_decimal(value)) {
        result.probability = rational_of(*decimal);
        if (result.probability > Rational{} && result.probability <= make_rational(1)) return result;
      }
    } catch (const OverflowError&) {  // treated like any other invalid text
    }
  } else if (method == "sample") {
    result.method = Determinization::Method::sample;
    const auto [stop, error] = std::from_chars(value.data(), value.data() + value.size(), result.seed);
    if (!value.empty() && error == std::errc() && stop == value.data() + value.size()) return result;
  } else if (method == "hindsight") {
    result.method = Determinization::Method::hindsight;
    const char* end = value.data() + value.size();
    std::from_chars_result read = std::from_chars(value.data(), end, result.futures);
    if (read.ec == std::errc() && read.ptr != end && *read.ptr == ':')
      read = std::from_chars(read.ptr + 1, end, result.seed);
    const bool decimal = result.futures >= 1 && decimal_of(make_rational(1, result.futures)).has_value();
    if (!value.empty() && read.ec == std::errc() && read.ptr == end && decimal &&
        result.futures <= most_futures)
      return result;
    throw InputError(fmt::format(
        "bad determinization '{}', expected hindsight=N or hindsight=N:SEED with N one of 1, 2, 4, 5, 8, "
        "10, 16, 20, ... (1/N is a decimal number) up to {}",
        printable(text), most_futures));
  }
  throw InputError(
      fmt::format("bad determinization '{}', expected most-likely, mean, threshold=P with a probability P "
                  "above 0, sample=SEED or hindsight=N",
                  printable(text)));
}

std::string determinization_text(const Determinization& determinization) {
  switch (determinization.method) {
    case Determinization::Method::refuse:
      return "";
    case Determinization::Method::most_likely:
      return "most-likely";
    case Determinization::Method::mean:
      return "mean";
    case Determinization::Method::threshold:
      return fmt::format("threshold={}", to_string(determinization.probability));
    case Determinization::Method::sample:
      return fmt::format("sample={}", determinization.seed);
    case Determinization::Method::hindsight:
      return fmt::format("hindsight={}:{}", determinization.futures, determinization.seed);
  }
  __builtin_unreachable();
}

bool has_random_parts(const GroundModel& model) {
  const bool definitions =
      std::any_of(model.order.begin(), model.order.end(), [&](const GroundDefinition& definition) {
        return !model.variable(definition.slot).observed && model.nodes.is_random(definition.node);
      });
  return definitions || (model.reward && model.nodes.is_random(*model.reward));
}

GroundModel planning_model(const GroundModel& model, const Determinization& determinization,
                           const FixedPoint& precision) {
  check_precision(model, precision);
  if (determinization.method != Determinization::Method::hindsight)
    return Rewriter(model, determinization, precision).run();
  const int steps = determinization.steps > 0 ? determinization.steps : model.horizon;
  if (steps < 1)
    throw RddlError(model.instance_place, "hindsight needs a horizon: outcomes are drawn for each step");
  const GroundModel futures = futures_model(model, determinization.futures, steps);
  return Rewriter(futures, determinization, precision).run();
}

}  // namespace bnnplan::rddl

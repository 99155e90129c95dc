// Determinization: each distribution is replaced by an expression of its parameters, and so stays a function of state
// and action. With u the luck of a sample,
//
//   Bernoulli(p)              most likely: p > 1/2      threshold: p >= P      sample: p > u
//   Discrete(p_0, p_1, ...)   the first i with the largest p_i; p_i >= P; or u < p_0 + ... + p_i
#include "rddl/compile/planning_model.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

#include <fmt/format.h>

#include "base/checked.hpp"
#include "base/decimal.hpp"
#include "rddl/ground/draw.hpp"

namespace bnnplan {

namespace {

class Rewriter {
 public:
  Rewriter(const GroundModel& from, const Determinization& how)
      : from_(from), how_(how), random_(how.seed), to_(from), known_(from.nodes.size()) {
    to_.nodes = NodePool(from.nodes.limit());
  }

  GroundModel run() {
    for (GroundVariable& variable : to_.intermediate)
      variable.definition = variable.observed ? to_.nodes.truth(false) : rewritten(variable.definition);
    for (GroundVariable& variable : to_.state) variable.definition = rewritten(variable.definition);
    for (GroundDefinition& definition : to_.order) {
      definition.node = definition.slot >= to_.first_next()
                            ? to_.state[definition.slot - to_.first_next()].definition
                            : to_.variable(definition.slot).definition;
    }
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
    if (node.operation == NodeOperation::constant)
      return to_.nodes.constant(from_.nodes.number(id), node.kind);
    if (node.operation == NodeOperation::variable) {
      const bool inner = node.first >= from_.first_intermediate() && node.first < from_.first_next();
      const GroundVariable& variable = from_.variable(node.first);
      if (inner && variable.kind == ValueKind::real && !variable.observed)
        return rewritten(variable.definition);
      return to_.nodes.variable(node.first, node.kind, place);
    }
    std::vector<NodeId> operands;
    for (const NodeId operand : from_.nodes.operands(id)) operands.push_back(rewritten(operand));
    if (node.operation == NodeOperation::random) return outcome(node.distribution, operands, place);
    if (node.operation == NodeOperation::math) return to_.nodes.math(node.function, operands, place);
    return to_.nodes.make(node.operation, std::move(operands), place);
  }

  NodeId number(std::int64_t value) { return to_.nodes.constant(make_rational(value), NodeKind::integer); }
  NodeId fraction(const Rational& value) { return to_.nodes.constant(value, NodeKind::real); }

  // In steps of a thousandth, so that the numbers of the problem stay small.
  Rational luck() {
    return make_rational(2 * static_cast<std::int64_t>(random_below(random_, 1000)) + 1, 2000);
  }

  NodeId outcome(Distribution distribution, const std::vector<NodeId>& p, const SourcePlace& place) {
    const auto make = [&](NodeOperation operation, std::vector<NodeId> operands) {
      return to_.nodes.make(operation, std::move(operands), place);
    };
    const bool sample = how_.method == Determinization::Method::sample;
    const bool threshold = how_.method == Determinization::Method::threshold;
    switch (how_.method) {
      case Determinization::Method::refuse:
        throw RddlError(place,
                        fmt::format("{} is random: planning needs --determinize, which says what to take for "
                                    "its outcome",
                                    entry_of(distribution).name));
      default:
        break;
    }
    switch (distribution) {
      case Distribution::bernoulli:
        if (threshold) return make(NodeOperation::at_most, {fraction(how_.probability), p[0]});
        return make(NodeOperation::less, {fraction(sample ? luck() : make_rational(1, 2)), p[0]});
      case Distribution::discrete:
      case Distribution::unnormalized_discrete:
        return object(distribution, p, place);
      case Distribution::normal:
      case Distribution::exponential:
        return p[0];
      case Distribution::uniform: {
        const Rational share = sample ? luck() : make_rational(1, 2);
        return make(NodeOperation::add,
                    {make(NodeOperation::multiply, {p[0], fraction(make_rational(1) - share)}),
                     make(NodeOperation::multiply, {p[1], fraction(share)})});
      }
      case Distribution::gamma:
        return make(NodeOperation::multiply, {p[0], p[1]});
      case Distribution::weibull: {
        // Its mean, b Gamma(1 + 1/a).
        const NodeId shape =
            make(NodeOperation::add, {number(1), make(NodeOperation::divide, {number(1), p[0]})});
        return make(NodeOperation::multiply, {p[1], to_.nodes.math(MathFunction::gamma, {shape}, place)});
      }
      case Distribution::poisson:
        return make(NodeOperation::floor, {p[0]});
      case Distribution::binomial:
        return make(NodeOperation::floor,
                    {make(NodeOperation::multiply, {make(NodeOperation::add, {p[0], number(1)}), p[1]})});
      case Distribution::geometric:
        return number(1);
      default:
        throw RddlError(place, fmt::format("{} cannot be determinized yet", entry_of(distribution).name));
    }
  }

  // Probabilities are often weights divided by their sum: then the weights are as good, and simpler. Where the sum is
  // 0 there is no distribution, and the state is none that the domain can be in.
  std::optional<NodeId> take_common_divisor(std::vector<NodeId>& p) const {
    std::vector<NodeId> numerators;
    std::optional<NodeId> divisor;
    for (const NodeId probability : p) {
      const auto operands = to_.nodes.operands(probability);
      if (to_.nodes[probability].operation != NodeOperation::divide) return std::nullopt;
      if (divisor && !same_expression(to_.nodes, *divisor, operands[1])) return std::nullopt;
      divisor = operands[1];
      numerators.push_back(operands[0]);
    }
    p = std::move(numerators);
    return divisor;
  }

  NodeId object(Distribution distribution, std::vector<NodeId> p, const SourcePlace& place) {
    const auto make = [&](NodeOperation operation, std::vector<NodeId> operands) {
      return to_.nodes.make(operation, std::move(operands), place);
    };
    const std::optional<NodeId> divisor = take_common_divisor(p);
    const NodeId largest = make(NodeOperation::argument_of_maximum, p);
    if (how_.method == Determinization::Method::most_likely) return largest;
    const NodeId total = distribution == Distribution::unnormalized_discrete ? make(NodeOperation::add, p)
                                                                             : divisor.value_or(number(1));
    const bool sample = how_.method == Determinization::Method::sample;
    const NodeId limit = make(NodeOperation::multiply, {total, fraction(sample ? luck() : how_.probability)});
    std::vector<NodeId> cases;
    for (std::size_t i = 0; i < p.size(); ++i) {
      const NodeId up_to =
          make(NodeOperation::add, {p.begin(), p.begin() + static_cast<std::ptrdiff_t>(i) + 1});
      if (!sample || i + 1 < p.size()) {
        cases.push_back(sample ? make(NodeOperation::less, {limit, up_to})
                               : make(NodeOperation::at_most, {limit, p[i]}));
      }
      cases.push_back(number(static_cast<std::int64_t>(i)));
    }
    if (!sample) cases.push_back(largest);
    return make(NodeOperation::choose, std::move(cases));
  }

  const GroundModel& from_;
  const Determinization& how_;
  SimulationRandom random_;
  GroundModel to_;
  std::vector<std::optional<NodeId>> known_;
};

}  // namespace

Determinization parse_determinization(std::string_view text) {
  Determinization result;
  const auto equals = text.find('=');
  const std::string_view method = text.substr(0, equals);
  const std::string_view value = equals == std::string_view::npos ? "" : text.substr(equals + 1);
  if (text == "most-likely") {
    result.method = Determinization::Method::most_likely;
    return result;
  }
  if (method == "threshold") {
    result.method = Determinization::Method::threshold;
    try {
      if (const auto decimal = parse_decimal(value)) {
        result.probability = rational_of(*decimal);
        if (result.probability > Rational{} && result.probability <= make_rational(1)) return result;
      }
    } catch (const OverflowError&) {  // as any other text that is none
    }
  } else if (method == "sample") {
    result.method = Determinization::Method::sample;
    const auto [stop, error] = std::from_chars(value.data(), value.data() + value.size(), result.seed);
    if (!value.empty() && error == std::errc() && stop == value.data() + value.size()) return result;
  }
  throw InputError(
      fmt::format("bad --determinize '{}', expected most-likely, threshold=P with a probability P above 0, "
                  "or sample=SEED",
                  printable(text)));
}

std::string determinization_text(const Determinization& determinization) {
  switch (determinization.method) {
    case Determinization::Method::refuse:
      return "";
    case Determinization::Method::most_likely:
      return "most-likely";
    case Determinization::Method::threshold:
      return fmt::format("threshold={}", to_string(determinization.probability));
    case Determinization::Method::sample:
      return fmt::format("sample={}", determinization.seed);
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

GroundModel planning_model(const GroundModel& model, const Determinization& determinization) {
  return Rewriter(model, determinization).run();
}

}  // namespace bnnplan

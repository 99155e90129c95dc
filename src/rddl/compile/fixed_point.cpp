// Real fluents as fixed point: x is n 10^-k for a whole number n, and a step whose result would be y rounds
// it to the nearest such number,
//
//   n' = floor(10^k y + 1/2)
//
// so each step adds at most half of 10^-k to the error, and everything else is exact: sums, multiples,
// comparisons and choices are rows of whole numbers, products are long multiplications, and functions of few
// bits are tables. planning_model.cpp rewrites the expressions; this file decides for which fluents, and in
// which ranges.
#include "bnnplan/rddl/compile/fixed_point.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "bnnplan/base/checked.hpp"
#include "bnnplan/base/input_error.hpp"
#include "bnnplan/rddl/simulate/explore.hpp"
#include "bnnplan/rddl/simulate/simulator.hpp"

namespace bnnplan::rddl {

namespace {

constexpr int most_fixed_decimals = 9;
constexpr std::uint64_t range_episodes = 50;

// For 1, 0.1, 0.01, ...; nothing for any other number.
std::optional<int> decimals_in(std::string_view text) {
  try {
    const auto number = parse_decimal(text);
    if (number && number->digits == 1 && number->exponent <= 0 && number->exponent >= -most_fixed_decimals)
      return -number->exponent;
  } catch (const OverflowError&) {  // treated like any other invalid text
  }
  return std::nullopt;
}

std::vector<const GroundVariable*> real_variables(const GroundModel& model, bool with_actions) {
  std::vector<const GroundVariable*> result;
  for (const auto* list : {&model.state, &model.action}) {
    if (list == &model.action && !with_actions) break;
    for (const GroundVariable& variable : *list) {
      if (variable.kind == ValueKind::real) result.push_back(&variable);
    }
  }
  return result;
}

}  // namespace

FixedPoint parse_precision(const std::vector<std::string>& arguments) {
  FixedPoint result;
  for (const std::string& argument : arguments) {
    const auto equals = argument.rfind('=');
    const std::optional<int> decimals =
        decimals_in(equals == std::string::npos ? argument : argument.substr(equals + 1));
    if (!decimals || equals == 0) {
      throw InputError(fmt::format(
          "bad precision '{}', expected NAME=P or P (for all reals) with P one of 1, 0.1, 0.01, ..., 1e-9",
          printable(argument)));
    }
    if (equals == std::string::npos) {
      result.others = decimals;
    } else {
      result.decimals[argument.substr(0, equals)] = *decimals;
    }
  }
  return result;
}

std::optional<int> decimals_of(const FixedPoint& precision, const GroundVariable& variable) {
  if (variable.kind != ValueKind::real) return std::nullopt;
  for (const std::string& name : {variable.name, variable.fluent}) {
    if (const auto found = precision.decimals.find(name); found != precision.decimals.end())
      return found->second;
  }
  return precision.others;
}

void check_precision(const GroundModel& model, const FixedPoint& precision) {
  const auto variables = real_variables(model, true);
  for (const auto& [name, decimals] : precision.decimals) {
    std::vector<std::string> names;
    for (const GroundVariable* variable : variables) names.push_back(variable->fluent);
    const bool known = std::any_of(variables.begin(), variables.end(), [&given = name](const auto* variable) {
      return given == variable->name || given == variable->fluent;
    });
    if (known) continue;
    throw InputError(
        fmt::format("a precision for '{}', which is not a real state or action fluent of the model{}",
                    printable(name), did_you_mean(name, names)));
  }
}

GivenRanges simulated_ranges(const GroundModel& model, const GroundModel& fixed, const GivenRanges& given,
                             int steps) {
  GivenRanges result;
  const BitLayout known = make_known_ranges(fixed);
  std::vector<std::uint32_t> wanted;
  for (std::uint32_t slot = 0; slot < model.first_action(); ++slot) {
    const GroundVariable& variable = model.state[slot];
    const bool is_fixed = variable.kind == ValueKind::real && fixed.state[slot].kind != ValueKind::real;
    if (is_fixed && !known.ranges[slot].known && !given.contains(variable.name) &&
        !given.contains(variable.fluent))
      wanted.push_back(slot);
  }
  if (wanted.empty()) return result;
  std::vector<double> low(model.state.size(), 0), high(model.state.size(), 0);
  for (const std::uint32_t slot : wanted) low[slot] = high[slot] = real_of_value(model.state[slot].initial);
  const auto look = [&](const StateValues& state) {
    for (const std::uint32_t slot : wanted) {
      const double value = real_of_value(state[slot]);
      low[slot] = std::min(low[slot], value);
      high[slot] = std::max(high[slot], value);
    }
  };
  ExploreOptions options;
  options.episodes = range_episodes;
  options.steps = static_cast<std::uint64_t>(steps);
  options.may_leave = true;
  Simulator simulator(model);
  explore(simulator, make_known_ranges(model), options,
          [&](const StateValues&, const ActionValues&, const StateValues& next) { look(next); });
  for (const std::uint32_t slot : wanted) {
    const GroundVariable& variable = model.state[slot];
    const double unit = std::pow(10.0, -fixed.state[slot].decimals);
    const double beyond = std::max((high[slot] - low[slot]) / 2, unit);
    constexpr double most = 1e9;
    const auto tens = static_cast<std::int64_t>(std::llround(1 / unit));
    const auto whole = [&](double value) {
      if (!(std::abs(value) / unit < most)) {
        throw RddlError(variable.place,
                        fmt::format("'{}' reaches {:.3g} in simulation, too large at a precision of "
                                    "{:g}: expected {} {}=LOW..HIGH or a coarser one",
                                    variable.name, value, unit, option_name("range"), variable.fluent));
      }
      return make_rational(static_cast<std::int64_t>(std::floor(value / unit)), tens);
    };
    result[variable.name] = {whole(low[slot] - beyond), whole(high[slot] + beyond)};
  }
  return result;
}

std::vector<std::string> precision_notes(const GroundModel& model, const FixedPoint& precision,
                                         const GivenRanges& simulated) {
  std::vector<std::string> notes;
  std::map<std::string, int> fluents;
  for (const GroundVariable* variable : real_variables(model, true)) {
    if (const auto decimals = decimals_of(precision, *variable)) fluents[variable->fluent] = *decimals;
  }
  for (const auto& [fluent, decimals] : fluents) {
    const bool action =
        std::any_of(model.action.begin(), model.action.end(),
                    [&name = fluent](const GroundVariable& variable) { return variable.fluent == name; });
    const Decimal unit{1, -decimals}, half{5, -decimals - 1};
    notes.push_back(action ? fmt::format("real '{}' is a multiple of {}", printable(fluent), to_string(unit))
                           : fmt::format("real '{}' is a multiple of {}: each step rounds it by at most {}",
                                         printable(fluent), to_string(unit), to_string(half)));
  }
  std::map<std::string, std::pair<Rational, Rational>> ranges;
  for (const GroundVariable* variable : real_variables(model, false)) {
    const auto found = simulated.find(variable->name);
    if (found == simulated.end()) continue;
    const auto [place, is_new] = ranges.try_emplace(variable->fluent, found->second.low, found->second.high);
    place->second.first = std::min(place->second.first, found->second.low);
    place->second.second = std::max(place->second.second, found->second.high);
  }
  for (const auto& [fluent, range] : ranges) {
    notes.push_back(fmt::format("range of '{}' by simulation: within {} to {}, and no step leaves it",
                                printable(fluent), to_string(range.first), to_string(range.second)));
  }
  return notes;
}

}  // namespace bnnplan::rddl

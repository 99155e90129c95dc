// The problem as plain data: the few computations on it that all readers and users share.
#include "bnnplan/problem/problem.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "bnnplan/base/checked.hpp"
#include "bnnplan/base/input_error.hpp"
#include "bnnplan/network/network_file.hpp"
#include "bnnplan/problem/name_table.hpp"
#include "bnnplan/problem/score_terms.hpp"
#include "bnnplan/problem/step_weights.hpp"

namespace bnnplan {

Decimal bit_weight(const Variable& variable, int bit) {
  std::int64_t weight = std::int64_t{1} << bit;
  if (variable.twos_complement && bit == variable.bits - 1) weight = -weight;
  return make_decimal(weight, 0) * make_decimal(1, variable.scale);
}

void VariableList::add(Variable variable) {
  if (first_bit.empty()) first_bit.push_back(0);
  first_bit.push_back(first_bit.back() + static_cast<std::uint32_t>(variable.bits));
  variables.push_back(std::move(variable));
}

std::uint32_t VariableList::variable_of(std::uint32_t bit) const {
  const auto after = std::upper_bound(first_bit.begin(), first_bit.end(), bit);
  return static_cast<std::uint32_t>(after - first_bit.begin() - 1);
}

std::string VariableList::bit_name(std::uint32_t bit) const {
  const std::uint32_t owner = variable_of(bit);
  const Variable& variable = variables[owner];
  return variable.boolean ? variable.name : fmt::format("{}.{}", variable.name, bit - first_bit[owner]);
}

const VariableList& variables_at(const Problem& problem, Place place) {
  switch (place) {
    case Place::action:
      return problem.action;
    case Place::auxiliary:
      return problem.auxiliary;
    case Place::state:
    case Place::next:
      return problem.state;
  }
  __builtin_unreachable();
}

std::string bit_name(const Problem& problem, Bit bit) {
  return variables_at(problem, bit.place).bit_name(bit.index) + (bit.place == Place::next ? "'" : "");
}

namespace {

// A classifier outputs its last layer of bits, which are state variables (score_terms.hpp).
void connect_hidden_bits(Problem& problem, const NameTable& names, const NetworkNameLines* lines) {
  const auto refuse = [&](const std::string& message) {
    throw InputError(lines == nullptr ? "" : lines->file, 0, message);
  };
  if (problem.network->layers.empty())
    refuse("the network is a classifier without a layer of neurons: write its scores as linear expressions");
  for (std::size_t i = 0; i < last_bits(*problem.network); ++i) {
    const auto bits = names.find(hidden_name(i));
    if (!bits) refuse("the network is a classifier: it gives scores for constraints, not next-state bits");
    if (bits->place != Place::state || bits->count != 1)
      refuse(fmt::format(
          "'{}' is not a Boolean state variable, but it is a bit of the network, which is a classifier",
          hidden_name(i)));
    problem.network_outputs.push_back(bits->first);
  }
}

}  // namespace

void connect_network(Problem& problem, const NetworkNameLines* lines) {
  problem.network_inputs.clear();
  problem.network_outputs.clear();
  if (!problem.network) return;
  const NameTable names(problem);
  const auto refuse = [&](bool output, std::size_t number, std::string_view what) {
    const std::vector<std::string>& list = output ? problem.network->outputs : problem.network->inputs;
    const std::string message =
        fmt::format("network {} '{}' {}", output ? "output" : "input", printable(list[number]), what);
    if (lines == nullptr) throw InputError(message);
    throw InputError(lines->file, (output ? lines->outputs : lines->inputs)[number], message);
  };
  const auto single_bit = [&](bool output, std::size_t number, std::string_view plain) {
    const auto bits = names.find(plain);
    if (!bits) {
      refuse(output, number, fmt::format("is not a variable of the problem{}", names.suggestion(plain)));
    }
    if (bits->count != 1) {
      refuse(
          output, number,
          fmt::format("is an integer of {} bits: name its bits, from '{}.0'", bits->count, printable(plain)));
    }
    return Bit{bits->place, bits->first};
  };
  if (has_numbers(*problem.network)) {
    const auto& numbers = problem.network->numbers;
    const auto number =
        std::find_if(numbers.begin(), numbers.end(), [](const auto& n) { return n.has_value(); });
    refuse(false, static_cast<std::size_t>(number - numbers.begin()), "is a number, but planning needs bits");
  }
  // The bit of a one-bit integer has two names.
  std::map<Bit, std::string_view> wired;
  const auto refuse_second = [&](bool output, std::size_t number, Bit bit, std::string_view name) {
    const auto [first, fresh] = wired.emplace(bit, name);
    if (fresh) return;
    refuse(output, number,
           fmt::format("is the same bit as '{}', expected each bit once", printable(first->second)));
  };
  for (std::size_t i = 0; i < problem.network->inputs.size(); ++i) {
    const Bit bit = single_bit(false, i, problem.network->inputs[i]);
    if (bit.place == Place::auxiliary)
      refuse(false, i, "is an auxiliary variable, expected an action or state bit");
    refuse_second(false, i, bit, problem.network->inputs[i]);
    problem.network_inputs.push_back(bit);
  }
  wired.clear();
  if (is_classifier(*problem.network)) {
    connect_hidden_bits(problem, names, lines);
    return;
  }
  for (std::size_t i = 0; i < problem.network->outputs.size(); ++i) {
    const std::string_view name = problem.network->outputs[i];
    if (name.back() != '\'') refuse(true, i, "must end with ': outputs are next-state bits");
    const Bit bit = single_bit(true, i, name.substr(0, name.size() - 1));
    if (bit.place != Place::state) refuse(true, i, "is not a state variable");
    refuse_second(true, i, bit, name);
    problem.network_outputs.push_back(bit.index);
  }
}

void validate(const Problem& problem) {
  std::vector<bool> given(problem.state.bit_count(), false);
  for (const std::uint32_t bit : problem.network_outputs) given[bit] = true;
  for (const LinearConstraint& transition : problem.transitions) {
    for (const Term& term : transition.terms) {
      if (term.bit.place == Place::next) given[term.bit.index] = true;
    }
  }
  for (std::uint32_t bit = 0; bit < given.size(); ++bit) {
    if (!given[bit]) {
      throw InputError(
          fmt::format("nothing defines how state '{}' changes: it is not an output of the network, and no "
                      "transition has '{}''",
                      printable(problem.state.bit_name(bit)), printable(problem.state.bit_name(bit))));
    }
  }
  try {
    std::int64_t most = checked_magnitude(problem.objective.constant);
    for (const Term& term : problem.objective.terms) {
      most = checked_add(most, checked_magnitude(term.coefficient));
    }
    const std::int64_t weight = total_weight(step_weights(problem), std::max(problem.horizon, 1));
    checked_multiply(checked_multiply(most, weight), 4);
  } catch (const OverflowError&) {
    throw InputError(
        is_discounted(problem)
            ? fmt::format(
                  "the objective is too large: with a discount of {} over {} steps its sum does not fit "
                  "into 62 bits, expected a shorter horizon or rounded weights ('discount-digits', or the "
                  "discount option of compile)",
                  to_string(problem.objective.discount), problem.horizon)
            : "the objective is too large: its sum over all steps does not fit into 62 bits");
  }
}

void set_horizon(Problem& problem, std::int64_t horizon) {
  if (horizon < 1 || horizon > horizon_limit) {
    throw InputError(fmt::format("horizon {} is out of range, expected 1 to {}", horizon, horizon_limit));
  }
  if (problem.longest > 0 && horizon > problem.longest) {
    throw InputError(
        fmt::format("horizon {}, expected at most {}: the ranges of the problem's variables do not allow "
                    "more steps ('longest')",
                    horizon, problem.longest));
  }
  problem.horizon = static_cast<int>(horizon);
  validate(problem);
}

Decimal cost_in_units(const Problem& problem, std::int64_t cost) {
  return make_decimal(cost, -cost_decimals(problem));
}

}  // namespace bnnplan

// Random problems are put together from text, as a user writes them, so that they can be saved and read back.
#include "support/random_problem.hpp"

#include <algorithm>
#include <array>
#include <random>

#include <fmt/format.h>

#include "bnnplan/base/input_error.hpp"
#include "bnnplan/problem/expression.hpp"

namespace bnnplan::testing {

namespace {

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : random_(seed * 2654435761u + 12345) {}
  int between(int low, int high) {
    return low + static_cast<int>(random_() % static_cast<std::uint64_t>(high - low + 1));
  }
  bool chance(int percent) { return between(1, 100) <= percent; }
  template <class T>
  T one_of(const std::vector<T>& values) {
    return values[static_cast<std::size_t>(between(0, static_cast<int>(values.size()) - 1))];
  }
  template <class T>
  void shuffle(std::vector<T>& values) {
    for (std::size_t i = values.size(); i > 1; --i) {
      std::swap(values[i - 1], values[static_cast<std::size_t>(between(0, static_cast<int>(i) - 1))]);
    }
  }

 private:
  std::mt19937_64 random_;
};

std::vector<std::string> bit_names(const VariableList& list, std::string_view suffix = "") {
  std::vector<std::string> names;
  for (std::uint32_t i = 0; i < list.bit_count(); ++i)
    names.push_back(fmt::format("{}{}", list.bit_name(i), suffix));
  return names;
}

std::vector<std::string> variable_names(const VariableList& list, std::string_view suffix = "") {
  std::vector<std::string> names;
  for (const Variable& variable : list.variables) names.push_back(fmt::format("{}{}", variable.name, suffix));
  return names;
}

template <class T>
std::vector<T> joined(std::vector<T> a, const std::vector<T>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

Network make_network(Dice& dice, std::vector<std::string> inputs, const std::vector<int>& hidden,
                     std::vector<std::string> outputs) {
  Network network;
  std::size_t width = inputs.size();
  std::vector<int> widths = hidden;
  widths.push_back(static_cast<int>(outputs.size()));
  for (const int neurons : widths) {
    Layer& layer = network.layers.emplace_back();
    for (int i = 0; i < neurons; ++i) {
      Neuron& neuron = layer.neurons.emplace_back();
      for (std::size_t j = 0; j < width; ++j) {
        neuron.weights.push_back(static_cast<std::int8_t>(dice.chance(10) ? 0 : dice.chance(50) ? 1 : -1));
      }
      neuron.threshold = (fan_in(neuron.weights) + 1) / 2 + dice.between(-1, 1);
    }
    width = static_cast<std::size_t>(neurons);
  }
  network.inputs = std::move(inputs);
  network.outputs = std::move(outputs);
  return network;
}

class RandomProblem {
 public:
  RandomProblem(std::uint64_t seed, const RandomProblemSize& size) : dice_(seed), size_(size) {
    problem_.name = fmt::format("random {}", seed);
  }

  Problem make() {
    problem_.horizon = dice_.between(1, size_.most_steps);
    add_variables(problem_.state, "s", dice_.between(1, size_.most_state_bits));
    add_variables(problem_.action, "a", dice_.between(0, size_.most_action_bits));
    if (dice_.chance(40)) add_variables(problem_.auxiliary, "x", dice_.between(1, size_.most_auxiliary_bits));
    names_ = NameTable(problem_);
    for (std::uint32_t i = 0; i < problem_.state.bit_count(); ++i) {
      problem_.initial.push_back(dice_.chance(75) ? static_cast<BitValue>(dice_.between(0, 1)) : unknown_bit);
    }
    if (dice_.chance(75)) add_network();
    add_transitions();
    add_constraints();
    add_objective();
    validate(problem_);
    return std::move(problem_);
  }

 private:
  void add_variables(VariableList& list, std::string_view prefix, int bits) {
    for (int number = 1; bits > 0; ++number) {
      Variable variable{.name = fmt::format("{}{}", prefix, number)};
      if (dice_.chance(35)) {
        variable.boolean = false;
        variable.bits = dice_.between(1, std::min(bits, 3));
        variable.twos_complement = dice_.chance(50);
        variable.scale = dice_.chance(70) ? 0 : dice_.between(-2, 1);
      }
      bits -= variable.bits;
      list.add(variable);
    }
  }

  void add_network() {
    std::vector<std::string> inputs = joined(bit_names(problem_.action), bit_names(problem_.state));
    std::vector<std::string> outputs = bit_names(problem_.state, "'");
    dice_.shuffle(inputs);
    dice_.shuffle(outputs);
    if (dice_.chance(30))
      inputs.resize(static_cast<std::size_t>(dice_.between(1, static_cast<int>(inputs.size()))));
    if (dice_.chance(40)) {
      outputs.resize(static_cast<std::size_t>(dice_.between(1, static_cast<int>(outputs.size()))));
    }
    std::vector<int> hidden;
    for (int i = dice_.between(0, 2); i > 0; --i) hidden.push_back(dice_.between(2, 7));
    problem_.network = make_network(dice_, inputs, hidden, outputs);
    problem_.network_file = "random.bnn";
    connect_network(problem_);
  }

  // Something about every next-state bit that the network does not give.
  void add_transitions() {
    std::vector<bool> learned(problem_.state.bit_count(), false);
    for (const std::uint32_t bit : problem_.network_outputs) learned[bit] = true;
    const auto sources = joined(bit_names(problem_.state), bit_names(problem_.action));
    const auto auxiliaries = bit_names(problem_.auxiliary);
    for (std::uint32_t bit = 0; bit < learned.size(); ++bit) {
      if (learned[bit]) continue;
      const std::string next = problem_.state.bit_name(bit) + "'";
      const std::string& source = dice_.one_of(sources);
      switch (dice_.between(0, auxiliaries.empty() ? 4 : 6)) {
        case 0:
          add_transition(fmt::format("{} == {}", next, source));
          break;
        case 1:
          add_transition(fmt::format("{} + {} == 1", next, source));
          break;
        case 2:
          add_transition(fmt::format("{} >= {}", next, source));  // a choice where the source is 0
          break;
        case 3:
          add_transition(fmt::format("2 {} + {} >= {}", next, source, dice_.one_of(sources)));
          break;
        case 4:
          add_transition(fmt::format("{} + ~{} + {} >= 1", next, source, dice_.one_of(sources)));
          add_transition(fmt::format("{} <= {} + {}", next, source, dice_.one_of(sources)));
          break;
        case 5:
          add_transition(fmt::format("{} == {}", next, dice_.one_of(auxiliaries)));
          break;
        default:
          add_transition(fmt::format("{} + {} >= {}", next, dice_.one_of(auxiliaries), source));
      }
    }
    if (dice_.chance(15)) {
      const auto variables = joined(variable_names(problem_.state, "'"),
                                    joined(variable_names(problem_.state), variable_names(problem_.action)));
      add_transition(random_comparison(variables));
    }
  }

  void add_transition(const std::string& text) {
    problem_.transitions.push_back(parse_constraint(text, problem_, names_, Scope::transition));
  }

  void add_constraints() {
    const auto variables = joined(variable_names(problem_.state), variable_names(problem_.action));
    const auto all = joined(variables, variable_names(problem_.auxiliary));
    for (int i = dice_.chance(60) ? dice_.between(1, 2) : 0; i > 0; --i) {
      problem_.constraints.push_back(parse_constraint(random_comparison(all), problem_, names_, Scope::step));
    }
    if (dice_.chance(20) && problem_.action.bit_count() > 0) {
      problem_.constraints.push_back(parse_constraint(random_comparison(variable_names(problem_.action)),
                                                      problem_, names_, Scope::step));
    }
    if (dice_.chance(30)) {
      problem_.constraints.push_back(
          parse_constraint(random_comparison(variable_names(problem_.state)), problem_, names_, Scope::step));
    }
    for (int i = dice_.chance(70) ? dice_.between(1, 2) : 0; i > 0; --i) {
      problem_.goal.push_back(
          parse_constraint(random_comparison(variable_names(problem_.state)), problem_, names_, Scope::goal));
    }
  }

  void add_objective() {
    if (dice_.chance(10)) return;
    auto variables = dice_.chance(30) ? variable_names(problem_.action)
                     : dice_.chance(40)
                         ? variable_names(problem_.state, "'")
                         : joined(variable_names(problem_.action), variable_names(problem_.state, "'"));
    std::string text = dice_.chance(20) ? fmt::format("{}", dice_.between(-3, 3)) : random_sum(variables);
    if (dice_.chance(20)) text += fmt::format(" + {}", dice_.one_of<std::string>({"3", "0.5", "1.25"}));
    problem_.objective = parse_objective(text, dice_.chance(50), problem_, names_);
  }

  std::string random_sum(std::vector<std::string> variables) {
    dice_.shuffle(variables);
    variables.resize(std::min<std::size_t>(variables.size(), static_cast<std::size_t>(dice_.between(1, 4))));
    std::string text;
    for (const std::string& variable : variables) {
      const auto& sign = dice_.one_of<std::string>({"+", "+", "-"});
      const auto& coefficient =
          size_.large_numbers
              ? dice_.one_of<std::string>({"", "2 ", "4294967296 ", "1000000007 ", "999999999999 ", "0.001 "})
              : dice_.one_of<std::string>({"", "", "", "2 ", "3 ", "0.5 ", "1.25 "});
      text += text.empty() ? fmt::format("{}{}{}", sign == "-" ? "-" : "", coefficient, variable)
                           : fmt::format(" {} {}{}", sign, coefficient, variable);
    }
    return text.empty() ? "0" : text;
  }

  std::string random_comparison(const std::vector<std::string>& variables) {
    const auto& comparison = dice_.one_of<std::string>({"<=", "<=", ">=", ">=", ">=", "==", "<", ">"});
    const int bound = comparison[0] == '<' ? dice_.between(0, 3) : dice_.between(-1, 1);
    const char* scale = size_.large_numbers && dice_.chance(50) ? "000000000" : "";
    return fmt::format("{} {} {}{}", random_sum(variables), comparison, bound, scale);
  }

  Dice dice_;
  RandomProblemSize size_;
  Problem problem_;
  NameTable names_;
};

}  // namespace

// One of several discounts, exact or rounded, unless costs become too large by it.
static void discount(Problem& problem, std::uint64_t seed) {
  constexpr std::array<Decimal, 4> discounts = {Decimal{9, -1}, {5, -1}, {75, -2}, {1, -1}};
  const Objective before = problem.objective;
  problem.objective.discount = discounts[seed % discounts.size()];
  if (seed % 3 == 0) problem.objective.discount_digits = 3 + static_cast<int>(seed % 2);
  try {
    validate(problem);
  } catch (const InputError&) {
    problem.objective = before;
  }
}

Problem random_problem(std::uint64_t seed, const RandomProblemSize& size) {
  Problem problem = RandomProblem(seed, size).make();
  if (seed % 4 == 3) refuse_prefixes(problem, seed);
  if (seed % 5 == 1 && !problem.objective.text.empty()) discount(problem, seed / 5);
  return problem;
}

void refuse_prefixes(Problem& problem, std::uint64_t seed) {
  Dice dice(seed);
  const int count = dice.between(1, 8);
  for (int i = 0; i < count; ++i) {
    RefusedPrefix& prefix = problem.refused.emplace_back();
    prefix.initial.assign(problem.state.bit_count(), unknown_bit);
    const bool of_some = dice.between(0, 2) == 0;  // initial states
    for (BitValue& bit : prefix.initial) {
      if (of_some && dice.between(0, 2) == 0) bit = static_cast<BitValue>(dice.between(0, 1));
    }
    // Mostly short ones: long ones hit nothing. Without actions only for some initial states.
    const int steps = of_some ? dice.between(0, 2) : dice.between(1, std::min(problem.horizon + 1, 3));
    for (int t = 0; t < steps; ++t) {
      auto& action = prefix.actions.emplace_back();
      for (std::uint32_t bit = 0; bit < problem.action.bit_count(); ++bit)
        action.push_back(static_cast<std::uint8_t>(dice.between(0, 2) == 0 ? 1 : 0));
    }
  }
}

Network random_network(std::uint64_t seed, std::vector<std::string> inputs, std::vector<int> hidden,
                       std::vector<std::string> outputs) {
  Dice dice(seed);
  return make_network(dice, std::move(inputs), hidden, std::move(outputs));
}

Problem random_network_problem(std::uint64_t seed, const RandomNetworkProblem& shape) {
  Problem problem;
  problem.name = fmt::format("random network {} with {} state bits", seed, shape.state_bits);
  problem.horizon = shape.horizon;
  problem.network_file = "random.bnn";
  std::string cost;
  for (int i = 0; i < shape.action_bits; ++i) {
    problem.action.add({.name = fmt::format("a{}", i)});
    cost += fmt::format("{}{} a{}", i == 0 ? "" : " + ", 1 + i % 3, i);
  }
  for (int i = 0; i < shape.state_bits; ++i) problem.state.add({.name = fmt::format("s{}", i)});
  problem.initial.assign(problem.state.bit_count(), 0);
  problem.network = random_network(seed, joined(bit_names(problem.action), bit_names(problem.state)),
                                   shape.hidden, bit_names(problem.state, "'"));
  connect_network(problem);
  const NameTable names(problem);
  for (int i = 0; i < shape.goal_bits; ++i) {
    problem.goal.push_back(parse_constraint(fmt::format("s{} == 1", i), problem, names, Scope::goal));
  }
  problem.objective = parse_objective(cost, false, problem, names);
  validate(problem);
  return problem;
}

Problem shift_register_problem(int bits, int horizon) {
  Problem problem;
  problem.name = fmt::format("shift register of {} bits", bits);
  problem.horizon = horizon;
  problem.network_file = "shift.bnn";
  problem.action.add({.name = "write"});
  for (int i = 0; i < bits; ++i) problem.state.add({.name = fmt::format("s{}", i)});
  problem.initial.assign(problem.state.bit_count(), 0);
  Network& network = problem.network.emplace();
  network.inputs = joined(bit_names(problem.action), bit_names(problem.state));
  network.outputs = bit_names(problem.state, "'");
  Layer& layer = network.layers.emplace_back();
  for (int i = 0; i < bits; ++i) {
    std::vector<std::int8_t> weights(network.inputs.size(), 0);
    weights[static_cast<std::size_t>(i)] = 1;  // of the bit before, or of what is written
    layer.neurons.push_back({weights, 1});
  }
  connect_network(problem);
  const NameTable names(problem);
  for (int i = 0; i < bits; ++i) {
    problem.goal.push_back(parse_constraint(fmt::format("s{} == 1", i), problem, names, Scope::goal));
  }
  problem.objective = parse_objective("write", false, problem, names);
  validate(problem);
  return problem;
}

Problem ring_problem(int cells, int horizon) {
  Problem problem;
  problem.name = fmt::format("ring of {} cells", cells);
  problem.horizon = horizon;
  problem.network_file = "ring.bnn";
  std::string cost;
  for (int i = 0; i < cells; ++i) {
    problem.action.add({.name = fmt::format("light{}", i)});
    problem.state.add({.name = fmt::format("cell{}", i)});
    cost += fmt::format("{}light{}", i == 0 ? "" : " + ", i);
  }
  problem.initial.assign(problem.state.bit_count(), 0);
  Network& network = problem.network.emplace();
  network.inputs = joined(bit_names(problem.action), bit_names(problem.state));
  network.outputs = bit_names(problem.state, "'");
  Layer& layer = network.layers.emplace_back();
  for (int i = 0; i < cells; ++i) {  // at least one of: lit now, the cell itself, its neighbours
    std::vector<std::int8_t> weights(network.inputs.size(), 0);
    weights[static_cast<std::size_t>(i)] = 1;
    for (const int near : {i, (i + 1) % cells, (i + cells - 1) % cells})
      weights[static_cast<std::size_t>(cells + near)] = 1;
    layer.neurons.push_back({weights, 1});
  }
  connect_network(problem);
  const NameTable names(problem);
  for (int i = 0; i < cells; ++i) {
    problem.goal.push_back(parse_constraint(fmt::format("cell{} == 1", i), problem, names, Scope::goal));
  }
  problem.objective = parse_objective(cost, false, problem, names);
  validate(problem);
  return problem;
}

}  // namespace bnnplan::testing

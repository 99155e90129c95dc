// Greedy shrinking. A draft is the problem with names instead of bit numbers, so that anything can be removed
// from it; every draft is built into a problem again, from text as a user would write it, and drafts that are
// not valid problems are discarded. A removed variable is 0 in all rows.
#include "shrink_problem.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "bnnplan/base/checked.hpp"
#include "bnnplan/base/input_error.hpp"
#include "bnnplan/problem/expression.hpp"
#include "bnnplan/problem/name_table.hpp"

namespace bnnplan::fuzz {

namespace {

struct NamedTerm {
  std::int64_t coefficient;
  std::string bit;  // with a ' for the next state
};

struct Row {
  std::vector<NamedTerm> terms;
  Comparison comparison = Comparison::at_least;
  std::int64_t bound = 0;
};

using NamedValues = std::map<std::string, BitValue>;

struct Prefix {
  NamedValues initial;
  std::vector<NamedValues> actions;
};

struct Draft {
  std::string name;
  int horizon = 1;
  std::vector<Variable> state, action, auxiliary;
  NamedValues initial;  // the given bits
  std::vector<Row> constraints, transitions, goal;
  Row objective;  // the bound is the constant
  int decimals = 0;
  bool maximize = false;
  std::vector<Prefix> refused;
  std::optional<Network> network;
};

std::vector<NamedTerm> named(const Problem& problem, const std::vector<Term>& terms) {
  std::vector<NamedTerm> result;
  for (const Term& term : terms) result.push_back({term.coefficient, bit_name(problem, term.bit)});
  return result;
}

std::vector<Row> named(const Problem& problem, const std::vector<LinearConstraint>& constraints) {
  std::vector<Row> rows;
  for (const LinearConstraint& c : constraints)
    rows.push_back({named(problem, c.terms), c.comparison, c.bound});
  return rows;
}

template <class Values>
NamedValues named(const VariableList& list, const Values& values) {
  NamedValues result;
  for (std::uint32_t i = 0; i < values.size(); ++i)
    if (values[i] != unknown_bit) result[list.bit_name(i)] = values[i];
  return result;
}

Draft draft_of(const Problem& problem) {
  Draft draft;
  draft.name = problem.name;
  draft.horizon = problem.horizon;
  draft.state = problem.state.variables;
  draft.action = problem.action.variables;
  draft.auxiliary = problem.auxiliary.variables;
  draft.initial = named(problem.state, problem.initial);
  draft.constraints = named(problem, problem.constraints);
  draft.transitions = named(problem, problem.transitions);
  draft.goal = named(problem, problem.goal);
  draft.objective = {named(problem, problem.objective.terms), Comparison::at_least,
                     problem.objective.constant};
  draft.decimals = problem.objective.decimals;
  draft.maximize = problem.objective.maximize;
  for (const RefusedPrefix& prefix : problem.refused) {
    Prefix& copy = draft.refused.emplace_back();
    copy.initial = named(problem.state, prefix.initial);
    for (const auto& action : prefix.actions) copy.actions.push_back(named(problem.action, action));
  }
  draft.network = problem.network;
  return draft;
}

std::string sum_text(const std::vector<NamedTerm>& terms, std::int64_t sign, const std::string& scale) {
  std::string text;
  for (const NamedTerm& term : terms) {
    const bool primed = term.bit.ends_with("'");
    const std::string bare = primed ? term.bit.substr(0, term.bit.size() - 1) : term.bit;
    const std::int64_t coefficient = sign * term.coefficient;
    text += fmt::format("{}{}{} {}{}",
                        text.empty()      ? ""
                        : coefficient < 0 ? " "
                                          : " + ",
                        coefficient, scale, name_in_expression(bare), primed ? "'" : "");
  }
  return text.empty() ? "0" : text;
}

std::string row_text(const Row& row) {
  const char* comparison = row.comparison == Comparison::at_least  ? ">="
                           : row.comparison == Comparison::at_most ? "<="
                                                                   : "==";
  return fmt::format("{} {} {}", sum_text(row.terms, 1, ""), comparison, row.bound);
}

template <class Values>
void set_values(const VariableList& list, const NamedValues& from, Values& to) {
  for (std::uint32_t i = 0; i < list.bit_count(); ++i) {
    const auto found = from.find(list.bit_name(i));
    if (found != from.end()) to[i] = found->second;
  }
}

// Throws InputError, ExpressionError or OverflowError if it is not a problem that could be in a file.
Problem build(const Draft& draft) {
  if (draft.state.empty()) throw InputError("no state");
  if (draft.network && draft.network->inputs.empty()) throw InputError("no inputs");
  for (const Layer& layer : draft.network ? draft.network->layers : std::vector<Layer>{})
    if (layer.neurons.empty()) throw InputError("no neurons");
  Problem problem;
  problem.name = draft.name;
  problem.horizon = draft.horizon;
  for (const Variable& variable : draft.state) problem.state.add(variable);
  for (const Variable& variable : draft.action) problem.action.add(variable);
  for (const Variable& variable : draft.auxiliary) problem.auxiliary.add(variable);
  problem.initial.assign(problem.state.bit_count(), unknown_bit);
  set_values(problem.state, draft.initial, problem.initial);
  const NameTable names(problem);
  const auto add = [&](const std::vector<Row>& rows, std::vector<LinearConstraint>& to, Scope scope) {
    for (const Row& row : rows) to.push_back(parse_constraint(row_text(row), problem, names, scope));
  };
  add(draft.constraints, problem.constraints, Scope::step);
  add(draft.transitions, problem.transitions, Scope::transition);
  add(draft.goal, problem.goal, Scope::goal);
  const std::int64_t sign = draft.maximize ? -1 : 1;
  const std::string scale = draft.decimals == 0 ? "" : fmt::format("e-{}", draft.decimals);
  std::string objective = sum_text(draft.objective.terms, sign, scale);
  if (draft.objective.bound != 0) {
    const std::int64_t constant = sign * draft.objective.bound;
    objective += fmt::format(" {} {}{}", constant < 0 ? "-" : "+", checked_magnitude(constant), scale);
  }
  problem.objective = parse_objective(objective, draft.maximize, problem, names);
  for (const Prefix& prefix : draft.refused) {
    RefusedPrefix& copy = problem.refused.emplace_back();
    copy.initial.assign(problem.state.bit_count(), unknown_bit);
    set_values(problem.state, prefix.initial, copy.initial);
    for (const NamedValues& action : prefix.actions) {
      copy.actions.emplace_back(problem.action.bit_count(), 0);
      set_values(problem.action, action, copy.actions.back());
    }
  }
  if (draft.network) {
    problem.network = draft.network;
    problem.network_file = "shrunk.bnn";
    connect_network(problem);
  }
  validate(problem);
  return problem;
}

// The variable that a bit belongs to: x for x, x', x.2 and x.2'.
bool belongs(std::string bit, const Variable& variable) {
  if (bit.ends_with("'")) bit.pop_back();
  if (bit == variable.name) return true;
  return !variable.boolean && bit.starts_with(variable.name + ".");
}

void remove_input(Network& network, std::size_t input) {
  network.inputs.erase(network.inputs.begin() + static_cast<std::ptrdiff_t>(input));
  for (Neuron& neuron : network.layers.front().neurons)
    neuron.weights.erase(neuron.weights.begin() + static_cast<std::ptrdiff_t>(input));
}

void remove_output(Network& network, std::size_t output) {
  network.outputs.erase(network.outputs.begin() + static_cast<std::ptrdiff_t>(output));
  auto& neurons = network.layers.back().neurons;
  neurons.erase(neurons.begin() + static_cast<std::ptrdiff_t>(output));
}

void remove_hidden(Network& network, std::size_t layer, std::size_t index) {
  auto& neurons = network.layers[layer].neurons;
  neurons.erase(neurons.begin() + static_cast<std::ptrdiff_t>(index));
  for (Neuron& neuron : network.layers[layer + 1].neurons)
    neuron.weights.erase(neuron.weights.begin() + static_cast<std::ptrdiff_t>(index));
}

void remove_variable(Draft& draft, const Variable& variable) {
  const auto gone = [&](const std::string& bit) { return belongs(bit, variable); };
  for (auto* list : {&draft.state, &draft.action, &draft.auxiliary}) std::erase(*list, variable);
  std::erase_if(draft.initial, [&](const auto& entry) { return gone(entry.first); });
  const auto clear = [&](Row& row) {
    std::erase_if(row.terms, [&](const NamedTerm& term) { return gone(term.bit); });
  };
  for (auto* rows : {&draft.constraints, &draft.transitions, &draft.goal})
    for (Row& row : *rows) clear(row);
  clear(draft.objective);
  for (Prefix& prefix : draft.refused) {
    std::erase_if(prefix.initial, [&](const auto& entry) { return gone(entry.first); });
    for (NamedValues& action : prefix.actions)
      std::erase_if(action, [&](const auto& entry) { return gone(entry.first); });
  }
  if (!draft.network) return;
  Network& network = *draft.network;
  for (std::size_t i = network.inputs.size(); i-- > 0;)
    if (gone(network.inputs[i])) remove_input(network, i);
  for (std::size_t i = network.outputs.size(); i-- > 0;)
    if (gone(network.outputs[i])) remove_output(network, i);
  if (network.inputs.empty() || network.outputs.empty()) draft.network.reset();
}

class Shrinker {
 public:
  Shrinker(const Problem& problem, const std::function<bool(const Problem&)>& fails)
      : fails_(fails), best_(problem), draft_(draft_of(problem)) {}

  Problem run() {
    // The draft itself may differ in the texts of its rows; if that makes it pass, there is nothing to
    // shrink.
    if (!attempt(draft_)) return best_;
    bool smaller = true;
    while (smaller) {
      smaller = false;
      smaller |= shorten();
      smaller |= each([](Draft& d) { return &d.refused; });
      smaller |= each([](Draft& d) { return &d.constraints; });
      smaller |= each([](Draft& d) { return &d.transitions; });
      smaller |= each([](Draft& d) { return &d.goal; });
      smaller |= drop_variables();
      smaller |= shrink_network();
      smaller |= shrink_rows();
      smaller |= give_initial_values();
    }
    return best_;
  }

 private:
  bool attempt(const Draft& draft) {
    try {
      Problem problem = build(draft);
      if (!fails_(problem)) return false;
      best_ = std::move(problem);
      draft_ = draft;
      return true;
    } catch (const InputError&) {
    } catch (const ExpressionError&) {
    } catch (const OverflowError&) {
    }
    return false;
  }

  template <class Change>
  bool change(Change&& edit) {
    Draft draft = draft_;
    edit(draft);
    return attempt(draft);
  }

  bool shorten() {
    for (const int horizon : {1, draft_.horizon / 2, draft_.horizon - 1}) {
      if (horizon < 1 || horizon >= draft_.horizon) continue;
      if (change([&](Draft& d) { d.horizon = horizon; })) return true;
    }
    return false;
  }

  // Removes elements from a list, from the end.
  template <class List>
  bool each(List&& list) {
    bool any = false;
    for (std::size_t i = list(draft_)->size(); i-- > 0;)
      any |= change([&](Draft& d) { list(d)->erase(list(d)->begin() + static_cast<std::ptrdiff_t>(i)); });
    return any;
  }

  bool drop_variables() {
    bool any = false;
    for (const auto& list : {draft_.auxiliary, draft_.action, draft_.state})
      for (const Variable& variable : list) any |= change([&](Draft& d) { remove_variable(d, variable); });
    return any;
  }

  bool shrink_network() {
    if (!draft_.network) return false;
    bool any = change([](Draft& d) { d.network.reset(); });
    if (any) return true;
    for (std::size_t layer = 0; layer + 1 < draft_.network->layers.size(); ++layer)
      for (std::size_t i = draft_.network->layers[layer].neurons.size(); i-- > 0;)
        any |= change([&](Draft& d) { remove_hidden(*d.network, layer, i); });
    for (std::size_t i = draft_.network->outputs.size(); i-- > 0;)
      any |= change([&](Draft& d) { remove_output(*d.network, i); });
    for (std::size_t i = draft_.network->inputs.size(); i-- > 0;)
      any |= change([&](Draft& d) { remove_input(*d.network, i); });
    for (std::size_t layer = 0; layer < draft_.network->layers.size(); ++layer) {
      for (std::size_t i = 0; i < draft_.network->layers[layer].neurons.size(); ++i) {
        const auto weights = draft_.network->layers[layer].neurons[i].weights;
        for (std::size_t j = 0; j < weights.size(); ++j)
          if (weights[j] != 0)
            any |= change([&](Draft& d) { d.network->layers[layer].neurons[i].weights[j] = 0; });
      }
    }
    return any;
  }

  bool shrink_rows() {
    bool any = false;
    for (auto list : {&Draft::constraints, &Draft::transitions, &Draft::goal})
      for (std::size_t i = 0; i < (draft_.*list).size(); ++i)
        any |= shrink_row([list, i](Draft& d) -> Row& { return (d.*list)[i]; });
    any |= shrink_row([](Draft& d) -> Row& { return d.objective; });
    if (draft_.maximize) any |= change([](Draft& d) { d.maximize = false; });
    if (draft_.decimals > 0) any |= change([](Draft& d) { d.decimals = 0; });
    return any;
  }

  template <class Which>
  bool shrink_row(Which&& which) {
    bool any = false;
    for (std::size_t i = which(draft_).terms.size(); i-- > 0;) {
      any |= change([&](Draft& d) {
        auto& terms = which(d).terms;
        terms.erase(terms.begin() + static_cast<std::ptrdiff_t>(i));
      });
    }
    for (std::size_t i = 0; i < which(draft_).terms.size(); ++i) {
      const std::int64_t now = which(draft_).terms[i].coefficient;
      if (now != 1 && now != -1)
        any |= change([&](Draft& d) { which(d).terms[i].coefficient = now < 0 ? -1 : 1; });
    }
    const std::int64_t bound = which(draft_).bound;
    for (const std::int64_t smaller : {std::int64_t{0}, bound / 2, bound < 0 ? bound + 1 : bound - 1})
      if (bound != 0 && change([&](Draft& d) { which(d).bound = smaller; })) return true;
    return any;
  }

  bool give_initial_values() {
    bool any = false;
    VariableList list;
    for (const Variable& variable : draft_.state) list.add(variable);
    for (std::uint32_t i = 0; i < list.bit_count(); ++i) {
      const std::string bit = list.bit_name(i);
      const auto given = draft_.initial.find(bit);
      if (given == draft_.initial.end() || given->second == 1)
        any |= change([&](Draft& d) { d.initial[bit] = 0; });
    }
    return any;
  }

  const std::function<bool(const Problem&)>& fails_;
  Problem best_;
  Draft draft_;
};

}  // namespace

Problem shrink_problem(const Problem& problem, const std::function<bool(const Problem&)>& fails) {
  return Shrinker(problem, fails).run();
}

}  // namespace bnnplan::fuzz

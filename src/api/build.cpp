// Problems grow in place. A variable that is added later gets the bits behind those of its list, so whatever
// was said before keeps its meaning; expressions are read by the parser of problem files, and equal problems
// come out of equal texts.
#include <algorithm>
#include <optional>
#include <utility>

#include <bnnplan/build.hpp>
#include <fmt/format.h>

#include "bnnplan/network/network_file.hpp"
#include "bnnplan/problem/score_terms.hpp"
#include "bnnplan/problem/variable_value.hpp"

namespace bnnplan {

namespace {

// The parser's errors with the text they are about.
template <class Parse>
auto parsed(std::string_view text, Parse parse) {
  try {
    return parse();
  } catch (const ExpressionError& error) {
    throw InputError(
        fmt::format("{} (in \"{}\", column {})", error.what(), printable(text), error.position + 1));
  }
}

bool is_over_next(const LinearConstraint& constraint) {
  return std::any_of(constraint.terms.begin(), constraint.terms.end(),
                     [](const Term& term) { return term.bit.place == Place::next; });
}

}  // namespace

ProblemBuilder::ProblemBuilder(std::string name) { problem_.name = std::move(name); }

ProblemBuilder::ProblemBuilder(Problem problem) : problem_(std::move(problem)), names_(problem_) {}

const Problem& ProblemBuilder::finished() const {
  if (problem_.state.variables.empty()) throw InputError("the problem has no state variables");
  validate(problem_);
  return problem_;
}

void ProblemBuilder::add_variable(Place place, Variable variable) {
  if (place == Place::next) throw InputError("a variable is one of the state, an action or an auxiliary one");
  const std::string shown = printable(variable.name);
  if (variable.bits < 1 || variable.bits > most_variable_bits)
    throw InputError(
        fmt::format("bad bits of '{}', expected an integer from 1 to {}", shown, most_variable_bits));
  if (variable.boolean && (variable.bits != 1 || variable.twos_complement || variable.scale != 0))
    throw InputError(fmt::format("'{}' is Boolean, and has one bit, neither signed nor scaled", shown));
  if (variable.scale < -9 || variable.scale > 9)
    throw InputError(fmt::format("bad scale of '{}', expected an integer from -9 to 9", shown));
  VariableList& list = place == Place::state    ? problem_.state
                       : place == Place::action ? problem_.action
                                                : problem_.auxiliary;
  for (int bit = 0; !variable.boolean && bit < variable.bits;
       ++bit) {  // the table takes all its names or none
    const std::string name = fmt::format("{}.{}", variable.name, bit);
    if (names_.find(name)) throw InputError(fmt::format("duplicate variable '{}'", printable(name)));
  }
  names_.add(variable, {place, static_cast<std::uint32_t>(list.variables.size()), list.bit_count(),
                        static_cast<std::uint32_t>(variable.bits)});
  list.add(std::move(variable));
  if (place == Place::state) problem_.initial.resize(problem_.state.bit_count(), unknown_bit);
}

NamedBits ProblemBuilder::state_bits(std::string_view name) const {
  const auto bits = names_.find(name);
  if (!bits)
    throw InputError(fmt::format("unknown variable '{}'{}", printable(name), names_.suggestion(name)));
  if (bits->place != Place::state)
    throw InputError(fmt::format("initial value for '{}', which is not a state variable", printable(name)));
  return *bits;
}

void ProblemBuilder::set_initial(std::string_view name, const Decimal& value) {
  const NamedBits bits = state_bits(name);
  const Variable& variable = problem_.state.variables[bits.variable];
  const Variable single_bit;
  const Variable& meant = variable.name == name ? variable : single_bit;
  const auto values = bits_of_value(meant, value);
  if (!values)
    throw InputError(
        fmt::format("bad initial value for '{}', expected {}", printable(name), range_text(meant)));
  std::copy(values->begin(), values->end(), problem_.initial.begin() + bits.first);
}

void ProblemBuilder::free_initial(std::string_view name) {
  const NamedBits bits = state_bits(name);
  std::fill_n(problem_.initial.begin() + bits.first, bits.count, unknown_bit);
}

void ProblemBuilder::add_constraint(std::string_view text) {
  LinearConstraint constraint =
      parsed(text, [&] { return parse_constraint(text, problem_, names_, Scope::transition); });
  (is_over_next(constraint) ? problem_.transitions : problem_.constraints).push_back(std::move(constraint));
}

void ProblemBuilder::add_goal(std::string_view text) {
  problem_.goal.push_back(
      parsed(text, [&] { return parse_constraint(text, problem_, names_, Scope::goal); }));
}

void ProblemBuilder::set_objective(std::string_view text, bool maximize) {
  problem_.objective = parsed(text, [&] { return parse_objective(text, maximize, problem_, names_); });
}

void ProblemBuilder::set_network(Network network, std::string file) {
  if (problem_.network && is_classifier(*problem_.network))
    throw InputError(
        "the network is a classifier, of whose scores constraints may speak: expected no other one");
  require_well_formed(network);
  Problem problem = problem_;
  NameTable names = names_;
  problem.network = std::move(network);
  problem.network_file = std::move(file);
  const bool classifier = is_classifier(*problem.network);
  if (classifier && !problem.network->layers.empty()) add_hidden_bits(problem, names);
  connect_network(problem);
  problem.initial.resize(problem.state.bit_count(), unknown_bit);
  for (const std::uint32_t bit :
       problem.network_outputs) {  // before the first step a classifier has said nothing
    if (classifier && problem.initial[bit] == unknown_bit) problem.initial[bit] = 0;
  }
  problem_ = std::move(problem);
  names_ = std::move(names);
}

void ProblemBuilder::set_horizon(std::int64_t horizon) {
  if (horizon < 1 || horizon > horizon_limit)
    throw InputError(fmt::format("horizon {} is out of range, expected 1 to {}", horizon, horizon_limit));
  if (problem_.longest > 0 && horizon > problem_.longest) {
    bnnplan::set_horizon(problem_, horizon);  // says why it is too long
  }
  problem_.horizon = static_cast<int>(horizon);
}

void require_well_formed(const Network& network) {
  for (const auto* names : {&network.inputs, &network.outputs}) {
    for (const std::string& name : *names) {
      if (!is_network_name(name))
        throw InputError(fmt::format(
            "bad name '{}' of a network: expected one line without blanks at its ends, not beginning with #",
            printable(name)));
    }
  }
  std::size_t width = network.inputs.size();
  const auto require_weights = [&](const std::vector<std::int8_t>& weights, const std::string& where) {
    if (weights.size() != width)
      throw InputError(fmt::format("{} has {} weights, expected {}", where, weights.size(), width));
    if (std::any_of(weights.begin(), weights.end(), [](int weight) { return weight < -1 || weight > 1; }))
      throw InputError(fmt::format("{} has a weight other than -1, 0 and 1", where));
  };
  for (std::size_t l = 0; l < network.layers.size(); ++l) {
    const auto& neurons = network.layers[l].neurons;
    for (std::size_t n = 0; n < neurons.size(); ++n)
      require_weights(neurons[n].weights, fmt::format("neuron {} of layer {}", n + 1, l + 1));
    width = neurons.size();
  }
  for (std::size_t c = 0; c < network.scores.size(); ++c)
    require_weights(network.scores[c].weights, fmt::format("score {}", c + 1));
  parse_network(network_text(network), "the network");  // whatever else its reader refuses
}

}  // namespace bnnplan

// Questions about networks in formulas that others wrote. Neurons are recognised first (recognise_neurons); what is left has
// to be
//
//   units                      a variable is fixed
//   ~c M + sum >= bound        the sum, over the last layer, has to reach the bound where c is chosen
//   sum >= bound               or in any case
//   c1 + c2 + ... >= 1         something is chosen; and perhaps: no more than one
//   flip -> r_k, r_k -> r_j    where the dearest change counts: levels, of which each implies the one before
//
// and the objective a sum over inputs, or over levels. Anything else is no such question, and left to the solver.
#include "verify/opb_question.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "verify/answer_question.hpp"

namespace bnnplan {

namespace {

enum class Role : std::uint8_t { other, input, neuron, choice, level };

class QuestionRecogniser {
 public:
  explicit QuestionRecogniser(const PbFormula& formula) : formula_(formula), roles_(formula.variables) {}

  std::optional<OpbQuestion> run() {
    if (!formula_.has_objective || formula_.objective.empty()) return std::nullopt;
    RecognisedFormula recognised = recognise_neurons(formula_);
    if (recognised.layers.empty()) return std::nullopt;
    result_.rows = recognised.rest.size();
    result_.fixed.resize(formula_.variables);
    for (const PbConstraint& constraint : recognised.rest) {
      if (constraint.terms.size() == 1 && constraint.bound > 0)
        result_.fixed[constraint.terms.front().literal.var().index] =
            !constraint.terms.front().literal.negated();
    }
    if (!add_layers(std::move(recognised.layers))) return std::nullopt;
    for (const auto& [coefficient, literal] : formula_.objective)
      coefficients_[literal.var().index] += coefficient;
    for (const PbConstraint& constraint : recognised.rest) {
      if (!read_rest(constraint)) return std::nullopt;
    }
    if (!add_costs() || !add_property()) return std::nullopt;
    result_.network = std::make_unique<const Network>(std::move(network_));
    result_.question.network = result_.network.get();
    return std::move(result_);
  }

 private:
  // Strictly one layer above the other.
  bool add_layers(std::vector<std::vector<ReifiedAtLeast>> groups) {
    std::map<std::uint32_t, std::uint32_t> depth;  // of neurons, from 1
    std::vector<std::vector<ReifiedAtLeast>> layers;
    for (auto& group : groups) {
      for (const ReifiedAtLeast& neuron : group) {
        if (neuron.output.negated() || result_.fixed[neuron.output.var().index] ||
            !depth.emplace(neuron.output.var().index, 0).second)
          return false;
      }
    }
    for (auto& group : groups) {
      for (ReifiedAtLeast& neuron : group) {
        std::set<std::uint32_t> below;
        for (const Lit input : neuron.inputs) {
          const auto found = depth.find(input.var().index);
          if (found != depth.end() && found->second == 0) return false;  // not yet known
          below.insert(found == depth.end() ? 0 : found->second);
        }
        if (below.size() != 1) return false;
        depth[neuron.output.var().index] = *below.begin() + 1;
        layers.resize(std::max<std::size_t>(layers.size(), *below.begin() + 1));
        layers[*below.begin()].push_back(std::move(neuron));
      }
    }
    std::map<std::uint32_t, std::size_t> places;  // of the bits of the layer below
    for (const auto& layer : layers) {
      if (layer.empty()) return false;
      if (&layer == &layers.front()) add_inputs(layer, places);
      Layer& made = network_.layers.emplace_back();
      for (const ReifiedAtLeast& neuron : layer) {
        Neuron& one =
            made.neurons.emplace_back(Neuron{std::vector<std::int8_t>(places.size()), neuron.threshold});
        for (const Lit input : neuron.inputs)
          one.weights[places.at(input.var().index)] = input.negated() ? -1 : 1;
      }
      places.clear();
      for (const ReifiedAtLeast& neuron : layer) {
        places.emplace(neuron.output.var().index, places.size());
        roles_[neuron.output.var().index] = Role::neuron;
      }
    }
    last_ = std::move(places);
    result_.layers = std::move(layers);
    return true;
  }

  void add_inputs(const std::vector<ReifiedAtLeast>& layer, std::map<std::uint32_t, std::size_t>& places) {
    std::set<std::uint32_t> variables;
    for (const ReifiedAtLeast& neuron : layer) {
      for (const Lit input : neuron.inputs) variables.insert(input.var().index);
    }
    for (const std::uint32_t variable : variables) {
      roles_[variable] = Role::input;
      places.emplace(variable, places.size());
      result_.inputs.push_back(variable);
      network_.inputs.push_back(fmt::format("x{}", variable + 1));
    }
  }

  Role role_of(Lit literal) {
    Role& role = roles_[literal.var().index];
    if (role == Role::other)
      role = coefficients_.count(literal.var().index) != 0 ? Role::level : Role::choice;
    return role;
  }

  bool read_rest(const PbConstraint& constraint) {
    if (constraint.terms.size() == 1 && constraint.bound > 0) return true;
    std::vector<PbConstraint::Term> terms, choices;
    std::int64_t bound = constraint.bound;
    std::size_t inputs = 0, levels = 0;
    for (const auto& [coefficient, literal] : constraint.terms) {
      const std::uint32_t variable = literal.var().index;
      if (roles_[variable] != Role::input && result_.fixed[variable]) {
        if (*result_.fixed[variable] != literal.negated()) bound -= coefficient;
        continue;
      }
      const Role role = role_of(literal);
      if (role == Role::choice) {
        choices.push_back({coefficient, literal});
        continue;
      }
      terms.push_back({coefficient, literal});
      if (role == Role::input) ++inputs;
      if (role == Role::level) ++levels;
      if (role == Role::neuron && last_.count(variable) == 0) return false;
    }
    if (bound <= 0) return true;
    if (terms.empty()) return !choices.empty() && read_choices(choices, bound);
    if (inputs + levels > 0) return choices.empty() && read_level(terms, bound);
    if (choices.empty()) {
      rows_[std::nullopt].push_back({std::move(terms), bound});
      return true;
    }
    const auto& [lift, choice] = choices.front();
    if (choices.size() != 1 || !choice.negated() || lift < bound) return false;
    rows_[choice.var().index].push_back({std::move(terms), bound});
    return true;
  }

  bool read_choices(const std::vector<PbConstraint::Term>& terms, std::int64_t bound) {
    std::set<std::uint32_t> variables;
    for (const auto& [coefficient, literal] : terms) {
      if (coefficient != 1 || literal.negated() != terms.front().literal.negated()) return false;
      variables.insert(literal.var().index);
    }
    if (terms.front().literal.negated())  // no more than one
      return bound == static_cast<std::int64_t>(terms.size()) - 1;
    if (bound != 1 || !chosen_.empty()) return false;
    chosen_ = std::move(variables);
    return true;
  }

  // A clause of two literals: an input or a level implies a level.
  bool read_level(const std::vector<PbConstraint::Term>& terms, std::int64_t bound) {
    if (terms.size() != 2 || bound != 1) return false;
    Lit from = ~terms[0].literal, to = terms[1].literal;
    if (role_of(to) != Role::level || to.negated()) std::swap(from, to), from = ~from, to = ~to;
    if (role_of(to) != Role::level || to.negated()) return false;
    if (role_of(from) == Role::level)
      return !from.negated() && next_.emplace(from.var().index, to.var().index).second;
    return role_of(from) == Role::input && forced_.emplace(from.var().index, std::pair{from, to}).second;
  }

  bool add_costs() {
    FlipQuestion& question = result_.question;
    question.largest = !forced_.empty() || !next_.empty();
    for (const auto& [variable, coefficient] : coefficients_) {
      if (coefficient == 0) continue;
      if (roles_[variable] == Role::input) {
        if (question.largest) return false;
        if (coefficient < 0 || result_.fixed[variable] == true)
          result_.offset += coefficient;  // 1 is the cheapest, or all there is
      } else if (result_.fixed[variable]) {
        if (*result_.fixed[variable]) result_.offset += coefficient;
      } else if (roles_[variable] != Role::level || !question.largest || coefficient < 0) {
        return false;
      }
    }
    if (question.largest && !read_chain()) return false;
    for (std::uint32_t i = 0; i < result_.inputs.size(); ++i) {
      const std::uint32_t variable = result_.inputs[i];
      std::int64_t cost = 0;
      bool bit = false;
      if (const auto found = forced_.find(variable); found != forced_.end()) {
        bit = found->second.first.negated();  // where nothing is forced
        cost = levels_.at(found->second.second.var().index);
      } else if (const auto priced = coefficients_.find(variable); priced != coefficients_.end()) {
        bit = priced->second < 0;
        cost = bit ? -priced->second : priced->second;
      }
      if (const std::optional<bool> fixed = result_.fixed[variable]) {
        if (question.largest && cost > 0 && *fixed != bit) return false;
        if (!question.largest && *fixed != bit && bit) result_.offset -= coefficients_[variable];
        bit = *fixed;
      } else {
        if (cost <= 0) return false;  // changes that cost nothing are no flips
        question.flips.push_back({i, cost, bit ? 0 : 1});
      }
      question.bits.push_back(bit ? 1 : 0);
      question.values.emplace_back(bit ? 1 : 0);
    }
    std::stable_sort(question.flips.begin(), question.flips.end(),
                     [](const Flip& a, const Flip& b) { return a.cost < b.cost; });
    return true;
  }

  // Levels one after the other: what each costs, with all that it implies.
  bool read_chain() {
    std::set<std::uint32_t> all, reached;
    for (const auto& [from, to] : next_) {
      all.insert({from, to});
      if (!reached.insert(to).second) return false;
    }
    for (const auto& [input, implied] : forced_) all.insert(implied.second.var().index);
    std::optional<std::uint32_t> last;  // the one that implies nothing
    for (const std::uint32_t level : all) {
      if (result_.fixed[level] || coefficients_.count(level) == 0) return false;
      if (next_.count(level) != 0) continue;
      if (last) return false;
      last = level;
    }
    if (!last) return false;
    std::map<std::uint32_t, std::uint32_t> before;
    for (const auto& [from, to] : next_) before[to] = from;
    std::int64_t cost = 0;
    std::vector<std::pair<Lit, Lit>> implied;
    for (std::optional<std::uint32_t> level = last; level;) {
      cost += coefficients_[*level];
      levels_[*level] = cost;
      const auto found = before.find(*level);
      if (found != before.end())
        implied.emplace_back(Lit::positive({found->second}), Lit::positive({*level}));
      level = found != before.end() ? std::optional(found->second) : std::nullopt;
    }
    if (levels_.size() != all.size()) return false;
    for (const auto& [input, pair] : forced_) result_.implied.push_back(pair);
    result_.implied.insert(result_.implied.end(), implied.rbegin(), implied.rend());
    return true;
  }

  struct ConditionRow {
    std::vector<PbConstraint::Term> terms;
    std::int64_t bound = 0;
  };

  std::uint32_t add_row(const ConditionRow& row) {
    // A score for every coefficient: what agrees with its sign counts that much.
    std::map<std::int64_t, Score> scores;
    for (const auto& [coefficient, literal] : row.terms) {
      Score& score = scores[coefficient];
      score.weights.resize(last_.size());
      score.weights[last_.at(literal.var().index)] = literal.negated() ? -1 : 1;
    }
    ScoreCondition condition;
    condition.bound = row.bound;
    for (auto& [coefficient, score] : scores) {
      condition.terms.push_back({static_cast<std::uint32_t>(network_.scores.size()), coefficient});
      network_.scores.push_back(std::move(score));
    }
    return result_.question.property.add(std::move(condition));
  }

  bool add_property() {
    Property& property = result_.question.property;
    std::vector<std::uint32_t> parts, groups;
    for (const ConditionRow& row : rows_[std::nullopt]) parts.push_back(add_row(row));
    for (std::uint32_t v = 0; v < formula_.variables; ++v) {
      if (roles_[v] == Role::choice && !result_.fixed[v] && chosen_.count(v) == 0) return false;
    }
    for (const std::uint32_t choice : chosen_) {
      std::vector<std::uint32_t> group;
      for (const ConditionRow& row : rows_[choice]) group.push_back(add_row(row));
      groups.push_back(property.add(Property::Kind::all, std::move(group)));
      result_.choices.push_back(choice);
    }
    if (!groups.empty()) parts.push_back(property.add(Property::Kind::any, std::move(groups)));
    if (parts.size() != 1) property.add(Property::Kind::all, std::move(parts));
    network_.outputs.resize(network_.scores.size());
    return !network_.scores.empty();
  }

  const PbFormula& formula_;
  OpbQuestion result_;
  Network network_;
  std::vector<Role> roles_;
  std::map<std::uint32_t, std::int64_t> coefficients_;  // of the objective
  std::map<std::uint32_t, std::size_t> last_;           // the last layer: variables and their places
  std::map<std::optional<std::uint32_t>, std::vector<ConditionRow>> rows_;
  std::set<std::uint32_t> chosen_;
  std::map<std::uint32_t, std::uint32_t> next_;  // a level implies another one
  std::map<std::uint32_t, std::pair<Lit, Lit>>
      forced_;                                    // of inputs: the literal, and the level that it implies
  std::map<std::uint32_t, std::int64_t> levels_;  // what they cost
};

}  // namespace

std::optional<OpbQuestion> recognise_question(const PbFormula& formula) {
  return QuestionRecogniser(formula).run();
}

std::optional<BitValues> solution_of(const OpbQuestion& asked, const PbFormula& formula, const FlipSet& set) {
  BitValues bits = asked.question.bits, values(formula.variables);
  for (const std::uint32_t flip : set) {
    BitValue& bit = bits[asked.question.flips[flip].input];
    bit = bit != 0 ? 0 : 1;
  }
  const auto is_true = [&](Lit literal) { return (values[literal.var().index] != 0) != literal.negated(); };
  for (std::uint32_t v = 0; v < formula.variables; ++v) values[v] = asked.fixed[v].value_or(false) ? 1 : 0;
  for (std::size_t i = 0; i < bits.size(); ++i) values[asked.inputs[i]] = bits[i];
  for (const auto& layer : asked.layers) {
    for (const ReifiedAtLeast& neuron : layer)
      values[neuron.output.var().index] =
          std::count_if(neuron.inputs.begin(), neuron.inputs.end(), is_true) >= neuron.threshold ? 1 : 0;
  }
  for (const auto& [from, to] : asked.implied) {
    if (is_true(from)) values[to.var().index] = 1;
  }
  if (asked.choices.empty() && !check_values(formula, values).violated) return values;
  for (const std::uint32_t choice : asked.choices) {
    values[choice] = 1;
    if (!check_values(formula, values).violated) return values;
    values[choice] = 0;
  }
  return std::nullopt;
}

PbOutcome solve_opb(const PbFormula& formula, const PbRequest& request) {
  const LimitWatch watch(request.limits);
  const auto asked = recognise_question(formula);
  if (!asked) return solve_pseudo_boolean(formula, request);
  PbOutcome outcome;
  for (const auto& layer : asked->layers) outcome.neurons += layer.size();
  outcome.layers = asked->layers.size();
  outcome.rows = asked->rows;
  QuestionRequest question;
  question.limits = request.limits;
  question.check = [&](const FlipSet& set) {
    auto values = solution_of(*asked, formula, set);
    if (!values) throw std::logic_error("a change was found that is no solution");
    const std::int64_t value = check_values(formula, *values).objective;
    if (value != asked->offset + cost_of(asked->question, set))
      throw std::logic_error("a change was found whose cost is another one");
    if (outcome.value && value >= *outcome.value) return;
    outcome.value = value;
    outcome.values = std::move(values);
    if (request.callbacks.improvement) request.callbacks.improvement(*outcome.values, value);
  };
  question.bounds = [&](std::int64_t lower, const std::optional<std::int64_t>&) {
    outcome.lower_bound = asked->offset + lower;
    if (request.callbacks.lower_bound) request.callbacks.lower_bound(*outcome.lower_bound);
  };
  const QuestionAnswer answer = answer_question(asked->question, question);
  outcome.conflicts = answer.conflicts;
  outcome.stopped = answer.stopped;
  outcome.decided_by = answer.decided_by;
  if (!answer.decided) {
    outcome.status = outcome.values ? PbStatus::satisfiable : PbStatus::unknown;
    return outcome;
  }
  outcome.status = outcome.values ? PbStatus::optimal : PbStatus::unsatisfiable;
  outcome.lower_bound = outcome.value;
  if (request.proof.empty()) return outcome;
  // The proof is the solver's, which gets the answer to start from.
  PbRequest proof = request;
  proof.callbacks = {};
  if (proof.limits.seconds) proof.limits.seconds = std::max(0.0, *proof.limits.seconds - watch.seconds());
  if (outcome.values) proof.known = &*outcome.values;
  const PbOutcome proved = solve_pseudo_boolean(formula, proof);
  outcome.conflicts += proved.conflicts;
  outcome.proof_written = proved.proof_written;
  return outcome;
}

}  // namespace bnnplan

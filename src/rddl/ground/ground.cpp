// Grounding: every fluent is instantiated with all combinations of objects, every expression with all values
// of its quantified variables, non-fluents are replaced by their values and everything is folded. Arguments
// number instances of a fluent in mixed radix, the last argument running fastest:
//
//   f(a, b) with |A| x |B| objects  ->  index a |B| + b
//
// Definitions are then sorted so that each comes after those it uses (depth first). Cycles among intermediate
// fluents are detected here, on ground variables, so f(x2) may well use f(x1).
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "bnnplan/base/checked.hpp"
#include "bnnplan/rddl/ground/evaluate.hpp"
#include "bnnplan/rddl/ground/grounder.hpp"

namespace bnnplan::rddl {

namespace {

std::int64_t initial_value(const Fluent& fluent, const Number& value) {
  return fluent.value.kind == ValueKind::real ? value_of_real(value.real) : value.fraction.numerator;
}

}  // namespace

Grounder::Grounder(const RddlTask& task, const GroundingLimits& limits) : task_(task), limits_(limits) {
  model_.nodes = NodePool(limits.nodes);
}

GroundModel Grounder::run() {
  model_.file_names = task_.file_names;
  model_.domain_name = task_.domain_name;
  model_.instance_name = task_.instance_name;
  model_.types = task_.types;
  model_.max_nondefault_actions = task_.max_nondefault_actions;
  model_.horizon = task_.horizon;
  model_.discount = task_.discount;
  model_.instance_place = task_.instance_place;
  for (const Fluent& fluent : task_.fluents) instantiate(fluent);
  if (model_.state.empty()) throw RddlError(task_.instance_place, "the instance has no state variables");
  for (const RddlAssignment& assignment : task_.non_fluents) assign(assignment);
  for (const RddlAssignment& assignment : task_.initial) assign(assignment);
  define_all();
  if (task_.reward) model_.reward = ground(*task_.reward);
  ground_conditions(task_.constraints, model_.constraints);
  ground_conditions(task_.invariants, model_.invariants);
  ground_conditions(task_.goals, model_.goals);
  ground_termination();
  sort_definitions();
  return std::move(model_);
}

std::size_t Grounder::instance_count(const Fluent& fluent) {
  // Only non-default values of non-fluents are stored, so instances with the default value take no memory.
  const bool constant = fluent.role == FluentRole::non_fluent;
  const std::size_t most = constant ? limits_.instantiations : limits_.variables;
  std::size_t count = 1;
  for (const std::uint32_t type : fluent.parameters) {
    const std::size_t objects = task_.types[type].objects.size();
    if (objects != 0 && count > most / objects) {
      throw RddlError(fluent.place, fmt::format("'{}' has more than {} instances, expected fewer objects",
                                                fluent.name, most));
    }
    count *= objects;
  }
  if (constant) return count;
  total_ += count;
  if (total_ > limits_.variables) {
    throw RddlError(fluent.place,
                    fmt::format("more than {} ground variables, expected fewer objects", limits_.variables));
  }
  return count;
}

void Grounder::instantiate(const Fluent& fluent) {
  const std::size_t count = instance_count(fluent);
  if (fluent.role == FluentRole::non_fluent) {
    first_.push_back(non_fluents_);
    non_fluents_ += count;
    if (fluent.parameters.empty() && fluent.default_value.exact)
      model_.constants.push_back({fluent.name, {}, fluent.default_value.fraction});
    return;
  }
  std::vector<GroundVariable>& list = variables(fluent.role);
  first_.push_back(list.size());
  std::vector<std::uint32_t> arguments(fluent.parameters.size(), 0);
  for (std::size_t i = 0; i < count; ++i) {
    GroundVariable variable;
    variable.name = variable.fluent = fluent.name;
    for (std::size_t a = 0; a < arguments.size(); ++a)
      variable.arguments.push_back(task_.types[fluent.parameters[a]].objects[arguments[a]]);
    if (!arguments.empty()) variable.name += fmt::format("[{}]", fmt::join(variable.arguments, "| "));
    variable.kind = fluent.value.kind;
    if (variable.kind == ValueKind::object) {
      variable.object_count = static_cast<std::int64_t>(task_.types[fluent.value.object_type].objects.size());
    }
    variable.initial = initial_value(fluent, fluent.default_value);
    variable.observed = fluent.role == FluentRole::observation;
    variable.place = fluent.place;
    list.push_back(std::move(variable));
    advance(arguments, fluent.parameters);
  }
}

std::vector<GroundVariable>& Grounder::variables(FluentRole role) {
  return role == FluentRole::state    ? model_.state
         : role == FluentRole::action ? model_.action
                                      : model_.intermediate;
}

bool Grounder::advance(std::vector<std::uint32_t>& objects, const std::vector<std::uint32_t>& types) const {
  for (std::size_t i = objects.size(); i-- > 0;) {
    if (++objects[i] < task_.types[types[i]].objects.size()) return true;
    objects[i] = 0;
  }
  return false;
}

void Grounder::assign(const RddlAssignment& assignment) {
  const std::uint32_t number = task_.fluent_numbers.find(assignment.name)->second;
  const Fluent& fluent = task_.fluents[number];
  const std::size_t index = first_[number] + index_of(fluent, [&](std::size_t i) {
                              return task_.objects.find(assignment.arguments[i].first)->second.object;
                            });
  const Number value = literal_value(task_, assignment.value, fluent.value, fluent.name);
  if (fluent.role == FluentRole::non_fluent) {
    values_.insert_or_assign(index, value);
    if (!value.exact) return;
    GroundConstant& constant = model_.constants.emplace_back();
    constant.fluent = fluent.name;
    for (const auto& argument : assignment.arguments) constant.arguments.push_back(argument.first);
    constant.value = value.fraction;
  } else {
    GroundVariable& variable = model_.state[index];
    const std::int64_t before = std::exchange(variable.initial, initial_value(fluent, value));
    if (!initial_.insert(index).second && variable.initial != before)
      throw RddlError(assignment.place,
                      fmt::format("'{}' has another value in the same init-state", printable(variable.name)));
  }
}

void Grounder::define_all() {
  for (std::uint32_t number = 0; number < task_.fluents.size(); ++number) {
    const Fluent& fluent = task_.fluents[number];
    if (!fluent.definition) continue;
    const RddlDefinition& definition = task_.definitions[*fluent.definition];
    std::vector<std::uint32_t> arguments(fluent.parameters.size(), 0);
    const std::size_t count = index_of_end(fluent);
    for (std::size_t i = 0; i < count; ++i) {
      environment_ = arguments;
      const NodeId node = ground(definition.expression);
      if (fluent.value.kind != ValueKind::real && model_.nodes[node].kind >= NodeKind::real)
        throw RddlError(definition.expression.place, OverflowError().what());
      GroundVariable& variable = variables(fluent.role)[first_[number] + i];
      variable.definition = node;
      variable.place = definition.place;
      advance(arguments, fluent.parameters);
    }
    environment_.clear();
  }
}

std::size_t Grounder::index_of_end(const Fluent& fluent) const {
  std::size_t count = 1;
  for (const std::uint32_t type : fluent.parameters) count *= task_.types[type].objects.size();
  return count;
}

void Grounder::ground_conditions(const std::vector<RddlCondition>& conditions,
                                 std::vector<GroundCondition>& result) {
  for (const RddlCondition& condition : conditions) {
    const NodeId node = ground(condition.expression);
    if (!model_.nodes.is_true(node)) result.push_back({node, condition.place});
  }
}

// The episode is over as soon as one of the conditions holds.
void Grounder::ground_termination() {
  std::vector<NodeId> conditions;
  for (const RddlCondition& termination : task_.terminations)
    conditions.push_back(ground(termination.expression));
  if (conditions.empty()) return;
  const NodeId any = model_.nodes.make(Operation::logical_or, conditions, task_.terminations.front().place);
  if (!model_.nodes.is_false(any))
    model_.termination = GroundCondition{any, task_.terminations.front().place};
}

// Depth first with an explicit stack: chains may be as long as there are variables.
void Grounder::sort_definitions() {
  enum class Mark : std::uint8_t { unseen, open, done };
  const std::uint32_t first = model_.first_intermediate();
  std::vector<Mark> marks(model_.slot_count(), Mark::unseen);
  struct Visit {
    std::uint32_t slot;
    std::vector<std::uint32_t> uses;
    std::size_t at = 0;
  };
  std::vector<Visit> stack;
  const auto enter = [&](std::uint32_t slot) {
    marks[slot] = Mark::open;
    stack.push_back({slot, slots_of(model_.nodes, model_.variable(slot).definition), 0});
  };
  for (std::uint32_t root = first; root < model_.slot_count(); ++root) {
    if (marks[root] == Mark::unseen) enter(root);
    while (!stack.empty()) {
      Visit& visit = stack.back();
      if (visit.at == visit.uses.size()) {
        marks[visit.slot] = Mark::done;
        model_.order.push_back({visit.slot, model_.variable(visit.slot).definition});
        stack.pop_back();
        continue;
      }
      const std::uint32_t use = visit.uses[visit.at++];
      if (use < first || marks[use] == Mark::done) continue;
      if (marks[use] == Mark::open) {
        std::vector<std::uint32_t> path;
        for (const Visit& open : stack) path.push_back(open.slot);
        cyclic(path, use);
      }
      enter(use);
    }
  }
}

void Grounder::cyclic(const std::vector<std::uint32_t>& path, std::uint32_t slot) const {
  std::string text;
  const auto start = std::find(path.begin(), path.end(), slot);
  for (auto at = start; at != path.end(); ++at) {
    if (at - start > 8) {
      text += "... -> ";
      break;
    }
    text += fmt::format("{} -> ", printable(model_.slot_name(*at)));
  }
  throw RddlError(model_.variable(slot).place,
                  fmt::format("cyclic definitions: {}{}", text, printable(model_.slot_name(slot))));
}

const GroundVariable& GroundModel::variable(std::uint32_t slot) const {
  if (slot < first_action()) return state[slot];
  if (slot < first_intermediate()) return action[slot - first_action()];
  if (slot < first_next()) return intermediate[slot - first_intermediate()];
  return state[slot - first_next()];
}

std::string GroundModel::slot_name(std::uint32_t slot) const {
  return fmt::format("{}{}", variable(slot).name, slot >= first_next() ? "'" : "");
}

GroundModel ground(const RddlTask& task, const GroundingLimits& limits) {
  return Grounder(task, limits).run();
}

GroundModel read_ground_model(const std::filesystem::path& domain, const std::filesystem::path& instance,
                              std::string_view instance_name, const std::vector<std::string>& goals) {
  return ground(link_rddl(read_rddl(domain), read_rddl(instance), instance_name, goals));
}

}  // namespace bnnplan::rddl

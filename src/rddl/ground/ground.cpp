// Grounding: every fluent is instantiated with all combinations of objects, every expression with all values
// of its quantified variables, non-fluents are replaced by their values and everything is folded. Arguments
// number instances of a fluent in mixed radix, the last argument running fastest:
//
//   f(a, b) with |A| x |B| objects  ->  index a |B| + b
//
// Definitions are then put into an order in which each comes after those it uses (depth first); a cycle among
// intermediate fluents is found here, on ground variables, so that f(x2) may well use f(x1).
#include "rddl/ground/ground.hpp"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "base/checked.hpp"

namespace bnnplan {

namespace {

NodeKind node_kind(ValueKind kind) {
  return kind == ValueKind::boolean ? NodeKind::boolean
         : kind == ValueKind::real  ? NodeKind::real
                                    : NodeKind::integer;
}

class Grounder {
 public:
  Grounder(const RddlTask& task, const GroundingLimits& limits) : task_(task), limits_(limits) {
    model_.nodes = NodePool(limits.nodes);
  }

  GroundModel run() {
    model_.file_names = task_.file_names;
    model_.domain_name = task_.domain_name;
    model_.instance_name = task_.instance_name;
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
    sort_definitions();
    return std::move(model_);
  }

 private:
  std::size_t instance_count(const Fluent& fluent) {
    std::size_t count = 1;
    for (const std::uint32_t type : fluent.parameters) {
      const std::size_t objects = task_.types[type].objects.size();
      if (objects != 0 && count > limits_.variables / objects) {
        throw RddlError(fluent.place, fmt::format("'{}' has more than {} instances, expected fewer objects",
                                                  fluent.name, limits_.variables));
      }
      count *= objects;
    }
    total_ += count;
    if (total_ > limits_.variables) {
      throw RddlError(fluent.place, fmt::format("more than {} ground variables, expected fewer objects",
                                                limits_.variables));
    }
    return count;
  }

  void instantiate(const Fluent& fluent) {
    const std::size_t count = instance_count(fluent);
    if (fluent.role == FluentRole::non_fluent) {
      first_.push_back(values_.size());
      values_.insert(values_.end(), count, fluent.default_value);
      if (fluent.parameters.empty()) model_.constants.push_back({fluent.name, {}, fluent.default_value});
      return;
    }
    std::vector<GroundVariable>& list = variables(fluent.role);
    first_.push_back(list.size());
    std::vector<std::uint32_t> arguments(fluent.parameters.size(), 0);
    for (std::size_t i = 0; i < count; ++i) {
      GroundVariable variable;
      variable.name = ground_name(fluent, arguments);
      variable.fluent = fluent.name;
      for (std::size_t a = 0; a < arguments.size(); ++a)
        variable.arguments.push_back(task_.types[fluent.parameters[a]].objects[arguments[a]]);
      variable.kind = fluent.value.kind;
      if (variable.kind == ValueKind::object) {
        variable.object_count =
            static_cast<std::int64_t>(task_.types[fluent.value.object_type].objects.size());
      }
      variable.initial = fluent.default_value.numerator;
      variable.place = fluent.place;
      list.push_back(std::move(variable));
      advance(arguments, fluent.parameters);
    }
  }

  std::vector<GroundVariable>& variables(FluentRole role) {
    return role == FluentRole::state    ? model_.state
           : role == FluentRole::action ? model_.action
                                        : model_.intermediate;
  }

  // The next combination of objects; false after the last.
  bool advance(std::vector<std::uint32_t>& objects, const std::vector<std::uint32_t>& types) const {
    for (std::size_t i = objects.size(); i-- > 0;) {
      if (++objects[i] < task_.types[types[i]].objects.size()) return true;
      objects[i] = 0;
    }
    return false;
  }

  std::string ground_name(const Fluent& fluent, const std::vector<std::uint32_t>& arguments) const {
    if (arguments.empty()) return fluent.name;
    std::string name = fluent.name;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      name += i == 0 ? "[" : "| ";
      name += task_.types[fluent.parameters[i]].objects[arguments[i]];
    }
    name += "]";
    return name;
  }

  template <class Argument>
  std::size_t index_of(const Fluent& fluent, Argument argument) const {
    std::size_t index = 0;
    for (std::size_t i = 0; i < fluent.parameters.size(); ++i) {
      index = index * task_.types[fluent.parameters[i]].objects.size() + argument(i);
    }
    return index;
  }

  void assign(const RddlAssignment& assignment) {
    const std::uint32_t number = task_.fluent_numbers.find(assignment.name)->second;
    const Fluent& fluent = task_.fluents[number];
    const std::size_t index = first_[number] + index_of(fluent, [&](std::size_t i) {
                                return task_.objects.find(assignment.arguments[i].first)->second.object;
                              });
    const Rational value = literal_value(task_, assignment.value, fluent.value, fluent.name);
    if (fluent.role == FluentRole::non_fluent) {
      values_[index] = value;
      GroundConstant& constant = model_.constants.emplace_back();
      constant.fluent = fluent.name;
      for (const auto& argument : assignment.arguments) constant.arguments.push_back(argument.first);
      constant.value = value;
    } else {
      model_.state[index].initial = value.numerator;
    }
  }

  void define_all() {
    for (std::uint32_t number = 0; number < task_.fluents.size(); ++number) {
      const Fluent& fluent = task_.fluents[number];
      if (!fluent.definition) continue;
      const RddlDefinition& definition = task_.definitions[*fluent.definition];
      std::vector<std::uint32_t> arguments(fluent.parameters.size(), 0);
      const std::size_t count = index_of_end(fluent);
      for (std::size_t i = 0; i < count; ++i) {
        environment_ = arguments;
        const NodeId node = ground(definition.expression);
        GroundVariable& variable = variables(fluent.role)[first_[number] + i];
        variable.definition = node;
        variable.place = definition.place;
        advance(arguments, fluent.parameters);
      }
      environment_.clear();
    }
  }

  std::size_t index_of_end(const Fluent& fluent) const {
    std::size_t count = 1;
    for (const std::uint32_t type : fluent.parameters) count *= task_.types[type].objects.size();
    return count;
  }

  void ground_conditions(const std::vector<RddlCondition>& conditions, std::vector<GroundCondition>& result) {
    for (const RddlCondition& condition : conditions) {
      const NodeId node = ground(condition.expression);
      if (!model_.nodes.is_true(node)) result.push_back({node, condition.place});
    }
  }

  NodeId ground(const RddlExpression& expression) {
    if (++visited_ > limits_.instantiations) {
      throw RddlError(expression.place,
                      fmt::format("grounding takes more than {} instantiations, expected fewer "
                                  "objects or quantified variables",
                                  limits_.instantiations));
    }
    switch (expression.operation) {
      case Operation::number:
        return model_.nodes.constant(expression.number, node_kind(expression.type.kind));
      case Operation::symbol:
        return model_.nodes.constant(make_rational(expression.reference), NodeKind::integer);
      case Operation::parameter:
        return model_.nodes.constant(make_rational(environment_[expression.reference]), NodeKind::integer);
      case Operation::fluent:
        return fluent(expression);
      case Operation::aggregate:
        return aggregate(expression);
      case Operation::choose:
        return choose(expression);
      case Operation::logical_and:
      case Operation::logical_or:
        return logical(expression);
      default:
        break;
    }
    std::vector<NodeId> operands;
    for (const RddlExpression& operand : expression.operands) operands.push_back(ground(operand));
    return combine(expression, std::move(operands));
  }

  NodeId combine(const RddlExpression& expression, std::vector<NodeId> operands) {
    const auto make = [&](NodeOperation operation, std::vector<NodeId> list) {
      return model_.nodes.make(operation, std::move(list), expression.place);
    };
    switch (expression.operation) {
      case Operation::logical_not:
        return make(NodeOperation::logical_not, std::move(operands));
      case Operation::implies:
        return make(NodeOperation::logical_or,
                    {make(NodeOperation::logical_not, {operands[0]}), operands[1]});
      case Operation::equivalent:
      case Operation::equal:
        return make(NodeOperation::equal, std::move(operands));
      case Operation::unequal:
        return make(NodeOperation::logical_not, {make(NodeOperation::equal, std::move(operands))});
      case Operation::less:
        return make(NodeOperation::less, std::move(operands));
      case Operation::at_most:
        return make(NodeOperation::at_most, std::move(operands));
      case Operation::greater:
        return make(NodeOperation::less, {operands[1], operands[0]});
      case Operation::at_least:
        return make(NodeOperation::at_most, {operands[1], operands[0]});
      case Operation::add:
        return make(NodeOperation::add, std::move(operands));
      case Operation::negate:
        return make(NodeOperation::multiply,
                    {operands[0], model_.nodes.constant(make_rational(-1), NodeKind::integer)});
      case Operation::multiply:
        return make(NodeOperation::multiply, std::move(operands));
      case Operation::divide:
        return make(NodeOperation::divide, std::move(operands));
      case Operation::minimum:
        return make(NodeOperation::minimum, std::move(operands));
      case Operation::maximum:
        return make(NodeOperation::maximum, std::move(operands));
      case Operation::absolute:
        return make(NodeOperation::absolute, std::move(operands));
      case Operation::floor:
        return make(NodeOperation::floor, std::move(operands));
      case Operation::ceiling:
        return make(NodeOperation::ceiling, std::move(operands));
      case Operation::modulo:
        return make(NodeOperation::modulo, std::move(operands));
      case Operation::integer_division:
        return make(NodeOperation::integer_division, std::move(operands));
      case Operation::selection: {
        // Without a default all values are covered: the last case is the rest.
        std::vector<NodeId> cases;
        const bool with_default = operands.size() % 2 == 0;
        const std::size_t tested = with_default ? operands.size() - 1 : operands.size() - 2;
        for (std::size_t i = 1; i < tested; i += 2) {
          cases.push_back(make(NodeOperation::equal, {operands[0], operands[i]}));
          cases.push_back(operands[i + 1]);
        }
        cases.push_back(operands.back());
        return make(NodeOperation::choose, std::move(cases));
      }
      default:
        throw std::logic_error("an operation without a way to ground it");
    }
  }

  NodeId fluent(const RddlExpression& expression) {
    const Fluent& found = task_.fluents[expression.reference];
    const std::size_t index =
        first_[expression.reference] + index_of(found, [&](std::size_t i) -> std::size_t {
          const RddlExpression& argument = expression.operands[i];
          return argument.operation == Operation::parameter ? environment_[argument.reference]
                                                            : argument.reference;
        });
    if (found.role == FluentRole::non_fluent)
      return model_.nodes.constant(values_[index], node_kind(found.value.kind));
    const std::uint32_t first = found.role == FluentRole::action         ? model_.first_action()
                                : found.role == FluentRole::intermediate ? model_.first_intermediate()
                                : expression.primed                      ? model_.first_next()
                                                                         : 0;
    return model_.nodes.variable(first + static_cast<std::uint32_t>(index), node_kind(found.value.kind),
                                 expression.place);
  }

  // Stops at the first operand that decides: a false guard keeps the rest from being grounded at all.
  NodeId logical(const RddlExpression& expression) {
    const bool conjunction = expression.operation == Operation::logical_and;
    std::vector<NodeId> operands;
    for (const RddlExpression& operand : expression.operands) {
      operands.push_back(ground(operand));
      if (conjunction ? model_.nodes.is_false(operands.back()) : model_.nodes.is_true(operands.back())) {
        return model_.nodes.truth(!conjunction);
      }
    }
    return model_.nodes.make(conjunction ? NodeOperation::logical_and : NodeOperation::logical_or,
                             std::move(operands), expression.place);
  }

  NodeId choose(const RddlExpression& expression) {
    std::vector<NodeId> operands;
    for (std::size_t i = 0; i + 1 < expression.operands.size(); i += 2) {
      const NodeId condition = ground(expression.operands[i]);
      if (model_.nodes.is_false(condition)) continue;
      operands.push_back(condition);
      operands.push_back(ground(expression.operands[i + 1]));
      if (!model_.nodes.is_true(condition)) continue;
      operands.push_back(operands.back());
      return model_.nodes.make(NodeOperation::choose, std::move(operands), expression.place);
    }
    operands.push_back(ground(expression.operands.back()));
    return model_.nodes.make(NodeOperation::choose, std::move(operands), expression.place);
  }

  NodeId aggregate(const RddlExpression& expression) {
    NodeOperation operation = NodeOperation::add;
    switch (expression.aggregated) {
      case Operation::logical_and:
        operation = NodeOperation::logical_and;
        break;
      case Operation::logical_or:
        operation = NodeOperation::logical_or;
        break;
      case Operation::multiply:
        operation = NodeOperation::multiply;
        break;
      case Operation::minimum:
        operation = NodeOperation::minimum;
        break;
      case Operation::maximum:
        operation = NodeOperation::maximum;
        break;
      default:
        break;
    }
    std::vector<std::uint32_t> types;
    bool any = true;
    for (const BoundVariable& variable : expression.bound) {
      types.push_back(variable.object_type);
      any = any && !task_.types[variable.object_type].objects.empty();
    }
    std::vector<NodeId> operands;
    std::vector<std::uint32_t> objects(types.size(), 0);
    const std::size_t outer = environment_.size();
    for (bool more = any; more; more = advance(objects, types)) {
      environment_.resize(outer);
      environment_.insert(environment_.end(), objects.begin(), objects.end());
      operands.push_back(ground(expression.operands.front()));
      const NodeId last = operands.back();
      if (operation == NodeOperation::logical_and && model_.nodes.is_false(last)) break;
      if (operation == NodeOperation::logical_or && model_.nodes.is_true(last)) break;
      if (neutral(operation, last)) operands.pop_back();
    }
    environment_.resize(outer);
    return model_.nodes.make(operation, std::move(operands), expression.place);
  }

  bool neutral(NodeOperation operation, NodeId node) const {
    switch (operation) {
      case NodeOperation::logical_and:
        return model_.nodes.is_true(node);
      case NodeOperation::logical_or:
      case NodeOperation::add:
        return model_.nodes.is_false(node);
      default:
        return false;
    }
  }

  // Depth first with an explicit stack: chains may be as long as there are variables.
  void sort_definitions() {
    enum class Mark : std::uint8_t { unseen, open, done };
    const std::uint32_t first = model_.first_intermediate();
    const std::uint32_t next = model_.first_next();
    std::vector<Mark> marks(model_.slot_count(), Mark::unseen);
    struct Visit {
      std::uint32_t slot;
      std::vector<std::uint32_t> uses;
      std::size_t at = 0;
    };
    std::vector<Visit> stack;
    const auto enter = [&](std::uint32_t slot) {
      marks[slot] = Mark::open;
      stack.push_back({slot, slots_of(model_.nodes, definition_of(slot, next)), 0});
    };
    for (std::uint32_t root = first; root < model_.slot_count(); ++root) {
      if (marks[root] == Mark::unseen) enter(root);
      while (!stack.empty()) {
        Visit& visit = stack.back();
        if (visit.at == visit.uses.size()) {
          marks[visit.slot] = Mark::done;
          model_.order.push_back({visit.slot, definition_of(visit.slot, next)});
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

  NodeId definition_of(std::uint32_t slot, std::uint32_t next) const {
    return slot >= next ? model_.state[slot - next].definition : model_.variable(slot).definition;
  }

  [[noreturn]] void cyclic(const std::vector<std::uint32_t>& path, std::uint32_t slot) const {
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

  const RddlTask& task_;
  GroundingLimits limits_;
  GroundModel model_;
  std::vector<std::size_t> first_;  // per fluent: its first ground variable, or its first value in values_
  std::vector<Rational> values_;    // of non-fluents
  std::vector<std::uint32_t> environment_;
  std::size_t total_ = 0;
  std::size_t visited_ = 0;
};

}  // namespace

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

GroundModel read_ground_model(const std::filesystem::path& domain, const std::filesystem::path& instance) {
  return ground(link_rddl(read_rddl(domain), read_rddl(instance)));
}

}  // namespace bnnplan

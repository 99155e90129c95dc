// Hindsight planning asks what would have been best, had the future been known, in several futures drawn at
// random (Chong, Givan, Chang: A framework for simulation-based network control via hindsight optimization,
// 2000). Here one plan has to serve all of them, and it maximises its mean reward: the sample average of an
// open-loop plan. That is one deterministic problem over copies of the state, in which each distribution has
// its own random number in each future and at each step, a table over `step#`.
#include "bnnplan/rddl/compile/futures.hpp"

#include <fmt/format.h>

namespace bnnplan::rddl {

namespace {

class Futures {
 public:
  Futures(const GroundModel& from, int futures, int steps)
      : from_(from), futures_(static_cast<std::uint32_t>(futures)), steps_(steps), to_(from) {
    to_.nodes = NodePool(from.nodes.limit());
    to_.state.clear();
    to_.intermediate.clear();
    to_.order.clear();
    to_.constraints.clear();
    to_.invariants.clear();
    to_.goals.clear();
    to_.reward.reset();
    to_.termination.reset();
    for (future_ = 0; future_ < futures_; ++future_) {
      for (const auto& [source, target] :
           {std::pair(&from.state, &to_.state), std::pair(&from.intermediate, &to_.intermediate)}) {
        for (GroundVariable variable : *source) {
          if (future_ > 0) variable.name += fmt::format("#{}", future_ + 1);
          target->push_back(std::move(variable));
        }
      }
    }
    GroundVariable step;
    step.name = step.fluent = "step#";
    step.kind = ValueKind::object;
    step.object_count = steps;
    step.place = from.instance_place;
    to_.state.push_back(step);
  }

  GroundModel run() {
    std::vector<NodeId> rewards;
    for (future_ = 0; future_ < futures_; ++future_) {
      known_.assign(from_.nodes.size(), std::nullopt);
      copy_future(rewards);
    }
    count_steps();
    if (from_.reward) {
      const SourcePlace& place = from_.nodes.place(*from_.reward);
      const NodeId share = to_.nodes.constant(make_rational(1, futures_), NodeKind::real);
      for (NodeId& reward : rewards) reward = to_.nodes.make(Operation::multiply, {reward, share}, place);
      to_.reward = to_.nodes.make(Operation::add, rewards, place);
    }
    return std::move(to_);
  }

 private:
  std::uint32_t slot(std::uint32_t old) const {
    const auto states = static_cast<std::uint32_t>(from_.state.size());
    const auto inner = static_cast<std::uint32_t>(from_.intermediate.size());
    if (old < from_.first_action()) return future_ * states + old;
    if (old < from_.first_intermediate()) return to_.first_action() + old - from_.first_action();
    if (old < from_.first_next())
      return to_.first_intermediate() + future_ * inner + old - from_.first_intermediate();
    return to_.first_next() + future_ * states + old - from_.first_next();
  }

  NodeId copied(NodeId id) {
    if (known_[id]) return *known_[id];
    const Node& node = from_.nodes[id];
    const SourcePlace& place = from_.nodes.place(id);
    NodeId result = 0;
    if (node.operation == Operation::constant) {
      result = to_.nodes.constant(from_.nodes.number(id), node.kind);
    } else if (node.operation == Operation::variable) {
      result = to_.nodes.variable(slot(node.first), node.kind, place);
    } else {
      std::vector<NodeId> operands;
      for (const NodeId operand : from_.nodes.operands(id)) operands.push_back(copied(operand));
      result = to_.nodes.like(node, std::move(operands), place);
    }
    known_[id] = result;
    return result;
  }

  void copy_future(std::vector<NodeId>& rewards) {
    std::optional<NodeId> over;
    if (from_.termination) over = copied(from_.termination->node);
    for (const GroundDefinition& definition : from_.order) {
      const std::uint32_t to = slot(definition.slot);
      NodeId node = copied(definition.node);
      if (definition.slot >= from_.first_next()) {
        GroundVariable& variable = to_.state[to - to_.first_next()];
        if (over) {
          const NodeId stays =
              to_.nodes.variable(to - to_.first_next(), node_kind(variable.kind), variable.place);
          node = to_.nodes.make(Operation::choose, {*over, stays, node}, variable.place);
        }
        variable.definition = node;
      } else {
        to_.intermediate[to - to_.first_intermediate()].definition = node;
      }
      to_.order.push_back({to, node});
    }
    for (const GroundCondition& constraint : from_.constraints) {
      NodeId node = copied(constraint.node);
      if (over) node = to_.nodes.make(Operation::logical_or, {*over, node}, constraint.place);
      to_.constraints.push_back({node, constraint.place});
    }
    for (const GroundCondition& invariant : from_.invariants)
      to_.invariants.push_back({copied(invariant.node), invariant.place});
    for (const GroundCondition& goal : from_.goals) to_.goals.push_back({copied(goal.node), goal.place});
    if (!from_.reward) return;
    NodeId reward = copied(*from_.reward);
    if (over) {
      const NodeId nothing = to_.nodes.constant(Rational{}, NodeKind::integer);
      reward = to_.nodes.make(Operation::choose, {*over, nothing, reward}, from_.nodes.place(*from_.reward));
    }
    rewards.push_back(reward);
  }

  void count_steps() {
    GroundVariable& step = to_.state.back();
    const std::uint32_t slot = step_slot(to_);
    const auto whole = [&](std::int64_t number) {
      return to_.nodes.constant(make_rational(number), NodeKind::integer);
    };
    const NodeId now = to_.nodes.variable(slot, NodeKind::integer, step.place);
    const NodeId next = to_.nodes.make(Operation::add, {now, whole(1)}, step.place);
    step.definition = to_.nodes.make(Operation::minimum, {next, whole(steps_ - 1)}, step.place);
    to_.order.push_back({to_.first_next() + slot, step.definition});
  }

  const GroundModel& from_;
  std::uint32_t futures_, future_ = 0;
  int steps_;
  GroundModel to_;
  std::vector<std::optional<NodeId>> known_;
};

}  // namespace

GroundModel futures_model(const GroundModel& model, int futures, int steps) {
  return Futures(model, futures, steps).run();
}

}  // namespace bnnplan::rddl

// Random actions over reals. A constraint on a single action variable in the current state,
//
//   a <= f(state),   f(state) <= a,   abs[a] <= f(state)
//
// bounds it; a value is then drawn uniformly between its two bounds, exponentially beyond a single one, and
// from a normal distribution if there is none (as Gymnasium draws from an open box). All other constraints
// are left to chance: draws are repeated until one is legal and, if that does not help (sums of actions
// within narrow limits), drawn ever closer to the default action.
#include "bnnplan/rddl/simulate/open_actions.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "bnnplan/base/input_error.hpp"
#include "bnnplan/rddl/ground/draw.hpp"

namespace bnnplan::rddl {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

}  // namespace

OpenActions::OpenActions(Simulator& simulator, const BitLayout& layout, SimulationRandom& random)
    : simulator_(simulator), layout_(layout), random_(random), values_(simulator.model().slot_count(), 0) {
  const NodePool& pool = simulator.model().nodes;
  for (const GroundCondition& constraint : simulator.model().constraints) {
    for (const auto& [node, negated] : conjuncts_of(pool, constraint.node)) {
      const auto operands = pool.operands(node);
      if (pool[node].operation == Operation::at_most || pool[node].operation == Operation::less)
        read_comparison(operands[negated ? 1 : 0], operands[negated ? 0 : 1]);
    }
  }
  order_.resize(simulator.model().action.size());
  std::iota(order_.begin(), order_.end(), 0);
}

void OpenActions::read_comparison(NodeId small, NodeId large) {
  const GroundModel& model = simulator_.model();
  const auto action_of = [&](NodeId node) {
    const std::uint32_t slot = model.nodes[node].first;
    const bool action = model.nodes[node].operation == Operation::variable && slot >= model.first_action() &&
                        slot < model.first_intermediate();
    return action ? std::optional(slot - model.first_action()) : std::nullopt;
  };
  if (const auto action = action_of(large); action && depends_on_state_alone(small))
    bounds_.push_back({*action, small, false, false});
  if (!depends_on_state_alone(large)) return;
  if (const auto action = action_of(small)) bounds_.push_back({*action, large, true, false});
  if (model.nodes[small].operation != Operation::absolute) return;
  if (const auto action = action_of(model.nodes.operands(small)[0])) {
    bounds_.push_back({*action, large, true, false});
    bounds_.push_back({*action, large, false, true});
  }
}

bool OpenActions::depends_on_state_alone(NodeId node) const {
  const auto slots = slots_of(simulator_.model().nodes, node);
  return slots.empty() || slots.back() < simulator_.model().first_action();
}

void OpenActions::find_limits(const StateValues& state) {
  const GroundModel& model = simulator_.model();
  low_.assign(model.action.size(), -infinite);
  high_.assign(model.action.size(), infinite);
  std::copy(state.begin(), state.end(), values_.begin());
  for (const Bound& bound : bounds_) {
    const double value = evaluate_real(model.nodes, bound.limit, values_);
    double& limit = bound.upper ? high_[bound.action] : low_[bound.action];
    limit = bound.upper ? std::min(limit, value) : std::max(limit, bound.negated ? -value : value);
  }
}

std::int64_t OpenActions::draw_value(std::size_t variable) {
  const GroundModel& model = simulator_.model();
  const GroundVariable& ground = model.action[variable];
  const Interval& range = layout_.ranges[model.first_action() + variable];
  if (ground.kind != ValueKind::real && range.known) {
    const auto count = static_cast<std::uint64_t>(range.high.numerator - range.low.numerator) + 1;
    return range.low.numerator + static_cast<std::int64_t>(random_below(random_, count));
  }
  const double low = low_[variable], high = high_[variable];
  const bool integer = ground.kind != ValueKind::real;
  const auto beyond = [&] {
    return integer ? bnnplan::rddl::draw(Distribution::geometric, 0.5, 0, random_) - 1
                   : bnnplan::rddl::draw(Distribution::exponential, 1, 0, random_);
  };
  double value = 0;
  if (low > -infinite && high < infinite) {
    value = low >= high ? low
                        : bnnplan::rddl::draw(Distribution::uniform, low,
                                              integer ? std::floor(high) + 1 : high, random_);
  } else if (low > -infinite) {
    value = std::ceil(low) * (integer ? 1 : 0) + low * (integer ? 0 : 1) + beyond();
  } else if (high < infinite) {
    value = high - beyond();
  } else {
    value = bnnplan::rddl::draw(Distribution::normal, 0, integer ? 4 : 1, random_);
  }
  return integer ? static_cast<std::int64_t>(std::floor(value)) : value_of_real(value);
}

bool OpenActions::draw(const StateValues& state, ActionValues& action) {
  const GroundModel& model = simulator_.model();
  const ActionValues usual = simulator_.default_action();
  constexpr int attempts = 200, attempts_in_full = 100, attempts_per_half = 10;
  find_limits(state);
  for (int attempt = 0; attempt < attempts; ++attempt) {
    action = usual;
    // If not all actions may differ from their default: a random number of them, chosen at random.
    std::size_t changed = action.size();
    if (model.max_nondefault_actions && *model.max_nondefault_actions < static_cast<std::int64_t>(changed)) {
      changed = random_below(random_, static_cast<std::uint64_t>(*model.max_nondefault_actions) + 1);
      for (std::size_t i = 0; i < changed; ++i)
        std::swap(order_[i], order_[i + random_below(random_, order_.size() - i)]);
    }
    const double share =
        attempt < attempts_in_full ? 1 : std::exp2(-1 - (attempt - attempts_in_full) / attempts_per_half);
    for (std::size_t i = 0; i < changed; ++i) {
      const std::uint32_t variable = order_[i];
      action[variable] = draw_value(variable);
      if (share == 1 || model.action[variable].kind != ValueKind::real) continue;
      const double from = real_of_value(usual[variable]), to = real_of_value(action[variable]);
      action[variable] = value_of_real(from + share * (to - from));
    }
    if (simulator_.legal(state, action)) return true;
  }
  action = usual;
  return simulator_.legal(state, action);
}

}  // namespace bnnplan::rddl

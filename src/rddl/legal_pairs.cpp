// Enumeration of legal states and actions: depth first over the variables, and after each assignment the
// conditions that mention the variable are evaluated on intervals; one that is surely false ends the branch.
// For "exactly one of 25 cells" that visits some hundreds of assignments instead of 2^25.
#include "rddl/legal_pairs.hpp"

#include <limits>

#include <fmt/format.h>

#include "base/input_error.hpp"
#include "rddl/evaluate.hpp"

namespace bnnplan {

namespace {

// The ranges of all variables before anything is assigned. Intermediate fluents are not known before the end,
// so they stay within what their kind allows.
std::vector<Interval> first_intervals(const GroundModel& model, const BitLayout& layout) {
  std::vector<Interval> intervals = layout.ranges;
  for (std::uint32_t slot = model.first_intermediate(); slot < model.first_next(); ++slot) {
    if (model.variable(slot).kind == ValueKind::boolean) intervals[slot] = {true, {}, make_rational(1)};
  }
  return intervals;
}

class Enumeration {
 public:
  Enumeration(const GroundModel& model, const BitLayout& layout, std::size_t limit)
      : model_(model),
        intervals_(first_intervals(model, layout)),
        conditions_(model.slot_count()),
        limit_(limit) {}

  void add_condition(NodeId node) {
    for (const std::uint32_t slot : slots_of(model_.nodes, node)) conditions_[slot].push_back(node);
  }

  // Visits all assignments to the slots first .. end - 1. At most `nondefault` of them differ from the
  // initial value, if that is given.
  void run(std::uint32_t first, std::uint32_t end, std::optional<std::int64_t> nondefault,
           const std::function<void(const std::vector<std::int64_t>&)>& visit) {
    constexpr std::uint32_t deepest = 5000;  // of the recursion
    if (end - first > deepest) {
      throw InputError(*model_.file_names.back(),
                       fmt::format("too many variables to enumerate: more than {}", deepest));
    }
    end_ = end;
    visit_ = &visit;
    assign(first, nondefault.value_or(std::numeric_limits<std::int64_t>::max()));
  }

 private:
  void assign(std::uint32_t slot, std::int64_t nondefault) {
    if (slot == end_) {
      (*visit_)(values_);
      return;
    }
    const Interval range = intervals_[slot];
    const GroundVariable& variable = model_.variable(slot);
    for (std::int64_t value = range.low.numerator; value <= range.high.numerator; ++value) {
      if (++visited_ > limit_) {
        throw InputError(*model_.file_names.back(),
                         fmt::format("too many combinations: more than {} had to be looked at", limit_));
      }
      const std::int64_t used = value != variable.initial ? 1 : 0;
      if (nondefault < used) continue;
      intervals_[slot] = point_interval(value);
      if (possible(slot)) {
        values_.push_back(value);
        assign(slot + 1, nondefault - used);
        values_.pop_back();
      }
    }
    intervals_[slot] = range;
  }

  bool possible(std::uint32_t slot) const {
    for (const NodeId condition : conditions_[slot]) {
      if (surely_false(model_.nodes, condition, intervals_)) return false;
    }
    return true;
  }

  const GroundModel& model_;
  std::vector<Interval> intervals_;
  std::vector<std::vector<NodeId>> conditions_;  // per slot
  std::size_t limit_;
  std::size_t visited_ = 0;
  std::uint32_t end_ = 0;
  const std::function<void(const std::vector<std::int64_t>&)>* visit_ = nullptr;
  std::vector<std::int64_t> values_;
};

}  // namespace

LegalActions::LegalActions(const Simulator& simulator, const BitLayout& layout,
                           const EnumerationLimits& limits)
    : simulator_(simulator) {
  const GroundModel& model = simulator.model();
  Enumeration enumeration(model, layout, limits.assignments);
  for (const GroundCondition& constraint : model.constraints) enumeration.add_condition(constraint.node);
  enumeration.run(model.first_action(), model.first_intermediate(), model.max_nondefault_actions,
                  [&](const std::vector<std::int64_t>& values) {
                    if (candidates_.size() == limits.actions) {
                      throw InputError(*model.file_names.back(),
                                       fmt::format("too many joint actions: more than {}", limits.actions));
                    }
                    candidates_.push_back(values);
                  });
}

void LegalActions::find(const StateValues& state, std::vector<std::uint32_t>& legal) const {
  legal.clear();
  for (std::uint32_t i = 0; i < candidates_.size(); ++i) {
    if (simulator_.legal(state, candidates_[i])) legal.push_back(i);
  }
}

StateFilter::StateFilter(const Simulator& simulator, const BitLayout& layout)
    : simulator_(simulator), intervals_(first_intervals(simulator.model(), layout)) {}

bool StateFilter::possible(const StateValues& state) {
  const GroundModel& model = simulator_.model();
  for (std::size_t i = 0; i < state.size(); ++i) intervals_[i] = point_interval(state[i]);
  for (const GroundCondition& constraint : model.constraints) {
    if (surely_false(model.nodes, constraint.node, intervals_)) return false;
  }
  return simulator_.broken_invariant(state).empty();
}

void for_each_state(const Simulator& simulator, const BitLayout& layout, const EnumerationLimits& limits,
                    const std::function<void(const StateValues&)>& visit) {
  const GroundModel& model = simulator.model();
  Enumeration enumeration(model, layout, limits.assignments);
  for (const GroundCondition& constraint : model.constraints) enumeration.add_condition(constraint.node);
  for (const GroundCondition& invariant : model.invariants) enumeration.add_condition(invariant.node);
  enumeration.run(0, model.first_action(), std::nullopt, [&](const StateValues& state) {
    if (simulator.broken_invariant(state).empty()) visit(state);
  });
}

}  // namespace bnnplan

// What to try next. Everything in an unrolled network follows from the actions, the free initial bits and the
// auxiliary variables, so only those are decided. In the order of time, every decision completely runs one
// more step of the network forward; by activity (VSIDS), which is for cores, decisions go where conflicts
// are. Phases are those of the last assignment, and those of the best plan after one was found.
//
// Measured on the 45 published problems (docs/neuron.md): the order of time 67,000 conflicts, turns of both
// orders 87,000, activity 302,000 and five problems unproved, activity with hidden neurons 187,000 and two.
// On rings, which are all about counting, activity needs a third of the conflicts. A queue (VMTF) instead of
// activities was not built: it would change the order that loses. Phases change little (63,000 without any).
#include <cassert>

#include "bnnplan/base/random.hpp"
#include "bnnplan/cdcl/solver.hpp"

namespace bnnplan::cdcl {

namespace {

constexpr double activity_decay = 0.95;

}  // namespace

void Solver::set_decision_order(std::vector<Var> order) {
  order_ = std::move(order);
  order_head_ = 0;
  Random random(options_.seed);
  for (std::uint32_t i = 0; i < order_.size(); ++i) {
    const std::uint32_t v = order_[i].index;
    assert(v < variable_count());
    order_place_[v] = i;
    decidable_[v] = 1;
    heap_.insert(order_[i]);
    if (options_.seed == 0) continue;
    const std::uint64_t drawn = random.next();
    heap_.set_activity(order_[i], static_cast<double>(drawn >> 40) * 1e-9);
    phases_[v] = static_cast<std::uint8_t>(drawn & 1);
  }
}

void Solver::bump(Var variable) {
  if (options_.cores) heap_.bump(variable);
}

void Solver::decay() { heap_.decay(activity_decay); }

Lit Solver::next_decision() {
  if (options_.cores) {
    while (!heap_.empty()) {
      const Var variable = heap_.top();
      if (values_[2 * variable.index] == 0) return Lit::of(variable, phases_[variable.index] == 0);
      heap_.pop();
    }
  }
  for (; order_head_ < order_.size(); ++order_head_) {
    const Var variable = order_[order_head_];
    if (values_[2 * variable.index] == 0) return Lit::of(variable, phases_[variable.index] == 0);
  }
  for (; rest_head_ < variable_count(); ++rest_head_) {
    const Var variable{static_cast<std::uint32_t>(rest_head_)};
    if (values_[2 * variable.index] == 0) return Lit::of(variable, phases_[variable.index] == 0);
  }
  return no_literal;
}

void Solver::keep_model_as_phases() {
  assert(model_.size() == values_.size());
  for (std::uint32_t v = 0; v < variable_count(); ++v) phases_[v] = model_[2 * v] > 0 ? 1 : 0;
}

}  // namespace bnnplan::cdcl

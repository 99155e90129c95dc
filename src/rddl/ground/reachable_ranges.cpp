// How far integers can get: the intervals of one step after the other, from the initial state on, each joined
// with the previous ones. If a step adds nothing, no later one does.
//
//   R_0 = initial values,   R_(t+1) = R_t joined with next(R_t)
#include "bnnplan/rddl/ground/reachable_ranges.hpp"

#include <algorithm>

namespace bnnplan::rddl {

namespace {

// The intersection. It should never be empty; if it is, `a` is still a sound answer.
Interval meet(const Interval& a, const Interval& b) {
  if (!a.known) return b;
  if (!b.known) return a;
  const Interval both{true, std::max(a.low, b.low), std::min(a.high, b.high)};
  return both.low <= both.high ? both : a;
}

// Extends `range`; returns whether it had to grow.
bool join(Interval& range, const Interval& added) {
  if (!range.known) return false;
  if (!added.known) {
    range = added;
    return true;
  }
  const Interval before = range;
  range = {true, std::min(range.low, added.low), std::max(range.high, added.high)};
  return range.low != before.low || range.high != before.high;
}

}  // namespace

ReachableRanges reachable_ranges(const GroundModel& model, const std::vector<Interval>& known, int steps) {
  ReachableRanges result;
  result.slots = known;
  const std::uint32_t first_next = model.first_next();
  for (std::uint32_t slot = 0; slot < model.first_action(); ++slot) {
    if (model.state[slot].kind != ValueKind::real)
      result.slots[slot] = point_interval(model.state[slot].initial);
  }
  for (int step = 0; step < steps && !result.for_ever; ++step) {
    for (const GroundDefinition& definition : model.order) {
      const bool next = definition.slot >= first_next;
      const Interval value = evaluate_interval(model.nodes, definition.node, result.slots);
      result.slots[definition.slot] = next ? meet(value, known[definition.slot]) : value;
    }
    bool grown = false;
    for (std::uint32_t slot = 0; slot < model.first_action(); ++slot)
      grown = join(result.slots[slot], result.slots[first_next + slot]) || grown;
    result.for_ever = !grown;
  }
  for (std::uint32_t slot = 0; slot < model.first_action(); ++slot)
    result.slots[first_next + slot] = result.slots[slot];
  return result;
}

}  // namespace bnnplan::rddl

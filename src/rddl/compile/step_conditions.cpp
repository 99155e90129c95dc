// Which rows of a transition table cannot occur. "Exactly one of 2500 cells is occupied" is checked for the
// five cells that a cell depends on, for each of its rows, so a linear condition is not evaluated as a whole:
// with
//
//   sum_{i in table} a_i x_i + rest <= 0,   low <= rest <= high
//
// the bounds of the rest are computed once, and a row costs as many terms as it has slots.
#include "bnnplan/rddl/compile/step_conditions.hpp"

#include <algorithm>
#include <set>

#include "bnnplan/base/checked.hpp"

namespace bnnplan::rddl {

void StepConditions::add(const NodePool& pool, NodeId condition) {
  for (const auto& [node, negated] : conjuncts_of(pool, condition)) add_conjunct(pool, node, negated);
}

void StepConditions::add_conjunct(const NodePool& pool, NodeId node, bool negated) {
  Conjunct conjunct{node, negated, std::nullopt};
  try {
    conjunct.linear = linear_comparison(pool, node, negated);
  } catch (const OverflowError&) {
    // Treat it as a formula.
  }
  if (pool[node].operation == Operation::variable) {  // x == 1 or x == 0
    LinearForm form;
    form.terms[pool[node].first] = make_rational(1);
    form.constant = make_rational(negated ? 0 : -1);
    conjunct.linear = LinearComparison{form, FormComparison::zero};
  }
  const auto number = static_cast<std::uint32_t>(conjuncts_.size());
  for (const std::uint32_t slot : slots_of(pool, node)) by_slot_[slot].push_back(number);
  conjuncts_.push_back(std::move(conjunct));
}

RowFilter StepConditions::about(std::span<const std::uint32_t> slots,
                                std::span<const Interval> ranges) const {
  std::set<std::uint32_t> numbers;
  for (const std::uint32_t slot : slots) {
    const auto found = by_slot_.find(slot);
    if (found != by_slot_.end()) numbers.insert(found->second.begin(), found->second.end());
  }
  RowFilter filter;
  for (const std::uint32_t number : numbers) {
    const Conjunct& conjunct = conjuncts_[number];
    if (!conjunct.linear) {
      filter.formulas_.push_back({conjunct.node, conjunct.negated});
      continue;
    }
    const LinearForm& form = conjunct.linear->form;
    RowFilter::LinearPart part{{}, form.constant, form.constant, conjunct.linear->comparison};
    bool bounded = true;
    try {
      for (const auto& [slot, coefficient] : form.terms) {
        if (std::find(slots.begin(), slots.end(), slot) != slots.end()) {
          part.terms.emplace_back(slot, coefficient);
          continue;
        }
        const Interval& range = ranges[slot];
        bounded = bounded && range.known;
        const Interval share = scaled(range, coefficient);
        part.low = part.low + share.low;
        part.high = part.high + share.high;
      }
    } catch (const OverflowError&) {
      bounded = false;
    }
    if (bounded) filter.linear_.push_back(std::move(part));
  }
  return filter;
}

bool RowFilter::impossible(const NodePool& pool, std::span<const std::int64_t> values,
                           std::span<const Interval> intervals) const {
  for (const LinearPart& part : linear_) {
    try {
      Rational sum;
      for (const auto& [slot, coefficient] : part.terms) {
        if (values[slot] != 0) sum = sum + coefficient * make_rational(values[slot]);
      }
      const Rational low = sum + part.low;
      if (part.comparison == FormComparison::below_zero ? low >= Rational{} : low > Rational{}) return true;
      if (part.comparison == FormComparison::zero && sum + part.high < Rational{}) return true;
    } catch (const OverflowError&) {
      // No conclusion.
    }
  }
  return std::any_of(formulas_.begin(), formulas_.end(), [&](const FormulaPart& part) {
    return part.negated ? surely_true(pool, part.node, intervals) : surely_false(pool, part.node, intervals);
  });
}

}  // namespace bnnplan::rddl

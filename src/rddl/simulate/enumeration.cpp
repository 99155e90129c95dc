// Enumeration of assignments: depth first over the variables, and after each assignment the conditions that
// mention the variable are evaluated on intervals; one that is surely false ends the branch. For "exactly one
// of 25 cells" that visits some hundreds of assignments instead of 2^25. A conjunction is split first: only
// the parts that mention the variable are evaluated.
//
// The assignments of a branch that was cut off are counted without visiting them if all other conditions are
// surely true by then: their number is the product of the remaining ranges.
#include "bnnplan/rddl/simulate/enumeration.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "bnnplan/base/checked.hpp"
#include "bnnplan/base/input_error.hpp"

namespace bnnplan::rddl {

namespace {

// Effort of counting assignments that are not visited, in variables of conditions: about a second.
constexpr std::size_t most_counting = 20'000'000;

std::uint64_t size_of(const Interval& range) {
  return static_cast<std::uint64_t>(range.high.numerator) - static_cast<std::uint64_t>(range.low.numerator) +
         1;
}

}  // namespace

// Intermediate fluents are not known before the end, so their ranges are those of their kind.
Enumeration::Enumeration(const GroundModel& model, const BitLayout& layout)
    : model_(model), intervals_(layout.ranges), by_slot_(model.slot_count()), values_(model.slot_count(), 0) {
  for (std::uint32_t slot = model.first_intermediate(); slot < model.first_next(); ++slot) {
    if (model.variable(slot).kind == ValueKind::boolean) intervals_[slot] = interval_of(0, 1);
  }
}

void Enumeration::require(NodeId node, bool counted) {
  if (model_.nodes[node].operation == Operation::logical_and) {
    for (const NodeId operand : model_.nodes.operands(node)) require(operand, counted);
    return;
  }
  const auto number = static_cast<std::uint32_t>(conditions_.size());
  Condition& condition = conditions_.emplace_back(Condition{node, counted, std::nullopt});
  if (const auto linear = tracked(condition)) {
    for (const auto& [slot, coefficient] : linear->terms) by_slot_[slot].push_back({number, coefficient});
    effort_ += linear->terms.size();
    return;
  }
  for (const std::uint32_t slot : slots_of(model_.nodes, node)) {
    by_slot_[slot].push_back({number, {}});
    ++effort_;
  }
}

// The form of a linear condition, if the ranges of all its variables, and so its own range, are known.
std::optional<LinearForm> Enumeration::tracked(Condition& condition) const {
  try {
    const auto linear = linear_comparison(model_.nodes, condition.node, false);
    if (!linear) return std::nullopt;
    condition.low = condition.high = linear->form.constant;
    for (const auto& [slot, coefficient] : linear->form.terms) {
      if (!intervals_[slot].known) return std::nullopt;
      const Interval share = scaled(intervals_[slot], coefficient);
      condition.low = condition.low + share.low;
      condition.high = condition.high + share.high;
    }
    condition.linear = linear->comparison;
    return linear->form;
  } catch (const OverflowError&) {
    return std::nullopt;
  }
}

void Enumeration::set_range(std::uint32_t slot, const Interval& range) {
  for (const Mention& mention : by_slot_[slot]) {
    Condition& condition = conditions_[mention.condition];
    if (!condition.linear) continue;
    const Interval before = scaled(intervals_[slot], mention.coefficient),
                   after = scaled(range, mention.coefficient);
    condition.low = condition.low + (after.low - before.low);
    condition.high = condition.high + (after.high - before.high);
  }
  intervals_[slot] = range;
}

// Whether it surely fails.
bool Enumeration::fails(const Condition& condition) const {
  if (!condition.linear) return surely_false(model_.nodes, condition.node, intervals_);
  switch (*condition.linear) {
    case FormComparison::at_most_zero:
      return condition.low > Rational{};
    case FormComparison::below_zero:
      return condition.low >= Rational{};
    case FormComparison::zero:
      return condition.low > Rational{} || condition.high < Rational{};
  }
  __builtin_unreachable();
}

bool Enumeration::possible() const {
  return std::none_of(conditions_.begin(), conditions_.end(),
                      [&](const Condition& condition) { return fails(condition); });
}

bool Enumeration::possible_with(std::uint32_t slot, std::int64_t value) {
  const Interval range = intervals_[slot];
  fix(slot, value);
  const bool result = verdict(slot) == Verdict::possible;
  set_range(slot, range);
  return result;
}

Enumeration::Ending Enumeration::run(const Search& search, const Visitor& visit) {
  constexpr std::size_t deepest = 5000;  // of the recursion
  if (search.slots.size() > deepest) {
    throw InputError(*model_.file_names.back(),
                     fmt::format("too many variables to enumerate: more than {}", deepest));
  }
  search_ = &search;
  visit_ = &visit;
  visited_ = counting_ = 0;
  counted_ = {};
  ending_ = Ending::complete;
  const std::vector<Interval> ranges = intervals_;
  for (const auto& [slot, value] : search.fixed) {
    fix(slot, value);
    values_[slot] = value;
  }
  for (std::uint32_t slot = 0; slot < values_.size(); ++slot) {
    if (intervals_[slot].is_point()) values_[slot] = intervals_[slot].low.numerator;
  }
  assign(0, search.nondefault.value_or(std::numeric_limits<std::int64_t>::max()));
  for (const auto& [slot, value] : search.fixed) set_range(slot, ranges[slot]);
  return ending_;
}

void Enumeration::assign(std::size_t position, std::int64_t nondefault) {
  if (position == search_->slots.size()) {
    if (!(*visit_)(values_)) ending_ = Ending::stopped;
    return;
  }
  const std::uint32_t slot = search_->slots[position];
  const Interval range = intervals_[slot];
  const std::uint64_t size = size_of(range);
  const std::uint64_t first = search_->random != nullptr ? (*search_->random)() % size : 0;
  for (std::uint64_t i = 0; i < size && ending_ == Ending::complete; ++i) {
    if (++visited_ > search_->limit) {
      ending_ = Ending::limit_reached;
      break;
    }
    const std::int64_t value =
        range.low.numerator + static_cast<std::int64_t>(i < size - first ? first + i : i - (size - first));
    const std::int64_t used = value != model_.variable(slot).initial ? 1 : 0;
    if (nondefault < used) continue;
    fix(slot, value);
    values_[slot] = value;
    const Verdict found = verdict(slot);
    if (found == Verdict::possible) assign(position + 1, nondefault - used);
    if (found == Verdict::counted) count_completions(position + 1);
  }
  set_range(slot, range);
}

Enumeration::Verdict Enumeration::verdict(std::uint32_t slot) const {
  Verdict result = Verdict::possible;
  for (const Mention& mention : by_slot_[slot]) {
    const Condition& condition = conditions_[mention.condition];
    if (condition.counted && result == Verdict::counted) continue;
    if (!fails(condition)) continue;
    if (!condition.counted) return Verdict::broken;
    result = Verdict::counted;
  }
  return result;
}

// Adds how many assignments to the slots from `position` on satisfy all conditions that are not counted.
void Enumeration::count_completions(std::size_t position) {
  counting_ += effort_;
  if (counting_ > most_counting) counted_.exact = false;
  if (!counted_.exact) return;
  const bool certain = std::all_of(conditions_.begin(), conditions_.end(), [&](const Condition& condition) {
    return condition.counted || surely_true(model_.nodes, condition.node, intervals_);
  });
  if (certain) {
    constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t product = 1;
    for (std::size_t i = position; i < search_->slots.size(); ++i) {
      if (__builtin_mul_overflow(product, size_of(intervals_[search_->slots[i]]), &product)) {
        counted_ = {most, false};
        return;
      }
    }
    if (__builtin_add_overflow(counted_.count, product, &counted_.count)) counted_ = {most, false};
    return;
  }
  if (position == search_->slots.size()) return;
  const std::uint32_t slot = search_->slots[position];
  const Interval range = intervals_[slot];
  for (std::int64_t value = range.low.numerator; value <= range.high.numerator && counted_.exact; ++value) {
    counting_ += effort_;
    fix(slot, value);
    if (verdict(slot) != Verdict::broken) count_completions(position + 1);
  }
  set_range(slot, range);
}

}  // namespace bnnplan::rddl

// The reward as a linear form over actions and the next state, which is all that the objective of a problem
// may mention. Every other part of it becomes a state variable reward[...] whose next value is that part.
#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "bnnplan/problem/name_table.hpp"
#include "bnnplan/problem/step_weights.hpp"
#include "bnnplan/rddl/compile/problem_compiler.hpp"
#include "bnnplan/rddl/ground/linear_form.hpp"

namespace bnnplan::rddl {

namespace {

// The least multiple of the form whose numbers are decimal: 3 for thirds. If that takes more decimals than
// fit into 64 bits next to the number itself, the least multiple whose numbers are whole: 2^25 for 2^-25.
std::int64_t decimal_multiple(const LinearForm& form) {
  constexpr int most_decimals = 12;
  std::int64_t whole = 1, decimal = 1;
  const auto see = [&](const Rational& number) {
    std::int64_t rest = number.denominator;
    for (const std::int64_t factor : {2, 5}) {
      while (rest % factor == 0) rest /= factor;
    }
    whole = checked_multiply(whole / std::gcd(whole, number.denominator), number.denominator);
    decimal = checked_multiply(decimal / std::gcd(decimal, rest), rest);
  };
  see(form.constant);
  for (const auto& [slot, coefficient] : form.terms) see(coefficient);
  const std::optional<Decimal> unit = decimal_of(make_rational(decimal, whole));
  return unit && unit->exponent >= -most_decimals ? decimal : whole;
}

}  // namespace

// The reward as a linear form over actions, next state and the observers made for everything else.
void ProblemCompiler::read_reward() {
  if (!model_.reward) return;
  const SourcePlace place = model_.nodes.place(*model_.reward);
  try {
    const auto form = tables_suffice(*model_.reward)
                          ? linear_form(model_.nodes, *model_.reward,
                                        [&](const std::vector<NodeId>& factors) {
                                          return std::optional(observer_for(product_of(factors, place), ""));
                                        })
                          : std::optional(gates_.value(*model_.reward));
    LinearForm allowed;
    allowed.constant = form->constant;
    for (const auto& [slot, coefficient] : form->terms) {
      const SlotVariable variable = writer_.variable(slot);
      const bool direct =
          variable.next || (slot >= model_.first_action() && slot < model_.first_intermediate());
      std::uint32_t used = slot;
      if (!direct) {
        const NodeKind kind = variable.boolean ? NodeKind::boolean : NodeKind::integer;
        used = observer_for(model_.nodes.variable(slot, kind, place), variable.name);
      }
      allowed.add(LinearForm{{{used, make_rational(1)}}, {}}, coefficient);
    }
    multiple_ = decimal_multiple(allowed);
    reward_ = allowed * make_rational(multiple_);
  } catch (const std::overflow_error& error) {
    throw RddlError(place, error.what());
  }
}

// Whether the non-linear parts of the reward are whole numbers that can be tabulated.
bool ProblemCompiler::tables_suffice(NodeId reward) {
  bool suffice = true;
  const SourcePlace place = model_.nodes.place(reward);
  linear_form(model_.nodes, reward, [&](const std::vector<NodeId>& factors) {
    const NodeId part = product_of(factors, place);
    suffice = suffice && model_.nodes[part].kind < NodeKind::real && support(part) &&
              evaluate_interval(model_.nodes, part, layout_.ranges).known;
    return std::optional<std::uint32_t>(0);
  });
  return suffice;
}

NodeId ProblemCompiler::product_of(const std::vector<NodeId>& factors, const SourcePlace& place) {
  return factors.size() == 1 ? factors.front() : model_.nodes.make(Operation::multiply, factors, place);
}

// The slot of the next value of a state variable that copies a part of the reward.
std::uint32_t ProblemCompiler::observer_for(NodeId node, const std::string& name) {
  const SourcePlace& place = model_.nodes.place(node);
  const Interval range = evaluate_interval(model_.nodes, node, layout_.ranges);
  if (model_.nodes[node].kind == NodeKind::real || !range.known) {
    throw RddlError(place,
                    "the reward is not linear, and this part of it is not an integer with known bounds");
  }
  Variable variable{.name =
                        fmt::format("reward[{}]", name.empty() ? std::to_string(extras_.size() + 1) : name)};
  if (model_.nodes[node].kind != NodeKind::boolean) {
    variable = variable_for_range(variable.name, floor(range.low), ceiling(range.high));
  }
  return new_observer(variable, range, node);
}

// A state variable whose next value is the expression; it is 0 in the initial state. Returns the slot of the
// next value.
std::uint32_t ProblemCompiler::new_observer(const Variable& variable, const Interval& range, NodeId node) {
  const std::uint32_t slot = new_slot(variable, range, true);
  problem_.state.add(variable);
  problem_.initial.resize(problem_.state.bit_count(), 0);
  extras_.push_back({slot, node});
  return slot;
}

void ProblemCompiler::finish_objective() {
  if (!reward_ || (reward_->terms.empty() && reward_->constant == Rational{})) return;
  const bool cost = reward_->constant <= Rational{} &&
                    std::all_of(reward_->terms.begin(), reward_->terms.end(),
                                [](const auto& term) { return term.second < Rational{}; });
  const LinearForm shown = *reward_ * make_rational(cost ? -1 : 1);
  try {
    problem_.objective = parse_objective(writer_.sum_text(shown), !cost, problem_, NameTable(problem_));
  } catch (const ExpressionError& error) {
    throw InputError(fmt::format("the reward: {}", error.what()));
  }
  problem_.objective.multiple = multiple_;
}

void ProblemCompiler::put_discount() {
  if (options_.ignore_discount || problem_.objective.text.empty()) return;
  const std::optional<Decimal> discount = decimal_of(model_.discount);
  if (!discount || discount->digits <= 0 || Decimal{1, 0} < *discount) {
    throw RddlError(
        model_.instance_place,
        fmt::format("a discount of {}, expected a number above 0 and at most 1 (or the discount ignored)",
                    to_string(model_.discount)));
  }
  problem_.objective.discount = *discount;
  problem_.objective.discount_digits = is_discounted(problem_) ? options_.discount_digits : 0;
}

}  // namespace bnnplan::rddl

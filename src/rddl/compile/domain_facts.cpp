// The first state variables of a compiled problem are those of the model, in its order; those after them were
// made for the reward, and have no fluent.
#include "bnnplan/rddl/compile/problem_compiler.hpp"

namespace bnnplan::rddl {

namespace {

constexpr std::int64_t largest = 1'000'000;

// The value that a goal gives to a state variable: "x == 3", "at == 1".
std::optional<int> goal_value(const Problem& problem, std::size_t variable) {
  const std::uint32_t first = problem.state.first_bit[variable];
  const std::uint32_t count = problem.state.first_bit[variable + 1] - first;
  for (const LinearConstraint& goal : problem.goal) {
    if (goal.terms.size() != count || goal.bound < 0 || goal.bound > largest) continue;
    bool same = goal.comparison == Comparison::equal ||
                (count == 1 && goal.comparison == Comparison::at_least && goal.bound == 1);
    for (std::uint32_t b = 0; same && b < count; ++b) {
      const Term& term = goal.terms[b];
      same = term.bit.index == first + b && term.coefficient == std::int64_t{1} << b;
    }
    if (same) return static_cast<int>(goal.bound);
  }
  return std::nullopt;
}

}  // namespace

view::DomainFacts domain_facts(const GroundModel& model, const Problem& problem) {
  view::DomainFacts facts;
  for (std::size_t i = 0; i < problem.state.variables.size(); ++i) {
    const Variable& variable = problem.state.variables[i];
    view::DomainVariable& fact = facts.state.emplace_back();
    fact.name = variable.name;
    fact.boolean = variable.boolean;
    fact.goal = goal_value(problem, i);
    if (i >= model.state.size()) continue;
    fact.fluent = model.state[i].fluent;
    fact.arguments = model.state[i].arguments;
  }
  for (const Variable& variable : problem.action.variables) {
    view::DomainVariable& fact = facts.action.emplace_back();
    fact.name = variable.name;
    fact.boolean = variable.boolean;
  }
  for (const GroundConstant& constant : model.constants) {
    view::DomainConstant& fact = facts.constants.emplace_back();
    fact.fluent = constant.fluent;
    fact.arguments = constant.arguments;
    if (is_integer(constant.value) && constant.value.numerator >= 0 && constant.value.numerator <= largest)
      fact.value = static_cast<int>(constant.value.numerator);
  }
  return facts;
}

}  // namespace bnnplan::rddl

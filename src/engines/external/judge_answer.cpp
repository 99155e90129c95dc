// A solver's answer is not trusted, whether we ran the solver or were given its output: everything that can
// be checked is, and the rest is marked as its claim. One claim needs no checking: if a problem has no
// objective, every plan is optimal.
#include "bnnplan/engines/external/judge_answer.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "bnnplan/base/input_error.hpp"
#include "bnnplan/check/plan_check.hpp"
#include "bnnplan/formats/solver_answer.hpp"
#include "bnnplan/model/decode.hpp"

namespace bnnplan::engines {

namespace {

bool fits(std::int64_t value, std::int64_t cost, const AskedQuestion& question) {
  const std::vector<std::int64_t> possible = question.values_of_cost(cost, value);
  return std::find(possible.begin(), possible.end(), value) != possible.end();
}

void require_fitting_value(std::int64_t value, std::int64_t cost, std::string_view place,
                           const AskedQuestion& question) {
  if (fits(value, cost, question)) return;
  throw InputError(place, fmt::format("the answer claims the value {}, but its plan has {}", value,
                                      fmt::join(question.values_of_cost(cost, value), " or ")));
}

// Some solvers leave out variables, which are then either free (so they are 0) or determined by the others
// (states and auxiliaries, which the checker computes).
checking::PlanCheck check_values(const AskedQuestion& question, const BitValues& values) {
  BitValues complete = values;
  std::replace(complete.begin(), complete.end(), unknown_bit, BitValue{0});
  checking::PlanCheck check =
      checking::check_plan(question.problem, model::decode(question.layout, complete));
  if (check.accepted || complete == values) return check;
  Plan plan = model::decode(question.layout, values);
  std::replace(plan.initial.begin(), plan.initial.end(), unknown_bit, BitValue{0});
  checking::PlanCheck worked_out = checking::check_plan(question.problem, plan);
  return worked_out.accepted ? worked_out : check;
}

}  // namespace

Outcome judge_answer(std::string_view text, std::string_view place, const AskedQuestion& question) {
  const std::uint32_t variables = question.layout.variable_count();
  formats::SolverAnswer answer = formats::parse_solver_answer(
      text, place, question.numbering != nullptr ? question.numbering->variables() : variables);
  if (question.numbering != nullptr) answer.values = question.numbering->in_model(answer.values, variables);
  Outcome outcome;
  if (answer.status == Status::infeasible) {
    outcome.status = Status::infeasible;
    outcome.claimed_by = question.solver;
    return outcome;
  }
  if (!answer.has_values) {
    if (answer.status == Status::optimal || answer.status == Status::feasible)
      throw InputError(place, "the answer claims a solution but does not print it");
    return outcome;
  }
  checking::PlanCheck check = check_values(question, answer.values);
  if (!check.accepted) throw InputError(place, fmt::format("the answer is not a plan: {}", check.violation));
  bool about_costs = !question.first;
  if (answer.value && about_costs) {
    about_costs = !question.perhaps_cnf || *answer.value != 0 || fits(0, check.cost, question);
    if (about_costs) require_fitting_value(*answer.value, check.cost, place, question);
  }
  outcome.cost = check.cost;
  outcome.plan = std::move(check.plan);
  const bool only_cost = question.problem.objective.terms.empty();
  const bool claimed = answer.status == Status::optimal && about_costs;
  outcome.status = claimed || (only_cost && !question.first) ? Status::optimal : Status::feasible;
  if (outcome.status == Status::optimal) outcome.lower_bound = check.cost;
  if (claimed && !only_cost) outcome.claimed_by = question.solver;
  return outcome;
}

}  // namespace bnnplan::engines

// Plan files, for a problem with every kind of variable. A plan that is read is checked; if the checker
// accepts it, it accepts what we write of it again, at the same cost. The summary without a problem is read
// as well.
#include "bnnplan/check/plan_check.hpp"
#include "bnnplan/problem/plan_file.hpp"
#include "bnnplan/problem/problem_file.hpp"
#include "fuzz_target.hpp"

namespace bnnplan::fuzz {

namespace {

const Problem& planned_problem() {
  static const Problem problem = parse_problem(R"(horizon = 2
minimize = "go + 0.5 amount"
goal = ["n >= 1"]
constraints = ["go + both <= 1 + s", "both <= go", "amount <= 2"]
transitions = ["n' == n + go", "s' >= go", "h' == 0.25"]
[action]
go = "bool"
amount = { bits = 2 }
[state]
s = "bool"
n = { bits = 3 }
h = { bits = 4, signed = true, scale = -2 }
[auxiliary]
both = "bool"
[initial]
n = 0
)",
                                               "example", "");
  return problem;
}

}  // namespace

void try_plan(std::string_view input) {
  std::string refusal;
  try {
    parse_plan_summary(input, "plan.json");
  } catch (const InputError& error) {
    refusal = error.message();
  }
  const Plan plan = parse_plan(input, "plan.json", planned_problem());
  const checking::PlanCheck check = checking::check_plan(planned_problem(), plan);
  require(check.accepted || check.violation == printable(check.violation, check.violation.size()),
          "a violation is one printable line");
  if (!check.accepted) return;
  const Plan again = parse_plan(plan_json(planned_problem(), check.plan), "again", planned_problem());
  const checking::PlanCheck second = checking::check_plan(planned_problem(), again);
  require(second.accepted && second.cost == check.cost, "an accepted plan is accepted as we write it");
}

}  // namespace bnnplan::fuzz

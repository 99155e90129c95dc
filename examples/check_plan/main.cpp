// Uses bnnplan as a library: reads a problem and a plan, replays the plan, says what it found.
#include <iostream>

#include <bnnplan.hpp>

int main(int argc, char** argv) try {
  if (argc != 3) {
    std::cerr << "usage: check_plan PROBLEM.toml PLAN.json\n";
    return 1;
  }
  const bnnplan::Problem problem = bnnplan::read_problem(argv[1]);
  const bnnplan::Plan plan = bnnplan::read_plan(argv[2], problem);
  const bnnplan::PlanCheck result = bnnplan::check_plan(problem, plan);
  if (!result.accepted) {
    std::cout << result.violation << '\n';
    return 20;
  }
  std::cout << bnnplan::plan_table(problem, result.plan) << "cost "
            << bnnplan::to_string(bnnplan::cost_in_units(problem, result.cost)) << '\n';
} catch (const bnnplan::InputError& error) {
  std::cerr << error.what() << '\n';
  return 2;
}

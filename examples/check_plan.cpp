// Replays a plan and says what it found: check_plan PROBLEM.toml PLAN.json
#include <iostream>

#include <bnnplan/check.hpp>
#include <bnnplan/plan.hpp>

int main(int argc, char** argv) try {
  if (argc != 3) return std::cerr << "usage: check_plan PROBLEM.toml PLAN.json\n", 1;
  const bnnplan::Problem problem = bnnplan::read_problem(argv[1]);
  const bnnplan::CheckResult result = bnnplan::check(problem, bnnplan::read_plan(argv[2], problem));
  if (!result.accepted) return std::cout << result.model.violation << '\n', 20;
  std::cout << bnnplan::plan_table(problem, result.model.plan)
            << bnnplan::worth_text(problem, result.model.cost) << '\n';
} catch (const bnnplan::InputError& error) {
  std::cerr << error.what() << '\n';
  return 2;
}

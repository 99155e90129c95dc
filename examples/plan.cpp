// Finds an optimal plan and prints it: plan PROBLEM.toml
#include <iostream>

#include <bnnplan/plan.hpp>

int main(int argc, char** argv) try {
  const bnnplan::Problem problem = bnnplan::read_problem(argc > 1 ? argv[1] : "models/corridor.toml");
  bnnplan::PlanOptions options;
  options.limits.seconds = 60;
  options.callbacks.improvement = [&](const bnnplan::Improvement& better) {
    std::cerr << "found a plan, " << bnnplan::worth_text(problem, better.cost) << '\n';
  };
  const bnnplan::Outcome outcome = bnnplan::plan(problem, options);
  std::cout << bnnplan::outcome_text(problem, outcome);
} catch (const bnnplan::InputError& error) {
  std::cerr << error.what() << '\n';
  return 2;
}

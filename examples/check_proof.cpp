// Writes a proof that a plan is optimal and has it checked: check_proof PROBLEM.toml PROOF.pbp
#include <iostream>

#include <bnnplan/check.hpp>
#include <bnnplan/plan.hpp>

int main(int argc, char** argv) try {
  if (argc != 3) return std::cerr << "usage: check_proof PROBLEM.toml PROOF.pbp\n", 1;
  const bnnplan::Problem problem = bnnplan::read_problem(argv[1]);
  bnnplan::PlanOptions options;
  options.proof = argv[2];
  bnnplan::plan(problem, options);
  const bnnplan::ProblemProof proof = bnnplan::check_proof(problem, bnnplan::read_text_file(argv[2]));
  if (!proof.check.accepted) return std::cout << "refused: " << proof.check.refusal << '\n', 20;
  std::cout << "proved: the optimum has " << bnnplan::worth_text(problem, *proof.cost) << '\n';
} catch (const bnnplan::InputError& error) {
  std::cerr << error.what() << '\n';
  return 2;
}

// Learns how a domain behaves and plans in what was learned: learn DOMAIN.rddl INSTANCE.rddl
#include <iostream>

#include <bnnplan/domain.hpp>
#include <bnnplan/learn.hpp>
#include <bnnplan/plan.hpp>

int main(int argc, char** argv) try {
  if (argc != 3) return std::cerr << "usage: learn DOMAIN.rddl INSTANCE.rddl\n", 1;
  bnnplan::Simulator domain(argv[1], argv[2]);
  bnnplan::SimulateOptions simulation;
  simulation.exhaustive = true;
  const bnnplan::DataSet data = bnnplan::simulate(domain, simulation);

  bnnplan::LearnOptions learning;
  learning.test_share = 0;  // these are all transitions there are
  learning.hidden = {36, 36};
  learning.stop_at_zero = true;
  const bnnplan::Learned learned = bnnplan::learn(data, learning);
  std::cout << "wrong on " << learned.report.errors[0].second.wrong_transitions << " transitions\n";

  bnnplan::CompileOptions compiling;
  compiling.network = learned.training.network;
  const bnnplan::Problem problem = bnnplan::compile(argv[1], argv[2], compiling);
  bnnplan::PlanOptions planning;
  planning.repair = &domain;  // only plans that hold in the domain itself
  std::cout << bnnplan::outcome_text(problem, bnnplan::plan(problem, planning));
} catch (const bnnplan::InputError& error) {
  std::cerr << error.what() << '\n';
  return 2;
}

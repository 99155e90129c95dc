// Everything behind RDDL text: parse, link, check, ground, simulate, compile. The input is the text of a
// domain and of an instance (or one text that is both). Limits are small, so that a large input is not
// mistaken for a slow one.
#include "bnnplan/problem/problem_file.hpp"
#include "bnnplan/rddl/compile/compile_problem.hpp"
#include "bnnplan/rddl/simulate/explore.hpp"
#include "fuzz_target.hpp"

namespace bnnplan::fuzz {

void try_rddl(std::string_view input) {
  const auto [domain, instance] = halves(input);
  rddl::GroundingLimits limits;
  limits.variables = 2000;
  limits.nodes = 20'000;
  limits.instantiations = 50'000;
  const rddl::RddlTask task = rddl::link_rddl(rddl::parse_rddl(domain, "d"), rddl::parse_rddl(instance, "i"));
  rddl::Simulator simulator(rddl::ground(task, limits));
  rddl::StateValues state = simulator.initial_state();
  const rddl::ActionValues action = simulator.default_action();
  for (int step = 0; step < 3 && simulator.legal(state, action); ++step) {
    const rddl::StateValues next = simulator.step(state, action);
    simulator.reward(state, action, next);
    simulator.goal_reached(next);
    state = next;
  }
  rddl::CompileOptions options;
  options.table_bits = 8;
  options.clause_limit = 1000;
  const Problem problem = rddl::compile_problem(simulator.model(), options);
  require(parse_problem(problem_text(problem), "p", "") == problem, "a compiled problem reads back the same");
}

}  // namespace bnnplan::fuzz

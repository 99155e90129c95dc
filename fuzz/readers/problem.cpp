// Problem files. An accepted problem reads back the same from its text, becomes a model, and, if small, has
// the same optimum by brute force, by search and by the neuron engine. A network "n.bnn" is next to the
// problem: the part after "===", or one of ours.
#include <algorithm>

#include "bnnplan/base/text_file.hpp"
#include "bnnplan/check/problem_formula.hpp"
#include "bnnplan/engines/checked_run.hpp"
#include "bnnplan/model/simplify.hpp"
#include "bnnplan/model/unroll.hpp"
#include "bnnplan/problem/problem_file.hpp"
#include "fuzz_target.hpp"
#include "support/brute_force.hpp"
#include "support/checked_formula.hpp"

namespace bnnplan::fuzz {

namespace {

constexpr std::string_view default_network =
    "bnn 1\nshape 3:2:1\ninputs\na\ns\nn.0\noutputs\ns'\nlayer\n++- >= 2\n+0+ >= 1\nlayer\n+- >= 1\nend\n";

std::optional<std::int64_t> optimum(const char* engine, const Problem& problem) {
  engines::EngineRequest request;
  request.limits.seconds = 5;
  const engines::Outcome outcome = engines::run_checked(*engines::find_engine(engine), problem, request);
  require(outcome.status == Status::optimal || outcome.status == Status::infeasible,
          "a small problem is solved");
  return outcome.cost;
}

}  // namespace

void try_problem(std::string_view input) {
  const auto [text, network] = halves(input);
  write_text_file(scratch_folder() / "n.bnn", text == network ? default_network : network);
  Problem problem = parse_problem(text, "p.toml", scratch_folder());
  require(parse_problem(problem_text(problem), "again", scratch_folder()) == problem,
          "a problem reads back the same");
  set_horizon(problem, problem.horizon == 0 ? 2 : std::min(problem.horizon, 3));
  const std::uint32_t step_bits =
      2 * problem.state.bit_count() + problem.action.bit_count() + problem.auxiliary.bit_count();
  if (step_bits > 200) return;
  const model::ZeroOneModel model = model::unroll(problem);
  require(testing::formula_text(testing::checked_formula(model).formula) ==
              testing::formula_text(checking::formula_of(problem).formula),
          "the checker unrolls a problem into the same formula");
  testing::checked_formula(model::simplify(model).model);
  if (step_bits > 14) return;
  const std::optional<std::int64_t> cost = testing::brute_force_cost(problem);
  require(optimum("search", problem) == cost, "search finds the optimum");
  require(optimum("neuron", problem) == cost, "neuron finds the optimum");
}

}  // namespace bnnplan::fuzz

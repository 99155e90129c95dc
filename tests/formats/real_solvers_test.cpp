// The same optimum through every format, with real solvers: write the file, run the solver, read its answer,
// decode it, replay the plan. The solvers are packages that `make test` installs: a missing one is a failure.
#include <fstream>
#include <functional>
#include <map>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/output_file.hpp"
#include "base/text_file.hpp"
#include "check/plan_check.hpp"
#include "formats/clause_writer.hpp"
#include "formats/lp_writer.hpp"
#include "formats/minizinc_writer.hpp"
#include "formats/mps_writer.hpp"
#include "formats/opb_writer.hpp"
#include "formats/solver_answer.hpp"
#include "formats/wcnf_reader.hpp"
#include "model/decode.hpp"
#include "model/simplify.hpp"
#include "model/unroll.hpp"
#include "problem/fd_sat_plan.hpp"
#include "problem/problem_file.hpp"
#include "support/brute_force.hpp"
#include "support/published.hpp"
#include "support/random_problem.hpp"
#include "support/run_program.hpp"
#include "support/temporary_folder.hpp"

namespace bnnplan {
namespace {

using testing::run_program;
using testing::TemporaryFolder;

constexpr std::int64_t no_plan = INT64_MAX;

// The cost a solver finds by way of a format; no_plan if it says that there is none. Everything between is
// checked.
std::int64_t cost_of_answer(const Problem& problem, const std::string& text, const std::string& how) {
  const ModelLayout layout = layout_of(problem);
  const SolverAnswer answer = parse_solver_answer(text, how, layout.variable_count());
  if (answer.status == AnswerStatus::unsatisfiable) return no_plan;
  // Without an objective (or with a constant one) a solver has nothing to prove.
  const bool constant = simplify(unroll(problem)).model.objective.empty();
  EXPECT_TRUE(answer.status == AnswerStatus::optimal ||
              (constant && answer.status == AnswerStatus::satisfiable))
      << how << " did not prove it:\n"
      << text.substr(0, 2000);
  const PlanCheck check = check_plan(problem, decode(layout, answer.values));
  EXPECT_TRUE(check.accepted) << how << ": " << check.violation;
  return check.cost;
}

class RealSolvers : public ::testing::Test {
 protected:
  std::string write(const std::string& name, const std::function<void(OutputFile&)>& writer) const {
    const std::string path = (folder_ / name).string();
    OutputFile file(path);
    writer(file);
    file.commit();
    return path;
  }

  std::int64_t by_clasp_opb(const Problem& problem, bool simplified) const {
    const ZeroOneModel model = simplified ? simplify(unroll(problem)).model : unroll(problem);
    const std::string file = write("m.opb", [&](OutputFile& out) { write_opb(model, out); });
    return cost_of_answer(problem, run_program({"clasp", "--quiet=1", file}).output, "clasp on OPB");
  }

  std::int64_t by_clasp_classic(const Problem& problem, const LoweringOptions& options = {}) const {
    const std::string file = write("m.wcnf", [&](OutputFile& out) {
      write_wcnf_classic(simplify(unroll(problem)).model, options, out);
    });
    return cost_of_answer(problem, run_program({"clasp", "--opt-strategy=usc", "--quiet=1", file}).output,
                          "clasp on classic WCNF");
  }

  // clasp does not read the format of 2022: it is read here and written as classic.
  std::int64_t by_clasp_modern(const Problem& problem) const {
    const std::string file =
        write("m22.wcnf", [&](OutputFile& out) { write_wcnf(simplify(unroll(problem)).model, {}, out); });
    const Wcnf formula = read_wcnf(file);
    std::string text = fmt::format("p wcnf {} {} {}\n", formula.variables,
                                   formula.hard.size() + formula.soft.size(), formula.weight_sum + 1);
    const auto add = [&](std::int64_t weight, std::span<const Lit> clause) {
      text += fmt::format("{} ", weight);
      for (const Lit lit : clause)
        text += fmt::format("{}{} ", lit.negated() ? "-" : "", lit.var().index + 1);
      text += "0\n";
    };
    for (std::size_t i = 0; i < formula.hard.size(); ++i) add(formula.weight_sum + 1, formula.hard[i]);
    for (std::size_t i = 0; i < formula.soft.size(); ++i) add(formula.weights[i], formula.soft[i]);
    const std::string classic = folder_.write("m22classic.wcnf", text);
    return cost_of_answer(problem, run_program({"clasp", "--opt-strategy=usc", "--quiet=1", classic}).output,
                          "clasp on WCNF");
  }

  // Exit code of cadical on the CNF with the cost at most `bound`: 10 satisfiable, 20 not.
  int by_cadical(const Problem& problem, std::int64_t bound) const {
    ZeroOneModel model = unroll(problem);
    add_cost_bound(model, bound);
    const std::string file =
        write("m.cnf", [&](OutputFile& out) { write_cnf(simplify(model).model, {}, out); });
    const testing::ProgramResult result = run_program({"cadical", "-q", file});
    if (result.exit_code == 10) {
      const ModelLayout layout = layout_of(problem);
      const SolverAnswer answer = parse_solver_answer(result.output, "cadical", layout.variable_count());
      const PlanCheck check = check_plan(problem, decode(layout, answer.values));
      EXPECT_TRUE(check.accepted) << check.violation;
      EXPECT_LE(check.cost, bound);
    }
    return result.exit_code;
  }

  std::int64_t by_cbc(const Problem& problem, const std::string& name, bool simplified) const {
    const ZeroOneModel model = simplified ? simplify(unroll(problem)).model : unroll(problem);
    const std::string file = write(
        name, [&](OutputFile& out) { name.ends_with(".lp") ? write_lp(model, out) : write_mps(model, out); });
    const std::string solution = (folder_ / "solution").string();
    std::filesystem::remove(solution);
    const auto result = run_program({"cbc", file, "-solve", "-solution", solution, "-quit"});
    return cost_of_answer(problem,
                          std::filesystem::exists(solution) ? read_text_file(solution) : result.output,
                          "cbc on " + name);
  }

  std::int64_t by_minizinc(const Problem& problem) const {
    const std::string file =
        write("m.mzn", [&](OutputFile& out) { write_minizinc(simplify(unroll(problem)).model, out); });
    return cost_of_answer(problem, run_program({"minizinc", "--solver", "gecode", "-a", file}).output,
                          "minizinc");
  }

  void expect_through_clauses(const Problem& problem, std::int64_t optimum) const {
    EXPECT_EQ(by_clasp_opb(problem, false), optimum);
    EXPECT_EQ(by_clasp_classic(problem), optimum);
    EXPECT_EQ(by_clasp_modern(problem), optimum);
    if (optimum == no_plan) return;
    EXPECT_EQ(by_cadical(problem, optimum), 10);
    EXPECT_EQ(by_cadical(problem, optimum - 1), 20);
  }

  TemporaryFolder folder_;
};

Problem published(const std::string& domain, const std::string& instance, int horizon) {
  Problem problem = read_fd_sat_plan(testing::published_folder(), domain, instance);
  set_horizon(problem, horizon);
  return problem;
}

TEST_F(RealSolvers, Navigation3x3) {
  BNNPLAN_NEEDS_PUBLISHED();
  for (const int horizon : {4, 5, 6}) expect_through_clauses(published("navigation", "3x3", horizon), 4);
}

TEST_F(RealSolvers, Inventory1ThroughEveryFormat) {
  BNNPLAN_NEEDS_PUBLISHED();
  const Problem problem = published("inventory", "1", 5);
  expect_through_clauses(problem, 9);
  EXPECT_EQ(by_cbc(problem, "m.lp", true), 9);
  EXPECT_EQ(by_cbc(problem, "m.mps", true), 9);
  EXPECT_EQ(by_minizinc(problem), 9);
}

TEST_F(RealSolvers, Sysadmin4) {
  BNNPLAN_NEEDS_PUBLISHED();
  const Problem problem = published("sysadmin", "4", 2);
  EXPECT_EQ(by_clasp_opb(problem, true), 0);
  EXPECT_EQ(by_clasp_classic(problem), 0);
  EXPECT_EQ(by_cadical(problem, 0), 10);
  EXPECT_EQ(by_cadical(problem, -1), 20);
}

// Where integer and constraint programming are too slow: they accept the file with a known plan fixed.
TEST_F(RealSolvers, LargerFilesAreAcceptedWithAPlanFixed) {
  BNNPLAN_NEEDS_PUBLISHED();
  Problem problem = published("navigation", "3x3", 4);
  // east, north, north, west as constraints on the objective's variables: the model with all actions given.
  ZeroOneModel model = unroll(problem);
  const std::map<int, std::uint32_t> taken{
      {1, 0}, {2, 1}, {3, 1}, {4, 3}};  // move-east, move-north, move-west
  for (int t = 1; t <= 4; ++t) {
    for (std::uint32_t bit = 0; bit < 4; ++bit) {
      model.rows.push_back(
          {{{{1, Lit::of(model.layout.action(t, bit), taken.at(t) != bit)}}, Comparison::at_least, 1},
           {PartKind::global, 0}});
    }
  }
  const std::string solution = (folder_ / "solution").string();
  for (const std::string name : {"m.lp", "m.mps"}) {
    const std::string file =
        write(name, [&](OutputFile& out) { name == "m.lp" ? write_lp(model, out) : write_mps(model, out); });
    std::filesystem::remove(solution);
    run_program({"cbc", file, "-solve", "-solution", solution, "-quit"});
    EXPECT_EQ(cost_of_answer(problem, read_text_file(solution), "cbc"), 4) << name;
  }
  const std::string file = write("m.mzn", [&](OutputFile& out) { write_minizinc(model, out); });
  EXPECT_EQ(
      cost_of_answer(problem, run_program({"minizinc", "--solver", "gecode", "-a", file}).output, "minizinc"),
      4);
}

TEST_F(RealSolvers, RandomProblemsThroughEveryFormat) {
  for (std::uint64_t seed = 1000; seed < 1010; ++seed) {
    const Problem problem = testing::random_problem(seed);
    const std::int64_t optimum = testing::brute_force_cost(problem).value_or(no_plan);
    SCOPED_TRACE(fmt::format("seed {}", seed));
    expect_through_clauses(problem, optimum);
    EXPECT_EQ(by_clasp_opb(problem, true), optimum);
    EXPECT_EQ(by_cbc(problem, "m.lp", false), optimum);
    EXPECT_EQ(by_cbc(problem, "m.mps", true), optimum);
    EXPECT_EQ(by_minizinc(problem), optimum);
  }
}

TEST_F(RealSolvers, RandomProblemsThroughEveryEncoding) {
  for (std::uint64_t seed = 2000; seed < 2010; ++seed) {
    const Problem problem = testing::random_problem(seed);
    const std::int64_t optimum = testing::brute_force_cost(problem).value_or(no_plan);
    for (const NeuronEncodingInfo& info : neuron_encodings()) {
      LoweringOptions options;
      options.neurons.encoding = info.encoding;
      options.rows.cardinality = info.encoding;
      EXPECT_EQ(by_clasp_classic(problem, options), optimum) << "seed " << seed << ", " << info.name;
    }
  }
}

}  // namespace
}  // namespace bnnplan

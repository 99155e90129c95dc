#include "support/solver_routes.hpp"

#include <stdexcept>

#include <fmt/format.h>

#include "bnnplan/base/output_file.hpp"
#include "bnnplan/base/text_file.hpp"
#include "bnnplan/check/pb_formula.hpp"
#include "bnnplan/check/plan_check.hpp"
#include "bnnplan/formats/model_format.hpp"
#include "bnnplan/formats/solver_answer.hpp"
#include "bnnplan/formats/wcnf_reader.hpp"
#include "bnnplan/model/decode.hpp"
#include "bnnplan/model/simplify.hpp"
#include "bnnplan/model/unroll.hpp"
#include "support/formula_families.hpp"
#include "support/run_program.hpp"

namespace bnnplan::testing {

namespace {

void write_model(const model::ZeroOneModel& model, std::string_view format,
                 const encoding::LoweringOptions& options, const std::filesystem::path& path) {
  OutputFile file(path);
  formats::find_model_format(format)->write(model, options, file);
  file.commit();
}

std::filesystem::path model_file(const SolverRoute& route, const std::filesystem::path& folder) {
  return folder / fmt::format("model.{}", formats::find_model_format(route.format)->extension);
}

model::ZeroOneModel model_for(const Problem& problem, const SolverRoute& route) {
  model::ZeroOneModel model = model::unroll(problem);
  return route.simplified ? model::simplify(model).model : model;
}

// clasp does not read the WCNF of 2022: it is read here and written as classic.
void make_classic(const std::filesystem::path& path) {
  write_text_file(path, wcnf_text(formats::read_wcnf(path), WcnfFormat::classic));
}

// Whether values are a solution of an OPB file, by nothing but the file.
bool satisfies_opb(const std::filesystem::path& file, const BitValues& values) {
  for (const checking::PbConstraint& constraint :
       checking::parse_opb(read_text_file(file), file.string()).constraints) {
    std::int64_t sum = 0;
    for (const auto& [coefficient, literal] : constraint.terms)
      if ((values[literal.var().index] == 1) != literal.negated()) sum += coefficient;
    if (sum < constraint.bound) return false;
  }
  return true;
}

// What an answer of a solver about a file says of the problem.
std::optional<std::int64_t> cost_of_answer(const Problem& problem, const std::string& text,
                                           const std::string& name, const std::filesystem::path& file) {
  const model::ModelLayout layout = model::layout_of(problem);
  const formats::SolverAnswer answer = formats::parse_solver_answer(text, name, layout.variable_count());
  if (answer.status == Status::infeasible) return std::nullopt;
  // Without an objective (or with a constant one) a solver has nothing to prove.
  const bool constant = model::simplify(model::unroll(problem)).model.objective.empty();
  if (answer.status != Status::optimal && !(constant && answer.status == Status::feasible))
    throw std::runtime_error(fmt::format("{} did not prove it:\n{}", name, text.substr(0, 2000)));
  const checking::PlanCheck check = checking::check_plan(problem, model::decode(layout, answer.values));
  if (!check.accepted) {
    if (file.extension() == ".opb" && !satisfies_opb(file, answer.values))
      throw SolverMistake(fmt::format("{}: no solution of the file", name));
    throw std::runtime_error(fmt::format("{}: {}", name, check.violation));
  }
  return check.cost;
}

}  // namespace

std::span<const SolverRoute> solver_routes() {
  static const std::vector<SolverRoute> routes = {
      {"clasp on OPB", "opb", true, {"clasp", "--quiet=1", "FILE"}},
      {"clasp on the whole OPB", "opb", false, {"clasp", "--quiet=1", "FILE"}},
      {"clasp on classic WCNF", "wcnf-classic", true, {"clasp", "--opt-strategy=usc", "--quiet=1", "FILE"}},
      {"clasp on WCNF", "wcnf", true, {"clasp", "--opt-strategy=usc", "--quiet=1", "FILE"}},
      {"cbc on LP", "lp", false, {"cbc", "FILE", "-solve", "-solution", "SOLUTION", "-quit"}},
      {"cbc on simplified LP", "lp", true, {"cbc", "FILE", "-solve", "-solution", "SOLUTION", "-quit"}},
      {"cbc on MPS", "mps", true, {"cbc", "FILE", "-solve", "-solution", "SOLUTION", "-quit"}},
      {"gecode on MiniZinc", "mzn", true, {"minizinc", "--solver", "gecode", "FILE"}},
  };
  return routes;
}

const SolverRoute& solver_route(std::string_view name) {
  for (const SolverRoute& route : solver_routes())
    if (route.name == name) return route;
  throw std::logic_error(fmt::format("no route '{}'", name));
}

std::optional<std::int64_t> cost_by_route(const Problem& problem, const SolverRoute& route,
                                          const std::filesystem::path& folder,
                                          const encoding::LoweringOptions& options) {
  return cost_by_route(problem, model_for(problem, route), route, folder, options);
}

std::optional<std::int64_t> cost_by_route(const Problem& problem, const SolverRoute& route,
                                          const std::filesystem::path& folder,
                                          const encoding::LoweringOptions& options, const Solver& solver) {
  const std::filesystem::path file = model_file(route, folder);
  write_model(model_for(problem, route), route.format, options, file);
  return cost_of_answer(problem, solver(file), std::string(route.name), file);
}

std::optional<std::int64_t> cost_by_route(const Problem& problem, const model::ZeroOneModel& model,
                                          const SolverRoute& route, const std::filesystem::path& folder,
                                          const encoding::LoweringOptions& options) {
  const std::filesystem::path file = model_file(route, folder);
  const std::filesystem::path solution = folder / "solution";
  std::filesystem::remove(solution);
  write_model(model, route.format, options, file);
  if (route.format == "wcnf") make_classic(file);
  std::vector<std::string> command = route.command;
  for (std::string& word : command) {
    if (word == "FILE") word = file.string();
    if (word == "SOLUTION") word = solution.string();
  }
  const ProgramResult result = run_program(command);
  return cost_of_answer(problem, std::filesystem::exists(solution) ? read_text_file(solution) : result.output,
                        std::string(route.name), file);
}

bool feasible_by_cadical(const Problem& problem, std::int64_t bound, const std::filesystem::path& folder) {
  model::ZeroOneModel model = model::unroll(problem);
  model::add_cost_bound(model, bound);
  const std::filesystem::path file = folder / "model.cnf";
  write_model(model::simplify(model).model, "cnf", {}, file);
  const ProgramResult result = run_program({"cadical", "-q", file.string()});
  if (result.exit_code == 20) return false;
  if (result.exit_code != 10) throw std::runtime_error("cadical did not answer: " + result.errors);
  const model::ModelLayout layout = model::layout_of(problem);
  const formats::SolverAnswer answer =
      formats::parse_solver_answer(result.output, "cadical", layout.variable_count());
  const checking::PlanCheck check = checking::check_plan(problem, model::decode(layout, answer.values));
  if (!check.accepted) throw std::runtime_error("cadical: " + check.violation);
  if (check.cost > bound) throw std::runtime_error("cadical: the plan costs more than the bound");
  return true;
}

}  // namespace bnnplan::testing

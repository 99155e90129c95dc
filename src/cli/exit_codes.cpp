#include "bnnplan/cli/exit_codes.hpp"

#include <array>

namespace bnnplan::cli {

namespace {

// By status: optimal, feasible, infeasible, unknown.
constexpr std::array plan_codes = {exit_success, exit_plan, exit_infeasible, exit_unknown};
constexpr std::array solver_codes = {exit_solver_optimum, exit_solver_satisfiable, exit_solver_unsatisfiable,
                                     exit_solver_unknown};

}  // namespace

int exit_code_of(Status status, bool any_plan_will_do) {
  if (status == Status::feasible && any_plan_will_do) return exit_success;
  return plan_codes[static_cast<std::size_t>(status)];
}

int solver_exit_code(Status status) { return solver_codes[static_cast<std::size_t>(status)]; }

}  // namespace bnnplan::cli

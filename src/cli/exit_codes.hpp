#pragma once

#include "bnnplan/base/status.hpp"

namespace bnnplan::cli {

// Exit codes, the same for all commands (docs/commands.md lists them).
enum ExitCode : int {
  exit_success = 0,
  exit_usage = 1,
  exit_bad_input = 2,
  exit_internal_error = 3,
  exit_plan = 10,          // a plan that is not proved optimal
  exit_unknown = 11,       // a limit was hit before anything was found
  exit_infeasible = 20,    // there is no plan
  exit_refused = 20,       // a plan or a proof
  exit_other_reward = 21,  // a valid plan, but the model promises another reward than the domain gives
  exit_not_robust = 22,    // an input within the radius is classified otherwise
  // Of maxsat and pb, as the evaluations of solvers ask.
  exit_solver_unknown = 0,
  exit_solver_satisfiable = 10,
  exit_solver_unsatisfiable = 20,
  exit_solver_optimum = 30,
};

// The exit code of `plan` and `decode`.
constexpr int exit_code_of(Status status, bool any_plan_will_do = false) {
  constexpr int codes[] = {exit_success, exit_plan, exit_infeasible, exit_unknown};  // by status
  return status == Status::feasible && any_plan_will_do ? exit_success
                                                        : codes[static_cast<std::size_t>(status)];
}

// That of `maxsat` and `pb`.
constexpr int solver_exit_code(Status status) {
  constexpr int codes[] = {exit_solver_optimum, exit_solver_satisfiable, exit_solver_unsatisfiable,
                           exit_solver_unknown};
  return codes[static_cast<std::size_t>(status)];
}

}  // namespace bnnplan::cli
